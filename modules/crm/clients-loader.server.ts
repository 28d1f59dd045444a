import { redirect } from '@remix-run/node'
import { excerpt } from '#app/lib/markup.ts'
import { formatMoney } from '#app/lib/money.ts'
import { formatDay } from '#app/lib/time.ts'
import { otherTimezones } from '#app/lib/timezones.ts'
import { countPages } from '#app/lib/url.ts'
import { preloadWidgets } from '#modules/core/slot.tsx'
import { fillSlot, type SlotResult } from '#modules/core/slots.ts'
import { isLapsed, plans } from '#tenants/accounts/plans.ts'
import type { Ctx } from '#tenants/context.ts'
import type { PlanLimit } from './components/add-client-dialog.tsx'
import { describeFilters } from './filters-loader.server.ts'
import { clientsPerPage, clientsUrl, type ListState } from './list-state.ts'
import { findClientName } from './queries/clients.ts'
import { getClientList, type ClientListItem } from './queries/list.ts'
import { listTags } from './queries/tags.ts'
import { listWithinLimit } from './services/plan-limit.ts'
import type { BulkBarData } from './widgets/bulk-bar.tsx'
import type { ClientFacts, ClientFactsById, ClientLink, ProductOption } from './slots.ts'

const goalsLength = 200

/** The data of the client list for its URL. Throws a redirect to the last page for a page after it. */
export async function loadClientsPage(ctx: Ctx, url: string) {
  const { dialog: dialogName, client: clientId, ...state } = clientsUrl.parse(url)
  const params = Object.fromEntries(new URL(url).searchParams)
  const [list, dialog, contributedDialogs, links, activeFilters] = await Promise.all([
    getClientList(ctx, state),
    loadDialog(ctx, dialogName, clientId),
    dialogName ? fillSlot(ctx, 'client.dialog', { ...params, id: params.client }) : [],
    fillSlot(ctx, 'client.menu'),
    describeFilters(ctx, state),
  ])
  const lastPage = countPages(list.matchCount, clientsPerPage)
  if (state.page > lastPage) throw redirect(clientsUrl.href(state, { page: lastPage }))

  const ids = list.rows.map(({ id }) => id)
  const facts = await loadFacts(ctx, ids)
  const { title, maxClients: limit } = plans[ctx.plan]
  const plan = { title, clients: list.counts.current, limit }
  const isFull = limit !== null && list.counts.current >= limit
  const withinLimit = isLapsed(ctx) ? await listWithinLimit(ctx) : null
  const isReadOnly = (id: number) =>
    state.show === 'archive' ? isFull : withinLimit !== null && !withinLimit.includes(id)
  return {
    state,
    counts: list.counts,
    matchCount: list.matchCount,
    activeFilters,
    bulkBar: state.select && ids.length ? await loadBulkBar(ctx, state, ids, list.matchCount) : [],
    plan,
    links: links.flatMap(({ data }) => data as ClientLink[]),
    dialogs: await preloadWidgets([
      ...(dialog ? [listDialog({ dialog, plan, closeTo: clientsUrl.href(state) })] : []),
      ...contributedDialogs.filter(({ data }) => data),
    ]),
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

function toRowView(ctx: Ctx, { id, name, email, status, tags, createdAt }: ClientListItem, facts: ClientFacts = {}) {
  return {
    id,
    name,
    email,
    status,
    facts,
    ...(tags.length ? { tags: tags.join(', ') } : {}),
    joined: formatDay(createdAt, ctx.now(), ctx.account.timezone),
  }
}

function toCardDetails({ progress, goals, totalSpent }: ClientListItem, currency: string) {
  return { progress, goals: goals && (excerpt(goals, goalsLength) || null), spent: formatMoney(totalSpent, currency) }
}

/** An open dialog of the list itself, as a widget. */
const listDialog = (data: ListDialog): SlotResult => ({
  key: 'crm/list-dialog',
  module: 'crm',
  widget: 'list-dialog',
  data,
})
export type ListDialog = {
  dialog: NonNullable<Awaited<ReturnType<typeof loadDialog>>>
  plan: PlanLimit
  closeTo: string
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

/** The bar of the chosen clients; the browser loads it only when clients are chosen. */
async function loadBulkBar(ctx: Ctx, state: ListState, ids: number[], count: number) {
  const tags = (await listTags(ctx)).map(({ tag }) => tag)
  const data: BulkBarData = { state, ids, count, tags }
  return preloadWidgets([{ key: 'crm/bulk-bar', module: 'crm', widget: 'bulk-bar', data }])
}

async function loadFacts(ctx: Ctx, ids: number[]): Promise<ClientFactsById> {
  const contributions = await fillSlot(ctx, 'client.row', { ids: ids.join() })
  const merged: ClientFactsById = {}
  for (const { data } of contributions)
    for (const [id, facts] of Object.entries(data as ClientFactsById))
      merged[Number(id)] = { ...merged[Number(id)], ...facts }
  return merged
}
