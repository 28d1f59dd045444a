import { AppError } from '#app/lib/errors.ts'
import { dayMs, formatCalendarDate, formatDate, formatDateTime, localDate } from '#app/lib/time.ts'
import { countPages } from '#app/lib/url.ts'
import type { RecordingSource, SessionTask } from '#modules/core/manifest.ts'
import { formatDateTimeRange, getAppointment, type AppointmentRecord } from '#modules/scheduling/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { findSource } from '#tenants/files/files.ts'
import { findStartedUpload, listStartedUploads } from '#tenants/files/uploads.ts'
import { findSearch, type SearchRecord } from './detection/queries.ts'
import { listConnectedSources } from './detection/sources.ts'
import { channels, summaryStatuses, transcriptSources } from './fields.ts'
import { linesPerPage, sessionUrl } from './list-state.ts'
import { toSessionView } from './overview-loader.server.ts'
import { findActive, findConsents, type SessionConsents } from './queries/consents.ts'
import { findPreviousSummary, findSummary, type VersionedSummary } from './queries/summaries.ts'
import { findTranscript, getLines } from './queries/transcripts.ts'
import type { ConsentRecord, TranscriptRecord } from './records.ts'
import { loadMinutes } from './recordings/minutes.ts'
import { findRecording, type RecordingRow } from './recordings/queries.ts'
import { includesSummaries } from './services/plan.ts'
import { listTasks, toTaskKeys } from './services/session-tasks.ts'
import { getSettings } from './services/settings.ts'
import { summaryLink } from './sharing/public-link.ts'
import { formatClockTime } from './times.ts'
import { countParts, transcriptLimits, type Action, type Claim, type TranscriptLine } from './types.ts'

/** Throws not_found. */
export async function loadSession(ctx: Ctx, id: number, url: string) {
  const appointment = await getAppointment(ctx, id)
  const state = sessionUrl(id).parse(url)
  const [transcript, recording, summary, consents, settings, previousSummary, search, sources, tasks, minutes] =
    await Promise.all([
      findTranscript(ctx, id),
      findRecording(ctx, id),
      findSummary(ctx, id),
      findConsents(ctx, appointment),
      getSettings(ctx),
      loadPreviousSummary(ctx, appointment),
      findSearch(ctx, appointment),
      listConnectedSources(ctx),
      listTasks(ctx, [id]),
      loadMinutes(ctx),
    ])
  const session = toSessionView(ctx, appointment, transcript)
  const searchView = toSearchView(ctx, appointment, search, sources)
  const { timezone } = ctx.account
  const today = localDate(ctx.now(), timezone)
  return {
    id,
    state,
    today,
    session: { ...session, note: searchView || transcript ? null : session.note },
    when: formatDateTimeRange(appointment.startTime, appointment.endTime, ctx.account, today),
    hasStarted: new Date(appointment.startTime) <= ctx.now(),
    hasPlan: includesSummaries(ctx),
    client: appointment.clientId === null ? null : { id: appointment.clientId, name: appointment.clientName! },
    consent: toConsentView(ctx, appointment, consents),
    wording: settings.wording,
    maxBytes: transcriptLimits.bytes,
    minutes,
    keepsRecordings: settings.recordingDays !== null,
    canTranscribe: ctx.platform.config.revai !== undefined,
    started: transcript || recording ? [] : await listStartedUploads(ctx, { ofSound: true }),
    discarded: state.dialog === 'discard-upload' && state.upload ? await findStartedUpload(ctx, state.upload) : null,
    recording: recording && (await toRecordingView(ctx, recording, { endTime: appointment.endTime, ...settings })),
    search: searchView,
    previousSummary,
    hasTasks: ctx.extensions.sessionTasks !== null,
    summary: summary && toSummaryView(ctx, summary, { transcript, tasks }),
    transcript: transcript && (await loadTranscript(ctx, transcript, state)),
  }
}
export type SessionPage = Awaited<ReturnType<typeof loadSession>>

