import { formatDay } from '#app/lib/time.ts'
import { listClientNames, listClientOptions } from '#modules/crm/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { contractsUrl, pageSize } from './list-state.ts'
import { listContractsPage, type ListedContract } from './queries/contracts.ts'
import { listTemplateOptions } from './queries/templates.ts'

/** Most clients that the form lists. Beyond that, the coach searches. */
const maxClients = 100

export async function loadContracts(ctx: Ctx, url: string) {
  const { dialog, client, ...state } = contractsUrl.parse(url)
  const [{ contracts, count }, options] = await Promise.all([
    listContractsPage(ctx, { ...state, rows: pageSize }),
    dialog === 'add' ? loadAddOptions(ctx, client) : null,
  ])
  return { state, count, contracts: contracts.map((one) => toContractView(ctx, one)), options, clientId: client }
}
export type ContractsPage = Awaited<ReturnType<typeof loadContracts>>

/** A row of a list of contracts. */
export function toContractView(ctx: Ctx, { closedAt, sentAt, createdAt, expiresAt, ...contract }: ListedContract) {
  const format = (at: string) => formatDay(at, ctx.now(), ctx.account.timezone)
  const { id, title, clientName, status } = contract
  const isOpen = closedAt === null && sentAt !== null && status !== 'expired'
  const date = isOpen ? `open until ${format(expiresAt!)}` : format(closedAt ?? sentAt ?? createdAt)
  return { id, title, clientName, status, date }
}
export type ContractView = ReturnType<typeof toContractView>

/** The choices of the dialog that adds a contract. */
async function loadAddOptions(ctx: Ctx, clientId: number | null) {
  const [templates, listed, [chosen]] = await Promise.all([
    listTemplateOptions(ctx),
    listClientOptions(ctx, { rows: maxClients + 1 }),
    clientId ? listClientNames(ctx, [clientId]) : [],
  ])
  const clients = listed.slice(0, maxClients).map(({ id, name }) => ({ id, name }))
  const isListed = !chosen || chosen.inTrash || clients.some(({ id }) => id === chosen.id)
  return {
    templates,
    clients: isListed ? clients : [{ id: chosen.id, name: chosen.name }, ...clients],
    hasMore: listed.length > maxClients,
  }
}
