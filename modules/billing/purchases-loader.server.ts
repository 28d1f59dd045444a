import { formatCents } from '#app/lib/money.ts'
import { dateOf, dayOf } from '#app/lib/time.ts'
import { clientChoices, clientNames } from '#modules/crm/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { purchaseFields, purchaseStatuses, type PurchaseStatus } from './fields.ts'
import { productsForSale } from './queries/products.ts'
import { purchaseHistory, purchaseOnScreen } from './queries/purchases.ts'
import type { ListedPurchase, Totals } from './records.ts'

// What the dialogs and lists of purchases show, in the words of screens.

export type ShownPurchase = ReturnType<typeof shownPurchase>

/** A purchase as a line of a list. */
export function shownPurchase(
  { account }: Ctx,
  { id, productName, amount, status, paymentMethod, notes, purchasedAt }: ListedPurchase,
) {
  return {
    id,
    productName,
    amount: formatCents(amount),
    status,
    when: dayOf(purchasedAt, account.timezone),
    method: purchaseFields.paymentMethod.choices[paymentMethod],
    notes,
  }
}

export type ShownTotals = ReturnType<typeof shownTotals>

/** The sum of all purchases, and of the completed ones where that is another number. */
export function shownTotals({ count, amount, completed }: Totals) {
  return { count, total: formatCents(amount), completed: amount === completed ? null : formatCents(completed) }
}

/** What came in, and what of the rest has which status; where one status is asked for, what has it. */
export function shownIncome(totals: Totals, asked: PurchaseStatus | null) {
  const status = asked ?? 'completed'
  return {
    amount: formatCents(totals[status]),
    status,
    others: asked
      ? []
      : purchaseStatuses
          .filter((other) => other !== status && totals[other])
          .map((other) => `${formatCents(totals[other])} ${other}`),
  }
}

/** As much of what was bought stands in the dialog that records; the client's purchases have a page of their own. */
const latest = 20

/** The Record Purchase dialog of one client: what was bought lately, and what can be. */
export async function recordDialog(ctx: Ctx, client: { id: number; name: string }) {
  const [{ purchases, totals }, products] = await Promise.all([
    purchaseHistory(ctx, client.id, { rows: latest }),
    productsForSale(ctx),
  ])
  return {
    client,
    products,
    purchases: purchases.map((purchase) => shownPurchase(ctx, purchase)),
    totals: shownTotals(totals),
  }
}
export type RecordDialog = Awaited<ReturnType<typeof recordDialog>>

/** As many clients can be chosen from at once; of more than that one looks for whom one means. */
export const mostClients = 100

/** The Record Purchase dialog of the page of all purchases: the client is chosen in it, among those whose name or address holds `who`. */
export async function saleDialog(ctx: Ctx, who: string) {
  const [clients, products] = await Promise.all([
    clientChoices(ctx, { q: who, rows: mostClients + 1 }),
    productsForSale(ctx),
  ])
  const more = clients.length > mostClients
  return { clients: clients.slice(0, mostClients), more, who, products, today: dateOf(ctx.now(), ctx.account.timezone) }
}
export type SaleDialogData = Awaited<ReturnType<typeof saleDialog>>

/** The dialog that edits a purchase; null when it isn't there any more. */
export async function editDialog(ctx: Ctx, id: number) {
  const purchase = await purchaseOnScreen(ctx, id)
  if (!purchase) return null
  const [client] = purchase.clientId === null ? [] : await clientNames(ctx, [purchase.clientId])
  const { productName, amount, status, paymentMethod, notes, version } = purchase
  return {
    clientName: client?.name ?? null,
    purchase: {
      id,
      productName,
      amount: formatCents(amount),
      status,
      paymentMethod,
      notes,
      version,
      date: dateOf(purchase.purchasedAt, ctx.account.timezone),
    },
  }
}
export type EditDialog = NonNullable<Awaited<ReturnType<typeof editDialog>>>
