import { randomUUID } from 'node:crypto'
import { AppError } from '#app/lib/errors.ts'
import type { RecordingContent, RecordingSource } from '#modules/core/manifest.ts'
import { assertNotReadOnly, getClient } from '#modules/crm/index.ts'
import {
  getAppointment,
  listAppointments,
  lockAppointment,
  setRecordingState,
  type AppointmentRecord,
  type RecordingState,
} from '#modules/scheduling/index.ts'
import { dayMs } from '#app/lib/time.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { keepFile, withContent, type StoredContent } from '#tenants/files/files.ts'
import { forEachCoach } from '#tenants/for-each-coach.ts'
import { withTenant, type Platform } from '#tenants/platform.ts'
import { readTranscript } from '../extract/run-extract.ts'
import { recordingKind } from '../recordings/erase.ts'
import { describeUsedUp, findMinutes, requireMinutes } from '../recordings/minutes.ts'
import { requestTranscription } from '../recordings/queue.ts'
import { insertRecording } from '../recordings/recordings.ts'
import { requireConsent } from '../services/consents.ts'
import { startSummary } from '../services/generation.ts'
import { includesSummaries } from '../services/plan.ts'
import { insertTranscript } from '../services/transcripts.ts'
import type { TranscriptLine } from '../types.ts'
import { chooseRecording, type Listed } from './choose.ts'
import { stopSearch } from './erase.ts'
import { requestSound } from './keep-sound.ts'
import { getNextSearchTime } from './schedule.ts'
import { canSearch, enqueueSearch } from './search.ts'
import { listConnectedSources } from './sources.ts'

/** A worker that has not come back for as long, such as a killed one, is no longer waited for. */
const leaseMinutes = { search: 5, download: 35 }
/** Attempts in a row that never ended. */
const maxResumed = 3

const messages = {
  noTranscript: (label: string) =>
    `${label} has a recording, but no transcript, and without Rev.ai it can’t be transcribed.`,
  notReady: (label: string) => `${label} has a recording that is not ready yet.`,
  unreadable: (label: string) => `The transcript at ${label} can’t be read.`,
  tooLarge: (label: string) => `The recording at ${label} is too large.`,
  incomplete: (label: string) => `The recording at ${label} could not be downloaded completely.`,
  interrupted: 'The search was interrupted several times.',
  failed: 'The search has failed. Look again.',
}

type Data = { coachId: number; appointmentId: number }
type Attempt = { appointment: AppointmentRecord; lease: string; chosen: { source: string; sourceId: string } | null }

/**
 * Looks for the recording of a session, once: a second worker finds it leased. Repeated until it is found or given up.
 */
export async function runSearch(platform: Platform, { coachId, appointmentId }: Data): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, `search-${appointmentId}`)
  const attempt = ctx && (await ctx.write((tx) => startAttempt(tx, appointmentId)))
  if (!attempt) return
  try {
    await searchSources(ctx, attempt)
  } catch (error) {
    if (error instanceof LeaseLostError) return
    if (!(error instanceof AppError))
      ctx.platform.log.error({ err: error, coachId }, 'the search for a recording failed')
    const failure = error instanceof AppError ? error.message : messages.failed
    await ctx.write((tx) => finishAttempt(tx, attempt, { failure })).catch(ignoreLostLease)
  }
}

/** Another worker has it by now, or the consent was withdrawn. */
class LeaseLostError extends Error {}

function ignoreLostLease(error: unknown): void {
  if (!(error instanceof LeaseLostError)) throw error
}

type SearchRow = { lease: string | null; source: string | null; sourceId: string | null; resumed: number }

/**
 * Counts and leases the attempt. Null if it is not due, leased, or no longer possible. Lock order: appointment,
 * search.
 */
