import type { Ctx, WriteCtx } from '#tenants/context.ts'
import type { OAuthProvider } from './provider.ts'
import type { VendorError } from './vendor-error.ts'

/** Minutes until the next try, then hourly. */
const waits = [1, 5, 15, 60]
/** Minutes without a success after which the coach is warned. */
const patience = 30
/** The queue's clock is that of the database: a job that came early would find nothing due. */
const clockSeconds = 5

/** Records how a coach's connection works, in its row. */
export function oauthHealth({ name, label, queues, hasAwayColumn = false, requestNextTry }: OAuthProvider) {
  const setAway = (value: string): string => (hasAwayColumn ? `, is_away = ${value}` : '')

  async function recordSuccess(ctx: WriteCtx): Promise<void> {
    await ctx.query({
      name: `${name}.success`,
      text: `update ${name}_connection set state = 'connected', last_success_at = $2, failing_since = null,
          failures = 0, last_error = null, next_try_at = null${setAway('false')}
        where coach_id = $1 and state <> 'needs_reconnect'`,
      values: [ctx.coachId, ctx.now()],
    })
  }

  /** Plans the next try, or stops and tells the coach once that they have to connect again. */
  async function recordFailure(ctx: Ctx, error: VendorError): Promise<void> {
    const { kind, code, status } = error
    ctx.platform.log.warn({ account: ctx.coachId, kind, code, status }, `${label} failed`)
    await ctx.write((tx) => (kind === 'revoked' ? stop(tx, code) : planNextTry(tx, error)))
  }

  async function stop(ctx: WriteCtx, code: string): Promise<void> {
    const [stopped] = await ctx.query({
      name: `${name}.stop`,
      text: `update ${name}_connection set state = 'needs_reconnect', failing_since = coalesce(failing_since, $2),
          last_error = $3, next_try_at = null
        where coach_id = $1 and state <> 'needs_reconnect' returning id`,
      values: [ctx.coachId, ctx.now(), code],
    })
    if (stopped) await ctx.enqueue(queues.email, { coachId: ctx.coachId })
  }

  /** A failure before the planned try leaves that as it is, unless the vendor asks for a longer wait. */
  async function planNextTry(ctx: WriteCtx, { kind, code, retryAfterSeconds }: VendorError): Promise<void> {
    const now = ctx.now()
    const [connection] = await ctx.query<{ failures: number; nextTryAt: Date | string | null }>({
      name: `${name}.lock-connection`,
      text: `select failures, next_try_at as "nextTryAt" from ${name}_connection
        where coach_id = $1 and state <> 'needs_reconnect' for update`,
      values: [ctx.coachId],
    })
    if (!connection) return
    const plannedAt = connection.nextTryAt === null ? null : new Date(connection.nextTryAt)
    const isPlanned = plannedAt !== null && plannedAt > now
    const seconds = isPlanned ? (retryAfterSeconds ?? 0) : toWait(connection.failures, retryAfterSeconds)
    const nextTryAt = new Date(now.getTime() + Math.ceil(seconds) * 1000)
    const isNew = !isPlanned || nextTryAt > plannedAt
    const isAway = kind === 'busy' || kind === 'down'
    await ctx.query({
      name: `${name}.failure`,
      text: `update ${name}_connection set failures = failures + $6, failing_since = coalesce(failing_since, $2),
          last_error = $3, next_try_at = $4${setAway('$7')},
          state = case when coalesce(failing_since, $2) <= $5 then 'failing' else state end
        where coach_id = $1`,
      values: [
        ctx.coachId,
        now,
        code,
        isNew ? nextTryAt : plannedAt,
        new Date(now.getTime() - patience * 60_000),
        isPlanned ? 0 : 1,
        ...(hasAwayColumn ? [isAway] : []),
      ],
    })
    if (isNew) await requestNextTry(ctx, { afterSeconds: Math.ceil(seconds) + clockSeconds })
  }

  return { recordSuccess, recordFailure }
}

/** Seconds. Up to a tenth more than planned, so that many practices don't come back at once. */
function toWait(failures: number, retryAfterSeconds: number | null): number {
  const minutes = waits[failures] ?? waits.at(-1)!
  return Math.max(minutes * 60 * (1 + Math.random() / 10), retryAfterSeconds ?? 0)
}
