import type { Ctx } from '#tenants/context.ts'
import type { Platform } from '#tenants/platform.ts'
import { applySession } from './checkout.ts'
import { forgetAccount, syncAccount } from './connect.ts'
import { applyDispute } from './disputes.ts'
import { findOrBookPayment } from './payments.ts'
import { applyChargeRefunds, applyRefund } from './refunds.ts'
import { findCustomerCoach, syncPlan } from '../plan/sync.ts'
import { applySubscriptionSession } from '../subscriptions/checkout.ts'
import { applyInvoice, applySchedule } from '../subscriptions/events.ts'
import { syncSubscription } from '../subscriptions/sync.ts'
import type { ReceivedEvent } from './webhooks.ts'

/** `accountId`: null for the platform's own account. */
export type StoredEvent = { id: number; accountId: string | null; type: string; objectId: string }

/**
 * Fetches what the event is about and makes our records agree with it, outside of a transaction. Events come repeated,
 * late and in any order. Throws StripeError.
 */
export type EventHandler = (ctx: Ctx, event: StoredEvent) => Promise<void>

/** By the type of event, or by the part before its last dot. */
const accountHandlers: Record<string, EventHandler> = {
  'v2.core.account[requirements].updated': syncAccount,
  'v2.core.account[configuration.merchant].capability_status_updated': syncAccount,
  'v2.core.account.closed': syncAccount,
  'checkout.session': async (ctx, { objectId, accountId }) => {
    if (!(await applySubscriptionSession(ctx, objectId, accountId!))) await applySession(ctx, objectId, accountId!)
  },
  'customer.subscription': (ctx, { objectId, accountId }) =>
    syncSubscription(ctx, { subscriptionId: objectId, accountId: accountId! }),
  invoice: (ctx, { objectId, accountId }) => applyInvoice(ctx, objectId, accountId!),
  // Its payment page or its charge: what is paid in the meantime is booked, too.
  'payment_intent.payment_failed': async (ctx, { objectId, accountId }) =>
    void (await findOrBookPayment(ctx, objectId, accountId!)),
  subscription_schedule: (ctx, { objectId, accountId }) => applySchedule(ctx, objectId, accountId!),
  refund: (ctx, { objectId, accountId }) => applyRefund(ctx, objectId, accountId!),
  'charge.refunded': (ctx, { objectId, accountId }) => applyChargeRefunds(ctx, objectId, accountId!),
  'charge.dispute': (ctx, { objectId, accountId }) => applyDispute(ctx, objectId, accountId!),
  // Nothing can be fetched any more: it is believed.
  'account.application.deauthorized': (ctx, { accountId }) => ctx.write((tx) => forgetAccount(tx, accountId!)),
}

const syncOwnPlan: EventHandler = async ({ platform, coachId }) => void (await syncPlan(platform, coachId))

/** Events of the platform's own account: of the coaches' plans. */
const platformHandlers: Record<string, EventHandler> = {
  'checkout.session': syncOwnPlan,
  'customer.subscription': syncOwnPlan,
  invoice: syncOwnPlan,
}

export function findHandler({ accountId, type }: Pick<StoredEvent, 'accountId' | 'type'>): EventHandler | undefined {
  const handlers = accountId === null ? platformHandlers : accountHandlers
  return handlers[type] ?? handlers[type.slice(0, type.lastIndexOf('.'))]
}

export const isHandled = (event: Pick<StoredEvent, 'accountId' | 'type'>): boolean => findHandler(event) !== undefined

/** The coach who is a customer of the platform; null for other customers. */
export const findPlatformCoach = (platform: Platform, { customerId }: ReceivedEvent): Promise<number | null> =>
  findCustomerCoach(platform, customerId)
