import { redirect } from '@remix-run/node'
import { excerpt } from '#app/lib/markup.ts'
import { formatMoney } from '#app/lib/money.ts'
import { formatDay } from '#app/lib/time.ts'
import { otherTimezones } from '#app/lib/timezones.ts'
import { countPages } from '#app/lib/url.ts'
import { preloadWidgets } from '#modules/core/slot.tsx'
import { fillSlot } from '#modules/core/slots.ts'
import { isLapsed, plans } from '#tenants/accounts/plans.ts'
import type { Ctx } from '#tenants/context.ts'
import { clientsPerPage, clientsUrl } from './list-state.ts'
import { findClientName } from './queries/clients.ts'
import { getClientList, type ClientListItem } from './queries/list.ts'
import { listWithinLimit } from './services/plan-limit.ts'
import type { ClientFacts, ClientFactsById, ClientLink, ProductOption } from './slots.ts'

const goalsLength = 200

/** The data of the client list for its URL. Throws a redirect to the last page for a page after it. */
export async function loadClientsPage(ctx: Ctx, url: string) {
  const { dialog: dialogName, client: clientId, ...state } = clientsUrl.parse(url)
  const params = Object.fromEntries(new URL(url).searchParams)
  const [list, dialog, contributedDialogs, links] = await Promise.all([
    getClientList(ctx, state),
    loadDialog(ctx, dialogName, clientId),
    dialogName ? fillSlot(ctx, 'client.dialog', { ...params, id: params.client }) : [],
    fillSlot(ctx, 'client.menu'),
  ])
  const lastPage = countPages(list.matchCount, clientsPerPage)
  if (state.page > lastPage) throw redirect(clientsUrl.href(state, { page: lastPage }))

  const ids = list.rows.map(({ id }) => id)
  const facts = await loadFacts(ctx, ids)
  const { title, maxClients: limit } = plans[ctx.plan]
  const isFull = limit !== null && list.counts.current >= limit
  const withinLimit = isLapsed(ctx) ? await listWithinLimit(ctx) : null
  const isReadOnly = (id: number) =>
    state.show === 'archive' ? isFull : withinLimit !== null && !withinLimit.includes(id)
  return {
    state,
    counts: list.counts,
    matchCount: list.matchCount,
    plan: { title, clients: list.counts.current, limit },
    links: links.flatMap(({ data }) => data as ClientLink[]),
    dialog,
    contributedDialogs: await preloadWidgets(contributedDialogs.filter(({ data }) => data)),
    rows: list.rows.map((row): ClientRowView => {
      const view = { ...toRowView(ctx, row, facts[row.id]), isReadOnly: isReadOnly(row.id) }
      return state.view === 'cards' ? { ...view, card: toCardDetails(row, ctx.account.currency) } : view
    }),
  }
}

/** A row of the list; `card` has what only the cards show, and is missing in the list. */
export type ClientRowView = ReturnType<typeof toRowView> & {
  /** Archived on a plan that is full, or over the limit of one that wasn't paid. */
  isReadOnly: boolean
  card?: ReturnType<typeof toCardDetails>
}

function toRowView(ctx: Ctx, { id, name, email, status, createdAt }: ClientListItem, facts: ClientFacts = {}) {
  return { id, name, email, status, facts, joined: formatDay(createdAt, ctx.now(), ctx.account.timezone) }
}

function toCardDetails({ progress, goals, totalSpent }: ClientListItem, currency: string) {
  return { progress, goals: goals && (excerpt(goals, goalsLength) || null), spent: formatMoney(totalSpent, currency) }
}

async function loadDialog(ctx: Ctx, kind: string | null, clientId: number | null) {
  if (kind === 'add') {
    const products = await fillSlot(ctx, 'client.product')
    return {
      kind,
      timezones: otherTimezones(),
      products: products.flatMap(({ data }) => data as ProductOption[]),
    } as const
  }
  if (!kind || !(kind === 'delete' || clientId)) return null
  // Every dialog about a client, also of other modules, needs the client to exist.
  const client = await findClientName(ctx, clientId ?? 0)
  if (!client) return { kind: 'not-found' } as const
  return kind === 'delete' ? ({ kind, ...client } as const) : null
}

async function loadFacts(ctx: Ctx, ids: number[]): Promise<ClientFactsById> {
  const contributions = await fillSlot(ctx, 'client.row', { ids: ids.join() })
  const merged: ClientFactsById = {}
  for (const { data } of contributions)
    for (const [id, facts] of Object.entries(data as ClientFactsById))
      merged[Number(id)] = { ...merged[Number(id)], ...facts }
  return merged
}
