import { toPriceInput } from './format.ts'
import { formatMoney } from '#app/lib/money.ts'
import { formatDate, localDate } from '#app/lib/time.ts'
import { listClientIdsMatching, listClientNames, listClientOptions } from '#modules/crm/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { purchaseFields, purchaseStatuses, type PurchaseStatus } from './fields.ts'
import type { ExportedPurchase } from './csv.ts'
import type { PurchaseFilters, PurchaseListState } from './list-state.ts'
import { listProductsForSale } from './queries/products.ts'
import {
  getLastChoices,
  getPurchaseForEdit,
  getPurchaseHistory,
  listPurchasesPage,
  streamPurchases,
  type LastChoices,
} from './queries/purchases.ts'
import type { ListedPurchase, Totals } from './records.ts'

export type PurchaseView = ReturnType<typeof toPurchaseView>

export function toPurchaseView(
  { account: { currency, timezone } }: Ctx,
  { id, productName, amount, status, paymentMethod, notes, purchasedAt }: ListedPurchase,
) {
  return {
    id,
    productName,
    amount: formatMoney(amount, currency),
    status,
    date: formatDate(purchasedAt, timezone),
    method: purchaseFields.paymentMethod.choices[paymentMethod],
    notes,
  }
}

/** The page of purchases with their clients. */
export async function getPurchasesPage(ctx: Ctx, state: PurchaseListState) {
  const { purchases, totals, since } = await listPurchasesPage(ctx, state, await findClientIds(ctx, state))
  const rows = await joinClients(ctx, purchases)
  return { rows: rows.map((row) => ({ ...toPurchaseView(ctx, row), client: row.client })), totals, since }
}

/** Batches of the purchases that match the filters, for the CSV file. */
export async function* streamExportedPurchases(ctx: Ctx, filters: PurchaseFilters): AsyncGenerator<ExportedPurchase[]> {
  for await (const purchases of streamPurchases(ctx, filters, await findClientIds(ctx, filters)))
    yield joinClients(ctx, purchases)
}

const findClientIds = async (ctx: Ctx, { q }: PurchaseFilters): Promise<number[]> =>
  q ? listClientIdsMatching(ctx, q) : []

/** `client` is null if it was erased. */
async function joinClients<P extends { clientId: number | null }>(ctx: Ctx, purchases: P[]) {
  const clients = await listClientNames(ctx, [...new Set(purchases.flatMap(({ clientId }) => clientId ?? []))])
  const clientById = new Map(clients.map((client) => [client.id, client]))
  return purchases.map((purchase) => ({
    ...purchase,
    client: purchase.clientId === null ? null : (clientById.get(purchase.clientId) ?? null),
  }))
}

export type TotalsView = ReturnType<typeof toTotalsView>

/** `completed` is null if it equals the total. */
export function toTotalsView({ count, amount, completed }: Totals, currency: string) {
  return {
    count,
    total: formatMoney(amount, currency),
    completed: amount === completed ? null : formatMoney(completed, currency),
  }
}

/** The sum of the filtered status; without a filter the completed sum first, then the others. */
export function toIncomeView(totals: Totals, statusFilter: PurchaseStatus | null, currency: string) {
  const status = statusFilter ?? 'completed'
  return {
    amount: formatMoney(totals[status], currency),
    status,
    others: statusFilter
      ? []
      : purchaseStatuses
          .filter((other) => other !== status && totals[other])
          .map((other) => `${formatMoney(totals[other], currency)} ${other}`),
  }
}

/** The dialog's history is a preview; the client's purchases have a page of their own. */
const maxHistoryRows = 20

/** The Record Purchase dialog of one client. */
export async function getClientPurchaseDialog(ctx: Ctx, client: { id: number; name: string }) {
  const [{ purchases, totals }, products, last] = await Promise.all([
    getPurchaseHistory(ctx, client.id, { rows: maxHistoryRows }),
    listProductsForSale(ctx),
    getLastChoices(ctx, client.id),
  ])
  return {
    client,
    products,
    defaults: toFormDefaults(ctx, products, last),
    purchases: purchases.map((purchase) => toPurchaseView(ctx, purchase)),
    totals: toTotalsView(totals, ctx.account.currency),
  }
}
export type ClientPurchaseDialogData = Awaited<ReturnType<typeof getClientPurchaseDialog>>

/** Most clients that the select lists. Beyond that, the user searches. */
export const maxClients = 100

/** The Record Purchase dialog of the purchases page. `clientSearch`: part of a client's name or email. */
export async function getNewPurchaseDialog(ctx: Ctx, clientSearch: string) {
  const [clients, products, last] = await Promise.all([
    listClientOptions(ctx, { q: clientSearch, rows: maxClients + 1 }),
    listProductsForSale(ctx),
    getLastChoices(ctx, null),
  ])
  return {
    clients: clients.slice(0, maxClients),
    hasMore: clients.length > maxClients,
    clientSearch,
    products,
    defaults: toFormDefaults(ctx, products, last),
  }
}
export type NewPurchaseDialogData = Awaited<ReturnType<typeof getNewPurchaseDialog>>

/** Initial values of a new purchase: the last product and payment method again, today. */
function toFormDefaults(ctx: Ctx, products: { id: number; price: string }[], last: LastChoices) {
  const product = products.find(({ id }) => id === last.productId)
  return {
    productId: product ? String(product.id) : '',
    amount: product ? toPriceInput(product.price, ctx.account.currency) : '',
    paymentMethod: last.paymentMethod ?? '',
    status: 'completed',
    date: localDate(ctx.now(), ctx.account.timezone),
  }
}

/** Null if the purchase doesn't exist. */
export async function getEditPurchaseDialog(ctx: Ctx, id: number) {
  const purchase = await getPurchaseForEdit(ctx, id)
  if (!purchase) return null
  const [client] = purchase.clientId === null ? [] : await listClientNames(ctx, [purchase.clientId])
  const { productName, amount, sessionCount, status, paymentMethod, notes, version } = purchase
  return {
    clientName: client?.name ?? null,
    purchase: {
      id,
      productName,
      amount,
      sessionCount,
      status,
      paymentMethod,
      notes,
      version,
      date: localDate(purchase.purchasedAt, ctx.account.timezone),
    },
  }
}
export type EditPurchaseDialogData = NonNullable<Awaited<ReturnType<typeof getEditPurchaseDialog>>>
