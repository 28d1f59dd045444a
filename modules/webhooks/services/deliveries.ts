import { randomUUID } from 'node:crypto'
import { insertRows } from '#db/insert-rows.ts'
import { AppError } from '#app/lib/errors.ts'
import { dayMs } from '#app/lib/time.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { countAttempt } from '#tenants/auth/rate-limit.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { forEachCoach } from '#tenants/for-each-coach.ts'
import { withTenant, type Platform, type TenantTransaction } from '#tenants/platform.ts'
import { failingDays, logDays, testEvent } from '../fields.ts'
import { decryptSecret, endDeliveries, lockEndpoint } from './endpoints.ts'
import { send, type SendResult } from './send.ts'
import { signMessage } from './signature.ts'

export const queues = { deliver: 'webhooks.deliver', email: 'webhooks.email-disabled' }

type RecordCtx = Pick<TenantTransaction, 'query' | 'enqueueAll'> & Pick<Ctx, 'coachId' | 'platform'>

/**
 * Sends events of one type to all endpoints that take it, if and only if the transaction commits: each once to each, with
 * the same id in all attempts. `data` names records by their ids.
 */
export async function deliver(ctx: RecordCtx, event: string, data: unknown[]): Promise<void> {
  // One that is being deleted must not make the change fail.
  const endpoints = await ctx.query<{ id: number }>({
    name: 'webhooks.receivers',
    text: `select id from webhook_endpoint where coach_id = $1 and disabled_at is null and $2 = any(events)
      order by id for key share`,
    values: [ctx.coachId, event],
  })
  const messages = endpoints.length ? data.map((each) => toMessage(ctx.platform.now(), event, each)) : []
  const rows = messages.flatMap((message) => endpoints.map(({ id }) => ({ endpoint_id: id, ...message })))
  for (let from = 0; from < rows.length; from += maxRows) await addDeliveries(ctx, rows.slice(from, from + maxRows))
}

/** Rows of one statement. */
const maxRows = 1000

/** Sends an event to one endpoint, whatever it takes. Throws not_found. */
export async function deliverTo(ctx: WriteCtx, endpointId: number, event: string, data: unknown): Promise<void> {
  await lockEndpoint(ctx, endpointId)
  await addDeliveries(ctx, [{ endpoint_id: endpointId, ...toMessage(ctx.now(), event, data) }])
}

/** As in Standard Webhooks. */
const toMessage = (at: Date, type: string, data: unknown) => ({
  message_id: `msg_${randomUUID().replaceAll('-', '')}`,
  event: type,
  body: JSON.stringify({ type, timestamp: at.toISOString(), data }),
  created_at: at,
  next_attempt_at: at,
})

type NewDelivery = ReturnType<typeof toMessage> & { endpoint_id: number }

async function addDeliveries(ctx: RecordCtx, deliveries: NewDelivery[]): Promise<void> {
  const rows = deliveries.map((delivery) => ({ coach_id: ctx.coachId, ...delivery }))
  const added = await ctx.query<{ id: number }>(insertRows('webhook_delivery', rows, { returning: 'id' }))
  await enqueueAttempts(
    ctx,
    added.map(({ id }) => id),
  )
}

/** The attempts of one coach are made one after the other in a process, so that others don't wait for a slow receiver. */
export const enqueueAttempts = (
  { coachId, ...ctx }: RecordCtx,
  deliveryIds: number[],
  startAfter?: number,
): Promise<void> =>
  ctx.enqueueAll(
    queues.deliver,
    deliveryIds.map((deliveryId) => ({
      data: { coachId, deliveryId },
      group: { id: String(coachId) },
      ...(startAfter ? { startAfter } : {}),
    })),
  )

const manualRule = (coachId: number) => ({ key: `webhooks:${coachId}`, attempts: 60, minutes: 60 })

/** Throws not_found, and rate_limited after 60 tests and repetitions in an hour. */
export async function sendTest(ctx: WriteCtx, endpointId: number): Promise<void> {
  await countManual(ctx)
  await deliverTo(ctx, endpointId, testEvent, { message: 'This is a test.' })
}

/**
 * Sends a delivery once more, with the same id and body. Throws not_found, rate_limited, and conflict while its webhook
 * is off or a request is on its way.
 */
