import { z } from 'zod'
import { vendorOperation, type Operation } from '#tenants/api/operation.ts'
import { openPortal, startCheckout } from './checkout.ts'

const tags = ['Subscription']
const paidPlans = ['pro', 'premium'] as const
const Address = z.object({ url: z.url().describe('The address at Stripe to send the coach to') })

export const operations: Operation[] = [
  vendorOperation({
    method: 'post',
    path: '/subscription/checkout',
    ofPlan: true,
    tags,
    summary: 'Begin to pay for a plan',
    description: 'With a subscription, the address is where the coach confirms the change. 409 on this plan already.',
    body: z.object({ plan: z.enum(paidPlans, 'Choose pro or premium') }),
    answers: { 200: Address },
    refusals: [409, 502, 503],
    handle: async (ctx, { body }) => ({ url: await startCheckout(ctx, body.plan, ctx.platform.config.origin) }),
  }),
  vendorOperation({
    method: 'post',
    path: '/subscription/portal',
    ofPlan: true,
    tags,
    summary: 'Open the customer portal',
    description: 'To change the card or the plan, to cancel, and for receipts. 409 without a subscription.',
    answers: { 200: Address },
    refusals: [409, 502, 503],
    handle: async (ctx) => ({ url: await openPortal(ctx, { origin: ctx.platform.config.origin }) }),
  }),
]
