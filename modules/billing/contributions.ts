import { escapeMarkup } from '#app/lib/markup.ts'
import { formatMoney } from '#app/lib/money.ts'
import { parseId } from '#app/lib/url.ts'
import { localDate, formatDate } from '#app/lib/time.ts'
import {
  listClientNames,
  type ClientFactsById,
  type ClientFilter,
  type ClientLink,
  type ProductOption,
  type TimelineEntry,
} from '#modules/crm/index.ts'
import type { Contribution, OnboardingStep, PublicLink, QuickAction, TodayPart } from '#modules/core/manifest.ts'
import { readPreparation } from '#modules/core/slots.ts'
import type { Ctx } from '#tenants/context.ts'
import {
  getEditPurchaseDialog,
  getClientPurchaseDialog,
  toPurchaseView,
  toTotalsView,
} from './purchases-loader.server.ts'
import { listProductsForSale } from './queries/products.ts'
import {
  boughtProduct,
  listBoughtProducts,
  listLatestProducts,
  getPurchaseHistory,
  listPurchasesByDate,
  getRevenueComparison,
} from './queries/purchases.ts'
import { listInvoiceTimeline } from './queries/timeline.ts'
import { listInvoicesPage } from './queries/invoices.ts'
import { paymentsUrl } from './list-state.ts'
import { purchaseFields } from './fields.ts'
import { formatPrice, formatSessionsLeft, lowercaseMethod } from './format.ts'
import { describeSessionsLeft, listPackages } from './packages/packages.ts'
import type { PurchaseRecord } from './records.ts'
import { loadHomeProducts } from './sales/online-sale.server.ts'
import { loadPortalInvoices, portalPage } from './portal.ts'

const permission = 'billing:purchase:read'

export const contributions: Contribution[] = [
  {
    slot: 'portal.home',
    widget: 'portal-invoices',
    order: 20,
    permission: 'client:invoice:read',
    load: loadPortalInvoices,
  },
  { slot: 'portal.page', order: 60, permission: 'client:invoice:read', load: portalPage },
  { slot: 'dashboard.stat', widget: 'revenue', order: 30, permission, load: loadRevenue },
  { slot: 'today', order: 60, permission: 'billing:invoice:read', load: loadOverdue },
  { slot: 'session.preparation', order: 5, permission, load: loadPreparation },
  { slot: 'dashboard.step', order: 20, permission: 'billing:product:write', load: loadOnboardingStep },
  {
    slot: 'client.card',
    widget: 'purchase-history',
    order: 20,
    permission,
    load: (ctx, { id }) => loadHistoryCard(ctx, Number(id)),
  },
  {
    slot: 'client.card',
    widget: 'packages',
    order: 15,
    permission,
    load: (ctx, { id }) => loadPackages(ctx, Number(id)),
  },
  // Without a permission: also for the visitor whose sessions they are.
  { slot: 'client.sessions-left', order: 10, load: (ctx, { ids = '' }) => describeSessionsLeft(ctx, parseIds(ids)) },
  { slot: 'client.dialog', widget: 'client-dialog', order: 10, permission, load: loadClientDialog },
  {
    slot: 'client.timeline',
    order: 20,
    permission,
    load: (ctx, { id, rows = '50' }) => loadTimeline(ctx, Number(id), Number(rows)),
  },
  {
    slot: 'client.timeline',
    order: 21,
    permission: 'billing:invoice:read',
    load: (ctx, { id, rows = '50' }) => listInvoiceTimeline(ctx, Number(id), Number(rows)),
  },
  { slot: 'client.row', order: 10, permission, load: (ctx, { ids = '' }) => loadClientFacts(ctx, ids) },
  { slot: 'client.filter', order: 10, permission, load: async (ctx) => productFilter(ctx) },
  { slot: 'client.product', order: 10, permission: 'billing:product:read', load: loadProductOptions },
  { slot: 'dashboard.action', order: 40, permission: 'billing:invoice:write', load: async () => createInvoiceAction },
  {
    slot: 'settings.pane',
    widget: 'billing-settings',
    order: 25,
    permission: 'billing:invoice:write',
    load: async () => ({}),
  },
  { slot: 'payments.link', order: 0, permission: 'billing:invoice:read', load: async () => invoicesTab },
  { slot: 'payments.link', order: 20, permission: 'billing:sale:read', load: async () => linksTab },
  { slot: 'home.link', order: 20, load: getShopLink },
  { slot: 'home.offer', order: 20, load: loadHomeProducts },
  { slot: 'client.menu', order: 10, permission: 'billing:purchase:write', load: async () => rowLinks },
]

