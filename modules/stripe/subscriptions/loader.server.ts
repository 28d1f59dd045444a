import { AppError } from '#app/lib/errors.ts'
import { formatInput, formatMoney } from '#app/lib/money.ts'
import { formatDate } from '#app/lib/time.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import { listProducts, type ProductRecord } from '#modules/billing/index.ts'
import { listClientNames, listClientOptions } from '#modules/crm/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { findReadyAccount } from '../queries/account.ts'
import { canChangeProduct, isReplacement, previewChange } from './change-product.ts'
import { getSubscriptionUrl } from './link.ts'
import { pageSize, type SubscriptionListState } from './list-state.ts'
import { findSubscription, listSubscriptions, type Subscription } from './queries.ts'
import { toTerms } from './offer.ts'
import { describeProgress, describeTerms } from './terms.ts'

/** A page of subscriptions, newest first. */
export async function getSubscriptionsPage(ctx: Ctx, { client: clientId, page }: SubscriptionListState) {
  const [{ subscriptions, count }, isReady, [client]] = await Promise.all([
    listSubscriptions(ctx, { clientId, rows: pageSize, skip: (page - 1) * pageSize }),
    findReadyAccount(ctx).then(Boolean),
    clientId === null ? [] : listClientNames(ctx, [clientId]),
  ])
  return { rows: await toRows(ctx, subscriptions), count, isReady, client: client ?? null }
}

async function toRows(ctx: Ctx, subscriptions: Subscription[]) {
  const clients = await listClientNames(
    ctx,
    subscriptions.flatMap(({ clientId }) => clientId ?? []),
  )
  return subscriptions.map((subscription) => ({
    id: subscription.id,
    state: subscription.state,
    clientId: subscription.clientId,
    clientName: clients.find(({ id }) => id === subscription.clientId)?.name ?? 'Deleted client',
    product: subscription.productName,
    terms: describeTerms(subscription),
    progress: describeProgress(subscription),
    next: describeNext(ctx, subscription),
  }))
}
export type SubscriptionListRow = Awaited<ReturnType<typeof toRows>>[number]

/** 'Next charge on Mar 10, 2026', or why there is none. */
function describeNext({ account }: Ctx, { state, cancelsAtPeriodEnd, nextChargeAt, endedAt }: Subscription): string {
  if (endedAt) return `Ended on ${formatDate(endedAt, account.timezone)}`
  if (cancelsAtPeriodEnd) return 'Ends with the period that is paid for'
  if (nextChargeAt) return `Next charge on ${formatDate(nextChargeAt, account.timezone)}`
  return state === 'offered' ? 'The client hasn’t paid yet' : 'Nothing more is charged now'
}

type ChargeRow = {
  id: number
  part: number
  state: string
  amount: number
  next: string | null
  invoiceId: number | null
}

/** A subscription with its charges; null if it doesn't exist. */
export async function getSubscriptionView(ctx: Ctx, id: number) {
  const subscription = await findSubscription(ctx, 'id', id)
  if (!subscription || subscription.buyerEmail !== null) return null
  const [[row], charges] = await Promise.all([toRows(ctx, [subscription]), listCharges(ctx, id)])
  const { state, kind, cancelsAtPeriodEnd, amount, currency } = subscription
  const isRunning = ['active', 'paused', 'past_due', 'unpaid'].includes(state)
  return {
    ...row!,
    amount: formatInput(amount, currency),
    url: state === 'offered' ? getSubscriptionUrl(ctx, id) : null,
    charges: charges.map((charge) => toChargeView(ctx, charge, currency)),
    can: {
      send: state === 'offered',
      withdraw: state === 'offered',
      pause: (state === 'active' || state === 'past_due') && !cancelsAtPeriodEnd,
      resume: state === 'paused',
      changeProduct: canChangeProduct(subscription),
      changePrice: isRunning && kind === 'recurring',
      cancel: isRunning,
      keep: isRunning && cancelsAtPeriodEnd,
    },
  }
}
export type SubscriptionView = NonNullable<Awaited<ReturnType<typeof getSubscriptionView>>>