async function startAttempt(ctx: WriteCtx, appointmentId: number): Promise<Attempt | null> {
  const isThere = await lockAppointment(ctx, appointmentId).then(
    () => true,
    (error: unknown) => (error instanceof AppError && error.code === 'not_found' ? false : Promise.reject(error)),
  )
  // In the trash, or its client is.
  if (!isThere) {
    await stopSearch(ctx, appointmentId)
    return null
  }
  const now = ctx.now()
  const [row] = await ctx.query<SearchRow>({
    name: 'summaries.lock-due-search',
    text: `select claim as "lease", source, source_id as "sourceId", resumed from recording_search
      where coach_id = $1 and appointment_id = $2 and next_attempt_at <= $3 and coalesce(claimed_until <= $3, true)
      for update`,
    values: [ctx.coachId, appointmentId, now],
  })
  if (!row) return null
  const appointment = await getAppointment(ctx, appointmentId)
  if (!(await canSearch(ctx, appointment))) {
    await stopSearch(ctx, appointmentId)
    return null
  }
  const resumed = row.lease === null ? 0 : row.resumed + 1
  if (resumed > maxResumed) {
    await saveOutcome(ctx, appointmentId, { nextAttemptAt: null, failure: messages.interrupted })
    await setRecordingState(ctx, [appointmentId], { recordingDetectionStatus: 'failed' })
    return null
  }
  const lease = randomUUID()
  const leasedUntil = new Date(now.getTime() + leaseMinutes.search * 60_000)
  await ctx.query({
    name: 'summaries.lease-search',
    text: `update recording_search set claim = $3, claimed_until = $4, next_attempt_at = $4, resumed = $5, updated_at = $6
      where coach_id = $1 and appointment_id = $2`,
    values: [ctx.coachId, appointmentId, lease, leasedUntil, resumed, now],
  })
  await setRecordingState(ctx, [appointmentId], {
    recordingDetectionStatus: 'searching',
    recordingDetectionAttempts: appointment.recordingDetectionAttempts + 1,
    lastRecordingDetectionAttempt: now,
  })
  const chosen = row.source !== null && row.sourceId !== null ? { source: row.source, sourceId: row.sourceId } : null
  return { appointment, lease, chosen }
}

async function searchSources(ctx: Ctx, attempt: Attempt): Promise<void> {
  const sources = await listConnectedSources(ctx)
  const { chosen } = attempt
  if (chosen) {
    const source = sources.find(({ name }) => name === chosen.source)
    const failure = source ? await download(ctx, attempt, source, chosen.sourceId) : messages.failed
    return void (failure !== null && (await ctx.write((tx) => finishAttempt(tx, attempt, { failure }))))
  }
  const failures: string[] = []
  const found: Listed[] = []
  const session = await toRecordedSession(ctx, attempt.appointment)
  for (const source of sources)
    try {
      found.push(...(await source.find(ctx, session)).map((one) => ({ ...one, source: source.name })))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      failures.push(error.message)
    }
  const candidates = await excludeAssigned(ctx, found)
  const best = chooseRecording(candidates, await listOthers(ctx, attempt.appointment))
  if (best) {
    const failure = await download(ctx, attempt, sources.find(({ name }) => name === best.source)!, best.id)
    if (failure === null) return
    failures.push(failure)
  }
  const isAsked = best === null && candidates.length > 0
  await ctx.write((tx) =>
    finishAttempt(tx, attempt, { failure: failures[0] ?? null, candidates: isAsked ? candidates : [] }),
  )
}

async function toRecordedSession(ctx: Ctx, { startTime, endTime, meetingUrl, ...appointment }: AppointmentRecord) {
  const { clientId, clientName, prospectName } = appointment
  const email = clientId === null ? null : (await getClient(ctx, clientId)).email
  const attendee = { name: clientName ?? prospectName ?? '', email }
  return { startTime: new Date(startTime), endTime: new Date(endTime), meetingUrl, attendee }
}

/** Without those that belong to another session: it has their transcript or sound, or still tries to get them. */
async function excludeAssigned(ctx: Ctx, found: Listed[]): Promise<Listed[]> {
  if (!found.length) return []
  const taken = await ctx.query<{ source: string; sourceId: string }>({
    name: 'summaries.taken-recordings',
    text: `select source, source_id as "sourceId" from recording_search s
      where coach_id = $1 and source_id = any($2::text[]) and (next_attempt_at is not null
        or exists (select 1 from session_transcript t
          where t.coach_id = $1 and t.appointment_id = s.appointment_id and t.deleted_at is null)
        or exists (select 1 from session_recording r where r.coach_id = $1 and r.appointment_id = s.appointment_id))`,
    values: [ctx.coachId, found.map(({ id }) => id)],
  })
  return found.filter(({ id, source }) => !taken.some((one) => one.source === source && one.sourceId === id))
}

/** The sessions of others on the same day. */
async function listOthers(ctx: Ctx, { id, clientId, prospectId, startTime, endTime }: AppointmentRecord) {
  const from = new Date(Date.parse(startTime) - dayMs)
  const near = await listAppointments(ctx, { from, to: new Date(Date.parse(endTime) + dayMs) })
  return near
    .filter((other) => other.id !== id && other.status !== 'cancelled')
    .filter((other) => other.clientId !== clientId || other.prospectId !== prospectId)
    .map((other) => ({ startTime: new Date(other.startTime), endTime: new Date(other.endTime) }))
}