async function getShopLink(ctx: Ctx): Promise<PublicLink | null> {
  const [row] = await ctx.query<{ found: boolean }>({
    name: 'billing.any-public-product',
    text: `select exists (select 1 from product
      where coach_id = $1 and deleted_at is null and is_active and online_sale = 'public') as found`,
    values: [ctx.coachId],
  })
  return row!.found ? { label: 'Programs and prices', to: '/buy' } : null
}

const invoicesTab: PublicLink = { label: 'Invoices', to: '/payments' }
const linksTab: PublicLink = { label: 'Payment Links', to: '/payments/links' }

const rowLinks: ClientLink[] = [
  { label: 'Add Purchase', icon: 'shopping-bag', dialog: 'purchase', placement: 'menu' },
  { label: 'Payment Link', icon: 'credit-card', to: '/payments/links?client={id}', placement: 'menu-and-details' },
  { label: 'Payments', icon: 'credit-card', to: '/payments?client={id}', placement: 'card' },
]
const createInvoiceAction: QuickAction = { label: 'Create Invoice', to: '/payments?dialog=create', icon: 'credit-card' }
const cardRows = 3

/** Completed purchases of the current month, compared with the same days of the previous month. */
async function loadRevenue(ctx: Ctx) {
  const { timezone } = ctx.account
  const { now, before, until } = await getRevenueComparison(ctx)
  const [month, day] = formatDate(new Date(until.getTime() - 1), timezone).split(/[ ,]/)
  return {
    amount: formatMoney(now, ctx.account.currency, { cents: 'needed' }),
    detail: formatComparison({ now, before }, `${month} 1${day === '1' ? '' : `–${day}`}`, ctx.account.currency),
    month: localDate(ctx.now(), timezone).slice(0, 7),
  }
}
export type RevenueData = Awaited<ReturnType<typeof loadRevenue>>

/** Amounts in cents. `period`: the same days of the previous month, such as 'Feb 1–10'. */
function formatComparison({ now, before }: { now: number; before: number }, period: string, currency: string): string {
  const difference = formatMoney(Math.abs(now - before), currency, { cents: 'needed' })
  if (now === before) return now ? `as much as ${period}` : 'none yet this month'
  if (!before) return `none in ${period}`
  return `${difference} ${now > before ? 'more' : 'less'} than ${period}`
}

async function loadOnboardingStep(ctx: Ctx): Promise<OnboardingStep> {
  const [row] = await ctx.query<{ done: boolean }>({
    name: 'billing.any-product',
    text: 'select exists (select 1 from product where coach_id = $1) as done',
    values: [ctx.coachId],
  })
  return {
    title: 'Create a product',
    text: 'Add what you sell: a package, a retainer, a single session.',
    ...row!,
    to: '/products?dialog=add',
    buttonLabel: 'Add Product',
  }
}

async function loadProductOptions(ctx: Ctx): Promise<ProductOption[]> {
  return (await listProductsForSale(ctx)).map(({ id, name, price }) => ({
    value: String(id),
    label: `${name}, ${formatPrice(price, ctx.account.currency)}`,
  }))
}

async function loadHistoryCard(ctx: Ctx, clientId: number) {
  const { purchases, totals } = await getPurchaseHistory(ctx, clientId, { rows: cardRows })
  return {
    clientId,
    more: totals.count - purchases.length,
    totals: toTotalsView(totals, ctx.account.currency),
    purchases: purchases.map((purchase) => toPurchaseView(ctx, purchase)),
  }
}
export type HistoryCardData = Awaited<ReturnType<typeof loadHistoryCard>>

const parseIds = (ids: string): number[] => ids.split(',').map(Number).filter(Boolean)

/** The packages with sessions left; without any, the last one. */
async function loadPackages(ctx: Ctx, clientId: number) {
  const packages = await listPackages(ctx, clientId)
  const open = packages.filter(({ left }) => left > 0)
  return (open.length ? open : packages.slice(-1)).map(
    ({ purchaseId, productName, purchasedAt, sessionCount, left }) => ({
      purchaseId,
      productName,
      date: formatDate(purchasedAt, ctx.account.timezone),
      left: formatSessionsLeft({ left, count: sessionCount }),
      percent: (left / sessionCount) * 100,
    }),
  )
}
export type PackagesCardData = Awaited<ReturnType<typeof loadPackages>>