export async function sendAgain(ctx: WriteCtx, deliveryId: number): Promise<void> {
  authorize(ctx, 'webhooks:endpoint:write')
  await countManual(ctx)
  const now = ctx.now()
  const endpoint = await findEndpointForUpdate(ctx, { coachId: ctx.coachId, deliveryId })
  if (endpoint.isOff) throw new AppError('conflict', 'This webhook is off. Switch it on to send this again.')
  await lockUnclaimed(ctx, { coachId: ctx.coachId, id: deliveryId, now })
  const [row] = await ctx.query({
    name: 'webhooks.send-again',
    text: `update webhook_delivery set state = 'pending', attempts = 0, next_attempt_at = $3
      where coach_id = $1 and id = $2 returning id`,
    values: [ctx.coachId, deliveryId, now],
  })
  if (!row) throw deliveryNotFound()
  await enqueueAttempts(ctx, [deliveryId])
}

export const deliveryNotFound = (): AppError => new AppError('not_found', 'This delivery is no longer in the log.')

/** Locks the endpoint of a delivery: before the delivery, as all that change both do. Throws not_found. */
export async function findEndpointForUpdate(
  { query }: Pick<TenantTransaction, 'query'>,
  { coachId, deliveryId }: { coachId: number; deliveryId: number },
): Promise<{ url: string; isOff: boolean }> {
  const [endpoint] = await query<{ url: string; isOff: boolean }>({
    name: 'webhooks.lock-endpoint-of-delivery',
    text: `select e.url, e.disabled_at is not null as "isOff" from webhook_endpoint e
      where e.coach_id = $1 and e.id = (select d.endpoint_id from webhook_delivery d where d.coach_id = $1 and d.id = $2)
      for no key update`,
    values: [coachId, deliveryId],
  })
  if (!endpoint) throw deliveryNotFound()
  return endpoint
}

/** Locks the delivery, if it is there. Throws conflict while a request of it is on its way. */
export async function lockUnclaimed(
  { query }: Pick<TenantTransaction, 'query'>,
  { coachId, id, now }: { coachId: number; id: number; now: Date },
): Promise<void> {
  const [delivery] = await query<{ isClaimed: boolean }>({
    name: 'webhooks.lock-unclaimed',
    text: `select coalesce(claimed_until > $3, false) as "isClaimed" from webhook_delivery
      where coach_id = $1 and id = $2 for update`,
    values: [coachId, id, now],
  })
  if (delivery?.isClaimed)
    throw new AppError('conflict', 'This delivery is being sent. Reload the page in a minute for its result.')
}

const countManual = (ctx: Ctx): Promise<void> =>
  countAttempt(ctx.platform, { rules: [manualRule(ctx.coachId)], account: ctx.coachId, address: ctx.address })

type Pending = {
  url: string
  secret: string
  messageId: string
  body: string
  endpointId: number
  /** Recognizes the claim. */
  claimedUntil: Date
}

/** Longer than an attempt takes. */
const claimMs = 60_000

/**
 * Makes one attempt, if it is due: of several jobs of one delivery one makes it. One that fails is followed by another,
 * after a pause that grows to ten hours.
 */
export async function attemptDelivery(
  platform: Platform,
  { coachId, deliveryId }: { coachId: number; deliveryId: number },
): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, `webhook-${deliveryId}`)
  if (!ctx) return
  const pending = await ctx.write((tx) => claim(tx, deliveryId))
  if (!pending) return
  const result = await sendSigned(ctx, pending)
  await ctx.write((tx) => recordResult(tx, { deliveryId, pending, result }))
}

/** Takes a delivery that is due; null for any other, and for one that another job has taken. */
async function claim(ctx: WriteCtx, deliveryId: number): Promise<Pending | null> {
  const now = ctx.now()
  const claimedUntil = new Date(now.getTime() + claimMs)
  const [claimed] = await ctx.query<Omit<Pending, 'claimedUntil'>>({
    name: 'webhooks.claim',
    text: `update webhook_delivery d set next_attempt_at = $4, claimed_until = $4 from webhook_endpoint e
      where d.coach_id = $1 and d.id = $2 and d.state = 'pending' and d.next_attempt_at <= $3
        and (d.claimed_until is null or d.claimed_until <= $3) and e.coach_id = $1 and e.id = d.endpoint_id
      returning e.url, e.secret, d.message_id as "messageId", d.body, d.endpoint_id as "endpointId"`,
    values: [ctx.coachId, deliveryId, now, claimedUntil],
  })
  if (claimed) return { ...claimed, claimedUntil }
  // A job that takes a delivery may crash, so this one looks again. A later attempt has a job of its own.
  const [taken] = await ctx.query<{ seconds: number }>({
    name: 'webhooks.taken',
    text: `select ceil(extract(epoch from d.next_attempt_at - $3::timestamptz))::int as seconds from webhook_delivery d
      where d.coach_id = $1 and d.id = $2 and d.state = 'pending' and d.next_attempt_at <= $4`,
    values: [ctx.coachId, deliveryId, now, claimedUntil],
  })
  if (taken) await enqueueAttempts(ctx, [deliveryId], Math.max(1, taken.seconds))
  return null
}

