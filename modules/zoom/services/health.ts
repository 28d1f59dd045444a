import type { Ctx, WriteCtx } from '#tenants/context.ts'
import type { ZoomError } from '../vendor/errors.ts'
import { queues, requestCheck } from './queue.ts'

/** Minutes until the next try, then hourly. */
const waits = [1, 5, 15, 60]
/** Minutes without a success after which the coach is warned. */
const patience = 30

export async function recordSuccess(ctx: WriteCtx): Promise<void> {
  await ctx.query({
    name: 'zoom.success',
    text: `update zoom_connection set state = 'connected', last_success_at = $2, failing_since = null, failures = 0,
        last_error = null, next_try_at = null
      where coach_id = $1 and state <> 'needs_reconnect'`,
    values: [ctx.coachId, ctx.now()],
  })
}

/** The queue's clock is that of the database: a job that came early would find nothing due. */
const clockSeconds = 5

/** Plans the next try, or stops and tells the coach once that they have to connect again. */
export async function recordFailure(ctx: Ctx, error: ZoomError): Promise<void> {
  const { kind, code, status } = error
  ctx.platform.log.warn({ account: ctx.coachId, kind, code, status }, 'Zoom failed')
  await ctx.write((tx) => (kind === 'revoked' ? stop(tx, code) : planNextTry(tx, error)))
}

async function stop(ctx: WriteCtx, code: string): Promise<void> {
  const [stopped] = await ctx.query({
    name: 'zoom.stop',
    text: `update zoom_connection set state = 'needs_reconnect', failing_since = coalesce(failing_since, $2),
        last_error = $3, next_try_at = null
      where coach_id = $1 and state <> 'needs_reconnect' returning id`,
    values: [ctx.coachId, ctx.now(), code],
  })
  if (stopped) await ctx.enqueue(queues.email, { coachId: ctx.coachId })
}

/** A failure before the planned try leaves that as it is, unless Zoom asks for a longer wait. */
async function planNextTry(ctx: WriteCtx, { code, retryAfterSeconds }: ZoomError): Promise<void> {
  const now = ctx.now()
  const [connection] = await ctx.query<{ failures: number; nextTryAt: Date | string | null }>({
    name: 'zoom.lock-connection',
    text: `select failures, next_try_at as "nextTryAt" from zoom_connection
      where coach_id = $1 and state <> 'needs_reconnect' for update`,
    values: [ctx.coachId],
  })
  if (!connection) return
  const plannedAt = connection.nextTryAt === null ? null : new Date(connection.nextTryAt)
  const isPlanned = plannedAt !== null && plannedAt > now
  const minutes = waits[connection.failures] ?? waits.at(-1)!
  // Up to a tenth more, so that many practices don't come back at once.
  const wait = isPlanned ? 0 : minutes * 60 * (1 + Math.random() / 10)
  const seconds = Math.ceil(Math.max(wait, retryAfterSeconds ?? 0))
  const nextTryAt = new Date(now.getTime() + seconds * 1000)
  const isNew = !isPlanned || nextTryAt > plannedAt
  await ctx.query({
    name: 'zoom.failure',
    text: `update zoom_connection set failures = failures + $6, failing_since = coalesce(failing_since, $2),
        last_error = $3, next_try_at = $4,
        state = case when coalesce(failing_since, $2) <= $5 then 'failing' else state end
      where coach_id = $1`,
    values: [
      ctx.coachId,
      now,
      code,
      isNew ? nextTryAt : plannedAt,
      new Date(now.getTime() - patience * 60_000),
      isPlanned ? 0 : 1,
    ],
  })
  if (isNew) await requestCheck(ctx, { afterSeconds: seconds + clockSeconds })
}