/** Keeps the transcript of a recording, or its sound for Rev.ai. Returns why that is not possible now, or null. */
async function download(ctx: Ctx, attempt: Attempt, source: RecordingSource, id: string): Promise<string | null> {
  const minutes = await findMinutes(ctx)
  const isUsedUp = minutes?.left === 0
  const acceptsSound = minutes !== null && !isUsedUp
  const content = await source.open(ctx, id, { acceptsSound })
  if (!content && isUsedUp && !source.withoutSound) return describeUsedUp(ctx, minutes)
  if (!content)
    return source.withoutSound ?? (acceptsSound ? messages.notReady(source.label) : messages.noTranscript(source.label))
  const key = { source: source.name, sourceId: id }
  if (content.kind === 'sound') return downloadSound(ctx, attempt, source, key, content)
  const transcript = { fileName: content.fileName, hasSound: source.withoutSound === undefined }
  const lines = await readLines(content.text)
  if (!lines) return messages.unreadable(source.label)
  await ctx.write((tx) => keepTranscript(tx, attempt, key, { ...transcript, lines }))
  return null
}

async function readLines(text: string): Promise<TranscriptLine[] | null> {
  try {
    return (await readTranscript(text)).lines
  } catch (error) {
    if (error instanceof AppError && error.code === 'validation_failed') return null
    throw error
  }
}

type RecordingKey = { source: RecordingSource['name']; sourceId: string }
type Sound = Extract<RecordingContent, { kind: 'sound' }>

async function downloadSound(
  ctx: Ctx,
  attempt: Attempt,
  { label }: RecordingSource,
  key: RecordingKey,
  { content, fileName, size }: Sound,
): Promise<string | null> {
  try {
    // Before the download, which may be large.
    await ctx.write((tx) => requireAgreed(tx, attempt))
    await ctx.write((tx) => extendLease(tx, attempt))
    await withContent(ctx, content, {}, async (tx, stored) => {
      if (size !== null && stored.size !== size) throw new AppError('upstream_failed', messages.incomplete(label))
      await keepSound(tx, attempt, key, { fileName, stored })
    })
    return null
  } catch (error) {
    content.destroy()
    if (error instanceof AppError) return error.code === 'too_large' ? messages.tooLarge(label) : error.message
    if (error instanceof LeaseLostError) throw error
    ctx.platform.log.warn({ account: ctx.coachId, err: error }, 'a recording could not be downloaded')
    return messages.incomplete(label)
  }
}

async function extendLease(ctx: WriteCtx, { appointment, lease }: Attempt): Promise<void> {
  const until = new Date(ctx.now().getTime() + leaseMinutes.download * 60_000)
  const [held] = await ctx.query({
    name: 'summaries.extend-search-lease',
    text: `update recording_search set claimed_until = $4, next_attempt_at = $4
      where coach_id = $1 and appointment_id = $2 and claim = $3 returning id`,
    values: [ctx.coachId, appointment.id, lease, until],
  })
  if (!held) throw new LeaseLostError()
}

/** Throws LeaseLostError unless the search is still this worker's, for the same attendee, who agrees. */
async function requireLease(ctx: WriteCtx, { appointment, lease }: Attempt): Promise<AppointmentRecord> {
  const { client, prospectId } = await lockAppointment(ctx, appointment.id).catch(() =>
    Promise.reject(new LeaseLostError()),
  )
  const clientId = client?.id ?? null
  const [held] = await ctx.query({
    name: 'summaries.lock-leased-search',
    text: 'select id from recording_search where coach_id = $1 and appointment_id = $2 and claim = $3 for update',
    values: [ctx.coachId, appointment.id, lease],
  })
  if (!held || clientId !== appointment.clientId || (prospectId ?? null) !== appointment.prospectId)
    throw new LeaseLostError()
  return getAppointment(ctx, appointment.id)
}

async function requireAgreed(ctx: WriteCtx, attempt: Attempt): Promise<AppointmentRecord> {
  const appointment = await requireLease(ctx, attempt)
  if (appointment.clientId !== null) await assertNotReadOnly(ctx, appointment.clientId)
  await requireConsent(ctx, appointment)
  return appointment
}

async function keepTranscript(
  ctx: WriteCtx,
  attempt: Attempt,
  key: RecordingKey,
  { fileName, lines, hasSound }: { fileName: string; lines: TranscriptLine[]; hasSound: boolean },
): Promise<void> {
  const { id, sessionCompleted } = await requireAgreed(ctx, attempt)
  await insertTranscript(ctx, id, { source: key.source, fileName }, lines)
  await endFound(ctx, id, key)
  if (hasSound) await requestSound(ctx, id)
  if (sessionCompleted && includesSummaries(ctx)) await startSummary(ctx, id)
}

