import { AppError } from '#app/lib/errors.ts'
import { formatDate, localDate, monthSpan } from '#app/lib/time.ts'
import { plans } from '#tenants/accounts/plans.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { findTranscriber } from '../revai/transcriber.ts'
import type { RecordingRow } from './queries.ts'

export type Minutes = {
  /** In a month of the coach's calendar. */
  included: number
  /** Sent this month, and waiting to be sent. */
  used: number
  left: number
  resetsAt: Date
}

/** SQL: the minutes that a session of `appointment a` was planned for. */
const plannedSql = 'greatest(1, ceil(extract(epoch from a.end_time - a.start_time) / 60))::int'

/** The minutes of transcription of this month; null where nothing is transcribed. */
export async function findMinutes(ctx: Ctx): Promise<Minutes | null> {
  authorize(ctx, 'summaries:transcript:read')
  if (ctx.plan === 'free' || !findTranscriber(ctx.platform.config)) return null
  const { timezone } = ctx.account
  const { from, to } = monthSpan(localDate(ctx.now(), timezone).slice(0, 7), timezone)
  const [row] = await ctx.query<{ used: number }>({
    name: 'summaries.transcription-minutes',
    text: `select ((select coalesce(sum(minutes), 0) from transcription_usage
          where coach_id = $1 and sent_at >= $2 and sent_at < $3)
        + (select coalesce(sum(${plannedSql}), 0) from session_recording r
          join appointment a on a.coach_id = $1 and a.id = r.appointment_id
          where r.coach_id = $1 and r.status = 'waiting'))::int as used`,
    values: [ctx.coachId, from, to],
  })
  const { used } = row!
  const included = ctx.platform.config.transcriptionMinutes[ctx.plan]
  return { included, used, left: Math.max(0, included - used), resetsAt: to }
}

/**
 * Throws plan_limit once the minutes of the month are used up. A recording that begins before is transcribed to its
 * end. One at a time for each coach, so that many at once can't begin with the last minute.
 */
export async function requireMinutes(ctx: WriteCtx): Promise<void> {
  await ctx.query({
    name: 'summaries.lock-minutes',
    text: `select pg_advisory_xact_lock(hashtext('transcription'), $1::int)`,
    values: [ctx.coachId],
  })
  const minutes = await findMinutes(ctx)
  if (minutes?.left === 0) throw new AppError('plan_limit', describeUsedUp(ctx, minutes), { subject: 'minutes' })
}

export const describeUsedUp = ({ plan, account }: Ctx, { included, resetsAt }: Minutes): string =>
  `Your ${plans[plan].title} plan includes ${included} minutes of transcription a month, and they are used up. ` +
  `They start again on ${formatDate(resetsAt, account.timezone)}. Transcripts can still be added.`

/** For pages; null where nothing is transcribed. `usedUp`: says so, once they are. */
export async function loadMinutes(ctx: Ctx) {
  const minutes = await findMinutes(ctx)
  if (!minutes) return null
  const { included, left, resetsAt } = minutes
  return {
    included,
    left,
    isLow: left < included / 10,
    resetsOn: formatDate(resetsAt, ctx.account.timezone),
    usedUp: left === 0 ? describeUsedUp(ctx, minutes) : null,
  }
}
export type MinutesView = NonNullable<Awaited<ReturnType<typeof loadMinutes>>>

/** Counts a recording that is about to be sent, with the planned time of its session until its length is known. */
export async function countSent(ctx: WriteCtx, { id, attempt, appointmentId }: RecordingRow): Promise<void> {
  await ctx.query({
    name: 'summaries.count-sent',
    text: `insert into transcription_usage (coach_id, recording_id, attempt, minutes, sent_at)
      values ($1, $2, $3, (select ${plannedSql} from appointment a where a.coach_id = $1 and a.id = $4), $5)
      on conflict (coach_id, recording_id, attempt) do nothing`,
    values: [ctx.coachId, id, attempt, appointmentId, ctx.now()],
  })
}

/** Puts the length of a recording in place of the planned time. */
export async function setSentMinutes(
  ctx: WriteCtx,
  { id, attempt }: Pick<RecordingRow, 'id' | 'attempt'>,
  seconds: number,
): Promise<void> {
  await ctx.query({
    name: 'summaries.set-sent-minutes',
    text: `update transcription_usage set minutes = $4 where coach_id = $1 and recording_id = $2 and attempt = $3`,
    values: [ctx.coachId, id, attempt, Math.min(10_000, Math.max(1, Math.ceil(seconds / 60)))],
  })
}

/** A recording that was not transcribed costs nothing. */
export async function deleteUsage(ctx: WriteCtx, { id, attempt }: Pick<RecordingRow, 'id' | 'attempt'>): Promise<void> {
  await ctx.query({
    name: 'summaries.delete-usage',
    text: 'delete from transcription_usage where coach_id = $1 and recording_id = $2 and attempt = $3',
    values: [ctx.coachId, id, attempt],
  })
}