/** The dialog in the URL of a page of clients; null if it isn't one of this module. */
async function loadClientDialog(ctx: Ctx, { dialog, id, purchase }: Record<string, string | undefined>) {
  if (dialog === 'edit-purchase')
    return { kind: 'edit', dialog: await getEditPurchaseDialog(ctx, parseId(purchase)) } as const
  if (dialog !== 'purchase') return null
  const [client] = await listClientNames(ctx, [parseId(id)])
  return client && !client.inTrash
    ? ({ kind: 'record', dialog: await getClientPurchaseDialog(ctx, client) } as const)
    : null
}
export type ClientDialogData = Awaited<ReturnType<typeof loadClientDialog>>

async function loadTimeline(ctx: Ctx, clientId: number, rows: number): Promise<TimelineEntry[]> {
  const purchases = await listPurchasesByDate(ctx, { clientId, rows })
  return purchases.map((purchase) => ({
    key: `purchase ${purchase.id}`,
    at: purchase.purchasedAt,
    kind: 'purchase',
    title: `${purchase.productName}, ${formatMoney(purchase.amount, ctx.account.currency)}`,
    text: escapeMarkup(describePurchase(purchase)),
    to: `/clients/${clientId}?dialog=edit-purchase&purchase=${purchase.id}`,
  }))
}

function describePurchase({ status, paymentMethod, notes }: PurchaseRecord): string {
  const { choices } = purchaseFields.paymentMethod
  const payment = `${purchaseFields.status.choices[status]}, ${lowercaseMethod(choices[paymentMethod])}`
  return notes ? `${payment}. ${notes}` : payment
}

/** Clients who bought a product, unless it was refunded or failed. */
const productFilter = (ctx: Ctx): ClientFilter => ({
  name: 'product',
  label: 'Product',
  choices: () => listBoughtProducts(ctx),
  condition: (value) => {
    const id = parseId(value)
    return id ? { name: 'product', value: id, sql: boughtProduct } : null
  },
})

async function loadClientFacts(ctx: Ctx, ids: string): Promise<ClientFactsById> {
  const rows = await listLatestProducts(ctx, parseIds(ids))
  return Object.fromEntries(rows.map(({ clientId, productName }) => [clientId, { latestProduct: productName }]))
}

/** The sessions that are left in packages, and the invoices that are open. */
async function loadPreparation(ctx: Ctx, params: Record<string, string | undefined>): Promise<TodayPart | null> {
  const { clientId } = readPreparation(params)
  const [packages, open] = await Promise.all([
    loadPackages(ctx, clientId),
    ctx.can('billing:invoice:read')
      ? listInvoicesPage(ctx, { q: '', status: 'unpaid', client: clientId, page: 1 })
      : { invoices: [], count: 0 },
  ])
  const sessions = packages.map(({ purchaseId, productName, left }) => ({
    key: `package ${purchaseId}`,
    title: left,
    detail: productName,
    to: `/clients/${clientId}?dialog=edit-purchase&purchase=${purchaseId}`,
  }))
  const invoices = open.invoices.slice(0, cardRows).map(({ id, number, status, balance, currency }) => ({
    key: `invoice ${id}`,
    title: `${formatMoney(balance, currency)} open`,
    detail: `Invoice ${number ?? ''}`.trim(),
    to: paymentsUrl.href({ dialog: 'invoice', invoice: id }),
    isLate: status === 'overdue',
  }))
  const items = [...sessions, ...invoices]
  if (!items.length) return null
  const more =
    open.count > invoices.length
      ? { label: `All ${open.count} open invoices`, to: paymentsUrl.href({ status: 'unpaid', client: clientId }) }
      : null
  return { title: 'Sessions and money', items, more }
}

const overdueRows = 10

async function loadOverdue(ctx: Ctx): Promise<TodayPart | null> {
  const { invoices, count } = await listInvoicesPage(ctx, { q: '', status: 'overdue', client: null, page: 1 })
  if (!invoices.length) return null
  const items = invoices.slice(0, overdueRows).map(({ id, number, clientName, balance, currency }) => ({
    key: String(id),
    title: `Invoice ${number ?? ''}`.trim(),
    detail: [clientName, `${formatMoney(balance, currency)} due`].filter(Boolean).join(', '),
    to: paymentsUrl.href({ dialog: 'invoice', invoice: id }),
    isLate: true,
  }))
  const more =
    count > items.length
      ? { label: `All ${count} overdue invoices`, to: paymentsUrl.href({ status: 'overdue' }) }
      : null
  return { title: 'Overdue invoices', items, more }
}