/** How the recording is looked for; null if no service is connected and nothing was found or looked for. */
function toSearchView(
  ctx: Ctx,
  { sessionCompleted }: AppointmentRecord,
  search: SearchRecord,
  sources: RecordingSource[],
) {
  const {
    recordingDetectionStatus: status,
    lastRecordingDetectionAttempt: lastSearch,
    nextAttemptAt,
    candidates,
  } = search
  if (!sessionCompleted || (!sources.length && status === 'pending')) return null
  const format = (time: string) => formatDateTime(time, ctx.account)
  const today = localDate(ctx.now(), ctx.account.timezone)
  const isDue = nextAttemptAt !== null && Date.parse(nextAttemptAt) <= ctx.now().getTime()
  return {
    status,
    /** A search is running, or is about to. */
    isLooking: isDue,
    where: sources.map(({ label }) => label).join(' and '),
    attempts: search.recordingDetectionAttempts,
    lastSearch: lastSearch && format(lastSearch),
    nextSearch: nextAttemptAt && new Date(nextAttemptAt) > ctx.now() ? format(nextAttemptAt) : null,
    failure: search.failure,
    limits: sources.flatMap(({ limits }) => limits ?? []).join(' '),
    candidates: candidates.map(({ id, source, title, startTime, endTime }) => ({
      id,
      title,
      where: transcriptSources[source],
      when: formatDateTimeRange(startTime, endTime, ctx.account, today),
    })),
  }
}
export type SearchView = NonNullable<ReturnType<typeof toSearchView>>

/** The actions that were agreed on last time, their tasks, and the takeaways; null without any. */
async function loadPreviousSummary(ctx: Ctx, { clientId, startTime }: AppointmentRecord) {
  if (clientId === null) return null
  const found = await findPreviousSummary(ctx, { clientId, before: new Date(startTime) })
  if (!found) return null
  const tasks = await listTasks(ctx, [found.appointmentId])
  const keys = toTaskKeys(found)
  const isWithoutAction = ({ key }: SessionTask) => !keys.includes(key)
  const actions = [
    ...found.actions.map((action, index) => ({ action, task: tasks.find(({ key }) => key === keys[index]) })),
    // Their actions have left the summary.
    ...tasks.filter(isWithoutAction).map((task) => ({ action: null, task })),
  ]
  if (!actions.length && !found.takeaways.length) return null
  return {
    appointmentId: found.appointmentId,
    day: formatDate(found.startTime, ctx.account.timezone),
    takeaways: found.takeaways.map(({ text }) => text),
    actions: actions.map(({ action, task }) => toPromise(ctx, action, task)),
  }
}

/** A task may have another text, another owner or date than the action that it was made of: those of the task count. */
function toPromise(ctx: Ctx, action: Action | null, task: SessionTask | undefined) {
  const { text, owner, due } = task ? { text: task.title, owner: task.owner, due: task.dueDate } : action!
  const today = localDate(ctx.now(), ctx.account.timezone)
  const view = toTaskView(ctx, task)
  return {
    text,
    owner,
    due: due && formatCalendarDate(due, { month: 'short', day: 'numeric' }),
    isOverdue: due !== null && due < today && !view?.isDone,
    task: view,
  }
}

function toTaskView(ctx: Ctx, task: SessionTask | undefined) {
  if (!task) return null
  const { id, doneAt } = task
  return {
    to: ctx.extensions.sessionTasks!.toHref(id),
    isDone: doneAt !== null,
    doneOn: doneAt && formatDate(doneAt, ctx.account.timezone),
  }
}

function toConsentView(ctx: Ctx, { clientName }: AppointmentRecord, consents: SessionConsents) {
  const active = findActive(consents)
  const last = consents.ofSession ?? consents.ofClient
  const format = (consent: ConsentRecord) => {
    const scope = consent.clientId === null ? 'For this session' : `For all sessions of ${clientName}`
    return { id: consent.id, scope, channel: channels[consent.channel], wording: consent.wording }
  }
  const { timezone } = ctx.account
  return {
    active: active && { ...format(active), givenOn: formatDate(active.givenAt, timezone) },
    withdrawnOn: !active && last?.withdrawnAt ? formatDateTime(last.withdrawnAt, ctx.account) : null,
  }
}

async function toRecordingView(
  ctx: Ctx,
  { id, fileName, size, status, failure, fileId }: RecordingRow,
  { endTime, recordingDays }: { endTime: string; recordingDays: number | null },
) {
  const label = `${fileName}, ${size < 1e6 ? `${Math.ceil(size / 1000)} kB` : `${(size / 1e6).toFixed(1)} MB`}`
  const isKept = status === 'kept'
  const until = new Date(Date.parse(endTime) + (recordingDays ?? 0) * dayMs)
  const progress = isKept
    ? `The recording is kept until ${formatDate(until < ctx.now() ? ctx.now() : until, ctx.account.timezone)}.`
    : status === 'transcribing'
      ? 'Rev.ai is transcribing the recording.'
      : 'The recording waits to be sent to Rev.ai.'
  const player = isKept ? { isVideo: (await findSource(ctx, fileId)).contentType.startsWith('video/') } : null
  return { id, fileName, label, isOpen: status !== 'failed' && !isKept, message: failure ?? progress, player }
}