async function sendSigned(ctx: Ctx, { url, secret, messageId, body }: Pending): Promise<SendResult> {
  const key = decryptSecret(ctx, secret)
  if (key === null) return { status: null, response: null, problem: 'The secret can’t be read. Renew it.' }
  return send(ctx.platform, { url, body, headers: signMessage(key, { id: messageId, at: ctx.now(), body }) })
}

/** Seconds before each further attempt: eight in all, in 28 hours. */
const pauses = [5, 300, 1800, 7200, 18_000, 36_000, 36_000]

async function recordResult(
  ctx: WriteCtx,
  { deliveryId, pending, result }: { deliveryId: number; pending: Pending; result: SendResult },
): Promise<void> {
  const now = ctx.now()
  const { status, response, problem } = result
  // The endpoint first, as all that change both do.
  const isDisabled = await recordHealth(ctx, pending.endpointId, result)
  const [delivery] = await ctx.query<{ attempts: number; state: string }>({
    name: 'webhooks.record-attempt',
    text: `update webhook_delivery set attempts = attempts + 1, attempted_at = $3, response_status = $4, response = $5,
        problem = $6, claimed_until = nullif(claimed_until, $9::timestamptz(3)),
        state = case when $6::text is null then 'delivered'
          when attempts >= $7 or $8::boolean then 'failed' else 'pending' end
      where coach_id = $1 and id = $2 and (state <> 'delivered' or $6::text is null) returning attempts, state`,
    values: [ctx.coachId, deliveryId, now, status, response, problem, pauses.length, isDisabled, pending.claimedUntil],
  })
  if (!delivery) return
  const pause = delivery.state === 'pending' ? pauses[delivery.attempts - 1]! : null
  await ctx.query({
    name: 'webhooks.plan-attempt',
    text: 'update webhook_delivery set next_attempt_at = $3 where coach_id = $1 and id = $2',
    values: [ctx.coachId, deliveryId, pause === null ? null : new Date(now.getTime() + pause * 1000)],
  })
  if (pause !== null) await enqueueAttempts(ctx, [deliveryId], pause)
}

/** Switches off an endpoint that has failed for days, or has ended (410). Returns whether it is off. */
async function recordHealth(ctx: WriteCtx, endpointId: number, { status, problem }: SendResult): Promise<boolean> {
  const now = ctx.now()
  const [endpoint] = await ctx.query<{ isDisabled: boolean; wasDisabled: boolean }>({
    name: 'webhooks.record-health',
    text: `update webhook_endpoint e set
        last_success_at = case when $3::boolean then $4 else e.last_success_at end,
        failing_since = case when $3 then null else coalesce(e.failing_since, $4) end,
        disabled_at = case when $3 then e.disabled_at when $5::boolean or e.failing_since <= $6
          then coalesce(e.disabled_at, $4) else e.disabled_at end
      from (select w.id, w.disabled_at from webhook_endpoint w where w.coach_id = $1 and w.id = $2 for update) former
      where e.coach_id = $1 and e.id = former.id
      returning e.disabled_at is not null as "isDisabled", former.disabled_at is not null as "wasDisabled"`,
    values: [
      ctx.coachId,
      endpointId,
      problem === null,
      now,
      status === 410,
      new Date(now.getTime() - failingDays * dayMs),
    ],
  })
  if (!endpoint?.isDisabled || endpoint.wasDisabled) return endpoint?.isDisabled ?? false
  await endDeliveries(ctx, endpointId, 'The webhook was switched off.')
  await ctx.enqueue(queues.email, { coachId: ctx.coachId, endpointId })
  return true
}

/** Deletes what the log keeps no longer. */
export async function deleteOldDeliveries(platform: Platform): Promise<void> {
  const before = new Date(platform.now().getTime() - logDays * dayMs)
  await forEachCoach(platform, ({ id: coachId }) =>
    withTenant(platform, coachId, async (tx) => {
      await tx.query({
        name: 'webhooks.delete-old',
        text: `delete from webhook_delivery where coach_id = $1 and created_at < $2 and state <> 'pending'`,
        values: [coachId, before],
      })
    }),
  )
}
