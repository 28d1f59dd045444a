import type { Ctx } from '#tenants/context.ts'
import type { Platform, TenantTransaction } from '#tenants/platform.ts'

/**
 * The events that are sent to other programs for coaches, as administrators see them: where, when and with which result,
 * never with their content or the response.
 */
export type DeliveryLog = {
  /**
   * The deliveries of all coaches in a state, newest first, before the one with the id `after`. `q`: part of the coach's
   * name, email or business name; of a complete email, that coach alone. `ctx`: an administrator's.
   */
  list: (ctx: Ctx, page: DeliveryPage) => Promise<LoggedDelivery[]>
  /**
   * Sends a failed delivery of the coach whose transaction it is once more. Returns its event and host. Throws
   * not_found, and conflict if it isn't failed any more, is on its way, or nothing may be sent there.
   */
  retry: (tx: TenantTransaction, delivery: { platform: Platform; coachId: number; id: number }) => Promise<string>
}
export type DeliveryPage = { state: LoggedDeliveryState; q: string; after: number | null; rows: number }
export type LoggedDeliveryState = 'failed' | 'pending' | 'delivered'
/** `host`: of the address. `coachEmail`: null for a coach who was removed. `problem`: a sentence without content. */
export type LoggedDelivery = {
  id: number
  coachId: number
  coachEmail: string | null
  event: string
  host: string
  state: LoggedDeliveryState
  attempts: number
  responseStatus: number | null
  problem: string | null
  createdAt: string
  attemptedAt: string | null
  nextAttemptAt: string | null
  canRetry: boolean
}