/** Claims show the line that they cite while the transcript that they are from is there. */
function toSummaryView(
  ctx: Ctx,
  summary: VersionedSummary,
  { transcript, tasks }: { transcript: TranscriptRecord | null; tasks: SessionTask[] },
) {
  const keys = toTaskKeys(summary)
  const { id, version, status, method, approvedAt, sharedAt, sharedBy, interactionId } = summary
  const hasSource = transcript !== null && transcript.id === summary.transcriptId
  const toView = ({ text, lines, quote }: Claim) => ({ text, quote, line: hasSource ? (lines[0] ?? null) : null })
  const format = (time: string) => formatDateTime(time, ctx.account)
  return {
    id,
    version,
    status,
    statusLabel: summaryStatuses[status],
    isExtract: method === 'extract',
    approvedOn: approvedAt && format(approvedAt),
    sharedOn: sharedAt && format(sharedAt),
    sharedBy,
    interactionId,
    url: status === 'shared' ? summaryLink.getUrl(ctx, id) : null,
    overview: summary.overview.map(toView),
    takeaways: summary.takeaways.map(toView),
    actions: summary.actions.map(({ owner, due, ...claim }, index) => ({
      ...toView(claim),
      owner,
      dueDate: due,
      task: toTaskView(
        ctx,
        tasks.find(({ key }) => key === keys[index]),
      ),
      due: due && formatCalendarDate(due, { month: 'short', day: 'numeric', year: 'numeric' }),
    })),
  }
}

/** One page of the lines: of those that contain the search, or the page with the marked line. */
async function loadTranscript(
  ctx: Ctx,
  transcript: TranscriptRecord,
  { q, line, page }: { q: string; line: number | null; page: number },
) {
  const all = await getLines(ctx, transcript.id)
  const found = q ? all.filter(createMatcher(q)) : all
  const lastPage = countPages(found.length, linesPerPage)
  const marked = line !== null && !q ? Math.ceil(Math.min(line, all.length) / linesPerPage) : null
  const shown = Math.min(marked ?? page, lastPage)
  const speakers = [...new Set(all.flatMap(({ speaker }) => speaker ?? []))]
  return {
    id: transcript.id,
    source: transcriptSources[transcript.source],
    fileName: transcript.fileName,
    addedOn: formatDate(transcript.createdAt, ctx.account.timezone),
    count: all.length,
    parts: countParts(all.length),
    duration: transcript.durationMs === null ? null : formatClockTime(transcript.durationMs),
    failure: transcript.failure,
    isProcessing: transcript.isProcessing,
    found: found.length,
    page: shown,
    lastPage,
    lines: found.slice((shown - 1) * linesPerPage, shown * linesPerPage).map(({ n, speaker, startMs, text }) => ({
      n,
      speaker,
      tint: speaker === null ? 0 : speakers.indexOf(speaker),
      time: startMs === null ? null : formatClockTime(startMs),
      seconds: startMs === null ? null : startMs / 1000,
      text,
    })),
  }
}

/** Ignores case and accents, as the search does. */
function createMatcher(q: string): (line: TranscriptLine) => boolean {
  const fold = (text: string) =>
    text
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]/g, '')
      .toLowerCase()
  const wanted = fold(q)
  return ({ speaker, text }) => fold(text).includes(wanted) || (speaker !== null && fold(speaker).includes(wanted))
}

/** The page of the transcript's lines as a file, or of the summary. Throws not_found. */
export async function loadForExport(ctx: Ctx, id: number) {
  const appointment = await getAppointment(ctx, id)
  const [transcript, summary] = await Promise.all([findTranscript(ctx, id), findSummary(ctx, id)])
  if (!transcript && !summary) throw new AppError('not_found', 'Transcript not found', { subject: 'transcript' })
  return { appointment, summary, lines: transcript ? await getLines(ctx, transcript.id) : [] }
}
