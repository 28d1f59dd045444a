import { attendeeNameSql, isSessionVisible, joinSession } from '#modules/scheduling/index.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { claimsSelect, summary, type SummaryDetails } from '../records.ts'
import type { Action, Claim } from '../types.ts'

const from = `session_summary r ${joinSession('r')}`
const isVisible = `r.deleted_at is null and ${isSessionVisible}`

/** Whether the coach has any, also in the trash. */
export async function hasSummaries(ctx: Ctx): Promise<boolean> {
  authorize(ctx, 'summaries:summary:read')
  const [row] = await ctx.query<{ found: boolean }>({
    name: 'summaries.any',
    text: 'select exists (select 1 from session_summary where coach_id = $1) as found',
    values: [ctx.coachId],
  })
  return row!.found
}

export type VersionedSummary = SummaryDetails & {
  version: number
  interactionId: number | null
  linesHash: Uint8Array
}
const details = `${summary.select}, ${claimsSelect}, r.version, r.interaction_id as "interactionId",
  r.lines_hash as "linesHash"`

/** Throws not_found, also while the session is in the trash. */
export async function getSummary(ctx: Ctx, id: number): Promise<VersionedSummary> {
  authorize(ctx, 'summaries:summary:read')
  const [found] = await ctx.query<VersionedSummary>({
    name: 'summaries.get',
    text: `select ${details} from ${from} where r.coach_id = $1 and ${isVisible} and r.id = $2`,
    values: [ctx.coachId, id],
  })
  if (!found) throw summary.notFound()
  return found
}

/** The summary of a session; null without one. */
export async function findSummary(ctx: Ctx, appointmentId: number): Promise<VersionedSummary | null> {
  authorize(ctx, 'summaries:summary:read')
  const [found] = await ctx.query<VersionedSummary>({
    name: 'summaries.of-session',
    text: `select ${details} from ${from} where r.coach_id = $1 and ${isVisible} and r.appointment_id = $2`,
    values: [ctx.coachId, appointmentId],
  })
  return found ?? null
}

/** The summaries of several sessions, with how long these were: the transcript's length, or else the planned time. */
export async function listSessionSummaries(
  ctx: Ctx,
  appointmentIds: number[],
): Promise<(VersionedSummary & { minutes: number })[]> {
  authorize(ctx, 'summaries:summary:read')
  return ctx.query<VersionedSummary & { minutes: number }>({
    name: 'summaries.of-sessions',
    text: `select ${details}, greatest(1, round(coalesce(t.duration_ms / 60000.0,
        extract(epoch from a.end_time - a.start_time) / 60)))::int as minutes
      from ${from} left join session_transcript t on t.coach_id = $1 and t.id = r.transcript_id and t.deleted_at is null
      where r.coach_id = $1 and ${isVisible} and r.appointment_id = any($2::bigint[])`,
    values: [ctx.coachId, appointmentIds],
  })
}

/** The approved summaries of a client's sessions that are not on the timeline yet, oldest first. */
export async function listWithoutInteraction(ctx: Ctx, clientId: number): Promise<number[]> {
  authorize(ctx, 'summaries:summary:read')
  const found = await ctx.query<{ id: number }>({
    name: 'summaries.without-interaction',
    text: `select r.id from ${from} where r.coach_id = $1 and ${isVisible} and r.status <> 'draft'
      and r.interaction_id is null and a.client_id = $2 order by a.start_time, r.id`,
    values: [ctx.coachId, clientId],
  })
  return found.map(({ id }) => id)
}

export type PreviousSummary = {
  appointmentId: number
  startTime: Date
  linesHash: Uint8Array
  takeaways: Claim[]
  actions: Action[]
}

/**
 * The actions and takeaways of the client's latest session before `before` with an approved summary; null without one.
 */
export async function findPreviousSummary(
  ctx: Ctx,
  { clientId, before }: { clientId: number; before: Date },
): Promise<PreviousSummary | null> {
  authorize(ctx, 'summaries:summary:read')
  const [found] = await ctx.query<PreviousSummary>({
    name: 'summaries.previous-summary',
    text: `select a.id as "appointmentId", a.start_time as "startTime", r.lines_hash as "linesHash", r.takeaways,
        r.actions
      from ${from} where r.coach_id = $1 and ${isVisible} and r.status <> 'draft'
        and a.client_id = $2 and a.start_time < $3
      order by a.start_time desc, a.id desc limit 1`,
    values: [ctx.coachId, clientId, before],
  })
  return found ?? null
}

/** The latest drafts, with their session, and the number of all. */
export async function listDrafts(
  ctx: Ctx,
  rows: number,
): Promise<{ drafts: { id: number; title: string; name: string }[]; count: number }> {
  authorize(ctx, 'summaries:summary:read')
  const found = await ctx.query<{ id: number; title: string; name: string; count: number }>({
    name: 'summaries.drafts',
    text: `select a.id, a.title, ${attendeeNameSql} as name, count(*) over () as count
      from ${from} where r.coach_id = $1 and ${isVisible} and r.status = 'draft'
      order by a.start_time desc, a.id desc limit $2`,
    values: [ctx.coachId, rows],
  })
  return { drafts: found.map(({ count: _count, ...draft }) => draft), count: found[0]?.count ?? 0 }
}

/**
 * The id of the summary of a session that was moved to the trash last; of the current one otherwise. Throws not_found.
 */
export async function findTrashedSummary(ctx: Ctx, appointmentId: number): Promise<number> {
  authorize(ctx, 'summaries:summary:read')
  const [found] = await ctx.query<{ id: number }>({
    name: 'summaries.trashed-summary',
    text: `select id from session_summary where coach_id = $1 and appointment_id = $2
      order by deleted_at desc nulls last, id desc limit 1`,
    values: [ctx.coachId, appointmentId],
  })
  if (!found) throw summary.notFound()
  return found.id
}

/** When these sessions began, without those in the trash. */
export async function listSessionStarts(ctx: Ctx, ids: number[]): Promise<{ id: number; startTime: Date }[]> {
  authorize(ctx, 'summaries:summary:read')
  return ctx.query({
    name: 'summaries.session-starts',
    text: `select a.id, a.start_time as "startTime" from unnest($2::bigint[]) as r (appointment_id) ${joinSession('r')}
      where ${isSessionVisible}`,
    values: [ctx.coachId, ids],
  })
}