const listCharges = (ctx: Ctx, id: number): Promise<ChargeRow[]> =>
  ctx.query({
    name: 'stripe.subscription-charges',
    text: `select id, part, state, amount, invoice_id as "invoiceId",
        ${isoTimestamp('next_attempt_at')} as next from stripe_charge
      where coach_id = $1 and subscription_row_id = $2 order by stripe_charge.created_at desc, id desc limit 100`,
    values: [ctx.coachId, id],
  })

function toChargeView({ account }: Ctx, { id, part, state, amount, next, invoiceId }: ChargeRow, currency: string) {
  const failed = next ? `Failed, tried again on ${formatDate(next, account.timezone)}` : 'Failed, not tried again'
  const label = state === 'paid' ? 'Paid' : state === 'void' ? 'Void' : failed
  return { id, part, label, amount: formatMoney(amount, currency), invoiceId }
}

/** Most clients that the dialog lists. Beyond that, the user searches. */
const maxClients = 100

/** The dialog New Subscription. `client`: the one that is chosen already. */
export async function getNewSubscriptionDialog(ctx: Ctx, clientSearch: string, client: number | null) {
  const [clients, products] = await Promise.all([
    listClientOptions(ctx, { q: clientSearch, rows: maxClients + 1 }),
    listProducts(ctx),
  ])
  const listed = clients.slice(0, maxClients)
  const [chosen] = client && !listed.some(({ id }) => id === client) ? await listClientNames(ctx, [client]) : []
  return {
    clients: chosen && !chosen.inTrash ? [{ id: chosen.id, name: chosen.name }, ...listed] : listed,
    hasMore: clients.length > maxClients,
    clientSearch,
    clientId: client ? String(client) : '',
    products: products
      .filter(({ isActive, paymentType }) => isActive && paymentType !== 'one_time')
      .map(({ id, name }) => ({ value: String(id), label: name })),
  }
}
export type NewSubscriptionData = Awaited<ReturnType<typeof getNewSubscriptionDialog>>

const cardRows = 3

/** The latest subscriptions on a client's page; null without any. */
export async function getClientCard(ctx: Ctx, clientId: number) {
  const { subscriptions, count } = await listSubscriptions(ctx, { clientId, rows: cardRows, skip: 0 })
  return count ? { clientId, rows: await toRows(ctx, subscriptions), more: count - subscriptions.length } : null
}
export type SubscriptionsCardData = Awaited<ReturnType<typeof getClientCard>>

/** The dialog that changes the product: the choice, and what the client pays for the one that is chosen. */
export async function getChangeView(ctx: Ctx, id: number, productId: number | null) {
  const subscription = await findSubscription(ctx, 'id', id)
  if (!subscription || !canChangeProduct(subscription)) return null
  const products = (await listProducts(ctx)).filter((one) => one.isActive && isReplacement(subscription, one))
  const product = products.find((one) => one.id === productId)
  return {
    products: products.map((one) => ({ value: String(one.id), label: `${one.name}, ${formatProductTerms(ctx, one)}` })),
    chosen: product ? await describeChange(ctx, subscription, product) : null,
  }
}
export type ChangeView = NonNullable<Awaited<ReturnType<typeof getChangeView>>>

const formatProductTerms = (ctx: Ctx, product: ProductRecord): string =>
  describeTerms(toTerms(product, ctx.account.currency)!)

async function describeChange(ctx: Ctx, subscription: Subscription, product: ProductRecord) {
  const { id, currency, nextChargeAt } = subscription
  const next = nextChargeAt ? formatDate(nextChargeAt, ctx.account.timezone) : null
  const preview = await previewChange(ctx, id, product.id).catch((error: unknown) => {
    if (error instanceof AppError) return { due: null, at: 0, failure: error.message }
    throw error
  })
  return {
    id: product.id,
    name: product.name,
    price: formatProductTerms(ctx, product),
    next,
    now: preview.due === null ? null : { due: formatMoney(preview.due, currency), at: preview.at },
    failure: 'failure' in preview ? preview.failure : null,
  }
}