async function keepSound(
  ctx: WriteCtx,
  attempt: Attempt,
  key: RecordingKey,
  { fileName, stored }: { fileName: string; stored: StoredContent },
): Promise<void> {
  const { id } = await requireAgreed(ctx, attempt)
  await requireMinutes(ctx)
  const recordingId = await insertRecording(ctx, id, async (recordId) => {
    const fileId = await keepFile(ctx, stored, { kind: recordingKind, recordId })
    return { fileId, name: fileName, size: stored.size }
  })
  await endFound(ctx, id, key)
  await requestTranscription(ctx, recordingId)
}

async function endFound(ctx: WriteCtx, appointmentId: number, { source, sourceId }: RecordingKey): Promise<void> {
  await replaceCandidates(ctx, appointmentId, [])
  await ctx.query({
    name: 'summaries.found',
    text: `update recording_search set source = $3, source_id = $4, claim = null, claimed_until = null,
        next_attempt_at = null, failure = null, resumed = 0, updated_at = $5
      where coach_id = $1 and appointment_id = $2`,
    values: [ctx.coachId, appointmentId, source, sourceId, ctx.now()],
  })
  await setRecordingState(ctx, [appointmentId], { recordingDetectionStatus: 'found' })
}

/** Without `candidates` those from before stay: what the coach chose was not the one, or failed. */
type Outcome = { failure: string | null; candidates?: Listed[] }

/** Plans the next attempt, or gives up: `not_found`, or `failed` if something went wrong. */
async function finishAttempt(ctx: WriteCtx, attempt: Attempt, { failure, candidates }: Outcome): Promise<void> {
  const { id, endTime } = await requireLease(ctx, attempt)
  if (candidates) await replaceCandidates(ctx, id, candidates)
  const now = ctx.now()
  const [row] = await ctx.query<{ isBroughtForward: boolean }>({
    name: 'summaries.is-brought-forward',
    text: `select next_attempt_at < claimed_until as "isBroughtForward" from recording_search
      where coach_id = $1 and appointment_id = $2`,
    values: [ctx.coachId, id],
  })
  const nextAttemptAt = row!.isBroughtForward ? now : getNextSearchTime(new Date(endTime), now)
  await saveOutcome(ctx, id, { nextAttemptAt, failure })
  if (nextAttemptAt) return enqueueSearch(ctx, id, nextAttemptAt)
  const state: Partial<RecordingState> = { recordingDetectionStatus: failure === null ? 'not_found' : 'failed' }
  await setRecordingState(ctx, [id], state)
}

async function saveOutcome(
  ctx: WriteCtx,
  appointmentId: number,
  { nextAttemptAt, failure }: { nextAttemptAt: Date | null; failure: string | null },
): Promise<void> {
  await ctx.query({
    name: 'summaries.save-search-outcome',
    text: `update recording_search set claim = null, claimed_until = null, next_attempt_at = $3, failure = $4, resumed = 0,
        updated_at = $5
      where coach_id = $1 and appointment_id = $2`,
    values: [ctx.coachId, appointmentId, nextAttemptAt, failure, ctx.now()],
  })
}

/** Keeps the ids of those that are found again. */
async function replaceCandidates(ctx: WriteCtx, appointmentId: number, candidates: Listed[]): Promise<void> {
  await ctx.query({
    name: 'summaries.delete-candidates',
    text: `delete from recording_candidate where coach_id = $1 and appointment_id = $2
      and not (source || ' ' || source_id = any($3::text[]))`,
    values: [ctx.coachId, appointmentId, candidates.map(({ source, id }) => `${source} ${id}`)],
  })
  for (const { source, id, title, startTime, endTime } of candidates.slice(0, maxCandidates))
    await ctx.query({
      name: 'summaries.add-candidate',
      text: `insert into recording_candidate (coach_id, appointment_id, source, source_id, title, start_time, end_time)
        values ($1, $2, $3, $4, $5, $6, $7)
        on conflict (coach_id, appointment_id, source, source_id) do update
          set title = excluded.title, start_time = excluded.start_time, end_time = excluded.end_time`,
      values: [ctx.coachId, appointmentId, source, id, [...title].slice(0, 255).join(''), startTime, endTime],
    })
}
const maxCandidates = 20

/** Jobs get lost, and a killed worker leaves its lease. */
export async function pollSearches(platform: Platform): Promise<void> {
  await forEachCoach(platform, ({ id: coachId, removedAt }) =>
    withTenant(platform, coachId, async (tx) => {
      if (removedAt) return
      const due = await tx.query<{ appointmentId: number }>({
        name: 'summaries.due-searches',
        text: `select appointment_id as "appointmentId" from recording_search
          where coach_id = $1 and next_attempt_at <= $2`,
        values: [coachId, platform.now()],
      })
      const ctx = { ...tx, coachId, now: platform.now }
      for (const { appointmentId } of due) await enqueueSearch(ctx, appointmentId, platform.now())
    }),
  )
}
