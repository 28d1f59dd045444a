import { isoTimestamp } from '#db/read-pool.ts'
import { AppError } from '#app/lib/errors.ts'
import type { DeliveryLog, LoggedDelivery } from '#modules/core/delivery-log.ts'
import { hasModule } from '#modules/core/switched-off.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import type { Platform, TenantTransaction } from '#tenants/platform.ts'
import { testEvent } from '../fields.ts'
import { deliveryNotFound, enqueueAttempts, findEndpointForUpdate, lockUnclaimed } from './deliveries.ts'

/** The deliveries of all coaches, which the database returns to administrators alone. */
export const deliveryLog: DeliveryLog = {
  async list(ctx, { state, q, after, rows }) {
    const deliveries = await ctx.query<LoggedDelivery>({
      name: 'webhooks.delivery-log',
      text: `select id, coach_id as "coachId", coach_email as "coachEmail", event, host, state, attempts,
          response_status as "responseStatus", problem, ${isoTimestamp('created_at')} as "createdAt",
          ${isoTimestamp('attempted_at')} as "attemptedAt", ${isoTimestamp('next_attempt_at')} as "nextAttemptAt",
          can_retry as "canRetry"
        from list_webhook_deliveries($1, $2, $3, $4)`,
      values: [state, q || null, after, rows],
    })
    const labels = new Map(ctx.platform.extensions.publishedEvents.map(({ event, label }) => [event.name, label]))
    const toLabel = (event: string) => (event === testEvent ? 'Test' : (labels.get(event) ?? event))
    return deliveries.map((delivery) => ({ ...delivery, event: toLabel(delivery.event) }))
  },

  async retry(tx, { platform, coachId, id }) {
    const coach = await loadCoachContext(platform, coachId, `webhook-retry-${id}`)
    if (!coach) throw deliveryNotFound()
    if (!hasModule(coach, 'webhooks')) throw new AppError('conflict', 'Webhooks are switched off for this coach.')
    return retryFailed(tx, { platform, coachId, id })
  },
}

async function retryFailed(
  tx: TenantTransaction,
  { platform, coachId, id }: { platform: Platform; coachId: number; id: number },
): Promise<string> {
  const endpoint = await findEndpointForUpdate(tx, { coachId, deliveryId: id })
  if (endpoint.isOff) throw new AppError('conflict', 'This webhook is switched off. The coach can switch it on again.')
  const now = platform.now()
  await lockUnclaimed(tx, { coachId, id, now })
  const [row] = await tx.query<{ event: string }>({
    name: 'webhooks.retry-failed',
    text: `update webhook_delivery set state = 'pending', attempts = 0, next_attempt_at = $3
      where coach_id = $1 and id = $2 and state = 'failed' returning event`,
    values: [coachId, id, now],
  })
  if (!row) throw new AppError('conflict', 'This delivery is no longer failed. Reload the page to see its state.')
  await enqueueAttempts({ query: tx.query, enqueueAll: tx.enqueueAll, coachId, platform }, [id])
  return `${row.event} to ${new URL(endpoint.url).host}`
}
