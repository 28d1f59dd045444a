import { asMarkup } from '#app/lib/markup.ts'
import { formatCents } from '#app/lib/money.ts'
import { parseId } from '#app/lib/parse-id.ts'
import { dateOf, dayOf } from '#app/lib/time.ts'
import {
  clientNames,
  type ClientFactsById,
  type ClientPlace,
  type ProductChoice,
  type TimelineEntry,
} from '#modules/crm/index.ts'
import type { Contribution, FirstStep } from '#modules/core/manifest.ts'
import type { Ctx } from '#tenants/context.ts'
import { editDialog, recordDialog, shownPurchase, shownTotals } from './purchases-loader.server.ts'
import { productsForSale } from './queries/products.ts'
import { latestProducts, purchaseHistory, purchasesByDate, revenueOfTwoMonths } from './queries/purchases.ts'
import { purchaseFields } from './fields.ts'
import { insideSentence, priceWords } from './format.ts'

const permission = 'billing:purchase:read'

/** What billing shows on the dashboard and on the screens of clients. */
export const contributions: Contribution[] = [
  { slot: 'dashboard.stat', widget: 'revenue', order: 30, permission, load: revenue },
  { slot: 'dashboard.step', order: 20, permission: 'billing:product:write', load: firstProduct },
  {
    slot: 'client.card',
    widget: 'purchase-history',
    order: 20,
    permission,
    load: (ctx, { id }) => historyCard(ctx, Number(id)),
  },
  { slot: 'client.dialog', widget: 'client-dialog', order: 10, permission, load: clientDialog },
  {
    slot: 'client.timeline',
    order: 20,
    permission,
    load: (ctx, { id, rows = '50' }) => timelineOf(ctx, Number(id), Number(rows)),
  },
  { slot: 'client.row', order: 10, permission, load: (ctx, { ids = '' }) => factsOf(ctx, ids) },
  { slot: 'client.product', order: 10, permission: 'billing:product:read', load: productChoices },
  { slot: 'client.menu', order: 10, permission: 'billing:purchase:write', load: async () => places },
]

const places: ClientPlace[] = [{ label: 'Add Purchase', icon: 'shopping-bag', dialog: 'purchase', on: 'menu' }]
const shown = 3

/** Completed purchases of the coach's month, and how that compares with the same days of the month before. */
async function revenue(ctx: Ctx) {
  const { timezone } = ctx.account
  const { now, before, until } = await revenueOfTwoMonths(ctx)
  const [month, day] = dayOf(new Date(until.getTime() - 1), timezone).split(/[ ,]/)
  return {
    amount: formatCents(now, { cents: 'needed' }),
    fact: compared(now, before, `${month} 1${day === '1' ? '' : `–${day}`}`),
    month: dateOf(ctx.now(), timezone).slice(0, 7),
  }
}
export type Revenue = Awaited<ReturnType<typeof revenue>>

/** `then`: the same days of the month before, such as 'Feb 1–10'. */
function compared(now: number, before: number, then: string): string {
  const difference = formatCents(Math.abs(now - before), { cents: 'needed' })
  if (now === before) return now ? `as much as ${then}` : 'none yet this month'
  if (!before) return `none in ${then}`
  return `${difference} ${now > before ? 'above' : 'below'} ${then}`
}

async function firstProduct(ctx: Ctx): Promise<FirstStep> {
  const [had] = await ctx.rows<{ done: boolean }>({
    name: 'billing.had-product',
    text: 'select exists (select from product) as done',
  })
  return {
    title: 'Create a product',
    text: 'What you sell: a package, a retainer, one session.',
    ...had!,
    to: '/products?dialog=add',
    call: 'Add Product',
  }
}

async function productChoices(ctx: Ctx): Promise<ProductChoice[]> {
  return (await productsForSale(ctx)).map(({ id, name, price }) => ({
    value: String(id),
    label: `${name}, ${priceWords(price)}`,
  }))
}

async function historyCard(ctx: Ctx, clientId: number) {
  const { purchases, totals } = await purchaseHistory(ctx, clientId, { rows: shown })
  return {
    clientId,
    more: totals.count - purchases.length,
    totals: shownTotals(totals),
    purchases: purchases.map((purchase) => shownPurchase(ctx, purchase)),
  }
}
export type HistoryCard = Awaited<ReturnType<typeof historyCard>>

/** The dialog that the address of a client's page, or of the list, asks for; null when it is none of ours. */
async function clientDialog(ctx: Ctx, { dialog, id, purchase }: Record<string, string | undefined>) {
  if (dialog === 'edit-purchase') return { kind: 'edit', dialog: await editDialog(ctx, parseId(purchase)) } as const
  if (dialog !== 'purchase') return null
  const [client] = await clientNames(ctx, [parseId(id)])
  return client && !client.inTrash ? ({ kind: 'record', dialog: await recordDialog(ctx, client) } as const) : null
}
export type ClientDialog = Awaited<ReturnType<typeof clientDialog>>

async function timelineOf(ctx: Ctx, clientId: number, rows: number): Promise<TimelineEntry[]> {
  const purchases = await purchasesByDate(ctx, { clientId, rows })
  return purchases.map(({ id, productName, amount, status, paymentMethod, notes, purchasedAt }) => ({
    key: `purchase ${id}`,
    at: purchasedAt,
    kind: 'purchase',
    title: `${productName}, ${formatCents(amount)}`,
    text: asMarkup(
      [
        `${status.charAt(0).toUpperCase()}${status.slice(1)}, ${insideSentence(purchaseFields.paymentMethod.choices[paymentMethod])}`,
        notes,
      ]
        .filter(Boolean)
        .join('. '),
    ),
    to: `/clients/${clientId}?dialog=edit-purchase&purchase=${id}`,
  }))
}

async function factsOf(ctx: Ctx, ids: string): Promise<ClientFactsById> {
  const rows = await latestProducts(ctx, ids.split(',').map(Number).filter(Boolean))
  return Object.fromEntries(rows.map(({ clientId, productName }) => [clientId, { latestProduct: productName }]))
}
