import { z } from 'zod'
import { parseId } from '#app/lib/url.ts'
import { cents, id } from '#app/lib/zod-types.ts'
import { getProduct } from '#modules/billing/index.ts'
import { getClient } from '#modules/crm/index.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { listNewest, type Filter, type Page } from '#tenants/api/list-newest.ts'
import { operation, vendorOperation, type Operation } from '#tenants/api/operation.ts'
import { listOperation, resource } from '#tenants/api/resource.ts'
import { requireStripe } from '../vendor/client.ts'
import {
  cancelAtPeriodEnd,
  cancelNow,
  changePrice,
  getSubscription,
  keepSubscription,
  pauseSubscription,
  resumeSubscription,
  sendOffer,
  withdrawOffer,
} from './manage.ts'
import { changeProduct } from './change-product.ts'
import { createSubscription } from './offer.ts'
import { subscriptionColumns, type Subscription } from './queries.ts'
import {
  ChargeOut,
  chargeSelect,
  SubscriptionOut,
  toSubscriptionRecord,
  type ChargeRecord,
  type SubscriptionRecord,
} from './records.ts'

const tag = 'Client subscriptions'
const ofClient = { clientId: z.string().optional().describe('Only those of this client.') }
const NewSubscription = z.object({ clientId: id('Client is required'), productId: id('Please select a product') })

/** A change that Stripe makes first. */
const change = <B extends z.ZodType | undefined = undefined>(
  name: string,
  summary: string,
  run: (ctx: Ctx, id: number, input: B extends z.ZodType ? z.output<B> : undefined) => Promise<void>,
  body?: B,
): Operation =>
  vendorOperation({
    method: 'post',
    path: `/subscriptions/{id}/${name}`,
    tags: [tag],
    summary,
    ...(body ? { body } : {}),
    answers: { 200: SubscriptionOut },
    refusals: [409, 502],
    find: (ctx, { id: subscription }) => getSubscription(ctx, subscription!),
    handle: async (ctx, { params, body: input }) => {
      await run(ctx, params.id!, input as never)
      return getRecord(ctx, params.id!)
    },
  })

export const operations: Operation[] = [
  ...resource({
    path: '/subscriptions',
    tag,
    noun: 'subscription of a client',
    output: SubscriptionOut,
    get: getRecord,
    list: {
      summary: 'List the subscriptions of clients',
      description: 'Products that clients pay in installments or again and again, newest first.',
      query: z.object(ofClient),
      run: listRecords,
    },
  }),
  vendorOperation({
    method: 'post',
    path: '/subscriptions',
    tags: [tag],
    summary: 'Offer a client a product that is paid in installments or again and again',
    description: 'The client begins on the page at `url`. 409 while clients can’t pay by card.',
    body: NewSubscription,
    answers: { 201: SubscriptionOut },
    refusals: [409, 503],
    handle: async (ctx, { body }) => {
      await getClient(ctx, body.clientId)
      await getProduct(ctx, body.productId)
      requireStripe(ctx.platform.config)
      return getRecord(ctx, await ctx.write((tx) => createSubscription(tx, body)))
    },
  }),
  operation({
    method: 'post',
    path: '/subscriptions/{id}/send',
    tags: [tag],
    summary: 'Email the client the link of an offer',
    answers: { 200: SubscriptionOut },
    refusals: [403, 409],
    find: (ctx, { id: subscription }) => getSubscription(ctx, subscription!),
    handle: async (ctx, { params }) => {
      await sendOffer(ctx, params.id!)
      return getRecord(ctx, params.id!)
    },
  }),
  change('withdraw', 'Withdraw an offer', withdrawOffer),
  change('pause', 'Pause a subscription: nothing is charged until it is resumed', pauseSubscription),
  change('resume', 'Resume a paused subscription', resumeSubscription),
  change(
    'cancel',
    'Cancel a subscription, at the end of the period that is paid for or at once',
    (ctx, subscription, { atPeriodEnd }) => (atPeriodEnd ? cancelAtPeriodEnd : cancelNow)(ctx, subscription),
    z.object({ atPeriodEnd: z.boolean().default(true) }),
  ),
  change('keep', 'Keep a subscription that was to end with its period', keepSubscription),
  change(
    'price',
    'Change the price of a period, from the next charge on',
    (ctx, subscription, { amount }) => changePrice(ctx, subscription, amount),
    z.object({ amount: cents() }),
  ),
  change(
    'product',
    'Change to another recurring product that is paid as often, with the next charge or now',
    changeProduct,
    z.object({
      productId: id('Please select a product'),
      when: z
        .enum(['next', 'now'])
        .default('next')
        .describe('`now`: the client pays the difference for the rest of the period at once, or nothing changes.'),
    }),
  ),
  listOperation({
    tags: [tag],
    path: '/subscription-charges',
    summary: 'List the charges of subscriptions',
    description: 'Each installment or period that Stripe has charged, or tries to, newest first.',
    output: ChargeOut,
    query: z.object({
      subscriptionId: z.string().optional().describe('Only those of this subscription.'),
      ...ofClient,
    }),
    run: (ctx, page, query) => listCharges(ctx, page, query),
    toCursor: ({ createdAt, id: charge }) => ({ at: createdAt, id: charge }),
  }),
]

async function getRecord(ctx: Ctx, subscription: number): Promise<SubscriptionRecord> {
  return toSubscriptionRecord(ctx, await getSubscription(ctx, subscription))
}

type Parents = { clientId?: string | undefined; subscriptionId?: string | undefined }

async function listRecords(ctx: Ctx, page: Page, query: Parents): Promise<SubscriptionRecord[]> {
  authorize(ctx, 'stripe:subscription:read')
  const rows = await listNewest<Subscription>(ctx, {
    name: 'stripe.subscriptions',
    select: subscriptionColumns,
    from: 'stripe_subscription s',
    time: 's.created_at',
    id: 's.id',
    where: { client: await filterByClient(ctx, query), begun: 's.buyer_email is null' },
    ...page,
  })
  return rows.map((row) => toSubscriptionRecord(ctx, row))
}

async function listCharges(ctx: Ctx, page: Page, query: Parents): Promise<ChargeRecord[]> {
  authorize(ctx, 'stripe:subscription:read')
  const { subscriptionId } = query
  return listNewest<ChargeRecord>(ctx, {
    name: 'stripe.charges',
    select: chargeSelect,
    from: 'stripe_charge charge join stripe_subscription s on s.coach_id = $1 and s.id = charge.subscription_row_id',
    time: 'charge.created_at',
    id: 'charge.id',
    where: {
      client: await filterByClient(ctx, query),
      subscription: subscriptionId !== undefined && [
        's.id = ?',
        (await getSubscription(ctx, parseId(subscriptionId))).id,
      ],
    },
    ...page,
  })
}

/** Throws not_found for an unknown client. */
const filterByClient = async (ctx: Ctx, { clientId }: Parents): Promise<Filter> =>
  clientId !== undefined && ['s.client_id = ?', (await getClient(ctx, parseId(clientId))).id]
