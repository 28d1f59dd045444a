import type { Contribution, SessionAction, TaskSessions, TodayPart } from '#modules/core/manifest.ts'
import { getAppointment } from '#modules/scheduling/index.ts'
import { readPreparation } from '#modules/core/slots.ts'
import type { TimelineEntry } from '#modules/crm/index.ts'
import { escapeMarkup } from '#app/lib/markup.ts'
import { formatDate } from '#app/lib/time.ts'
import type { Ctx } from '#tenants/context.ts'
import { channels } from './fields.ts'
import { canSearch } from './detection/search.ts'
import { listServiceHealth, type ServiceHealth } from './queries/health.ts'
import { listClientConsents } from './queries/consents.ts'
import { findSummary, listDrafts, listSessionStarts } from './queries/summaries.ts'
import { findTranscript } from './queries/transcripts.ts'
import { findRecording } from './recordings/queries.ts'
import { getSetupNote } from './services/generation.ts'
import { includesSummaries } from './services/plan.ts'
import { loadPortalSummaries } from './portal.ts'

const permission = 'summaries:summary:read'

export type { ServiceHealth }

export const contributions: Contribution[] = [
  {
    slot: 'portal.home',
    widget: 'portal-summaries',
    order: 80,
    permission: 'client:summary:read',
    load: loadPortalSummaries,
  },
  { slot: 'appointment.action', order: 20, permission, load: (ctx, { id }) => offerSummary(ctx, Number(id)) },
  { slot: 'task.session', order: 10, permission, load: (ctx, { ids = '' }) => loadTaskSessions(ctx, ids) },
  { slot: 'dashboard.side', widget: 'drafts', order: 15, permission, load: loadDrafts },
  { slot: 'today', order: 70, permission, load: loadToApprove },
  { slot: 'session.preparation', order: 3, permission, load: loadPreparation },
  {
    slot: 'session.summary',
    order: 10,
    permission: 'summaries:summary:read',
    load: (ctx, { id }) => isBeingSummarized(ctx, Number(id)),
  },
  {
    slot: 'client.timeline',
    order: 45,
    permission: 'summaries:consent:read',
    load: (ctx, { id, rows = '50' }) => listTimelineEntries(ctx, Number(id), Number(rows)),
  },
  {
    slot: 'settings.pane',
    widget: 'session-notes-settings',
    order: 50,
    permission: 'summaries:consent:write',
    load: listServiceHealth,
  },
]

/** part-2 §4: 'Generate Summary' for a completed session without one. */
async function offerSummary(ctx: Ctx, appointmentId: number): Promise<SessionAction | null> {
  const appointment = await getAppointment(ctx, appointmentId)
  const { startTime, sessionCompleted, summaryGenerated, revaiJobId } = appointment
  const page = `/session-summaries/${appointmentId}`
  if (summaryGenerated) return { label: 'Read Summary', to: page }
  if (!sessionCompleted) return new Date(startTime) <= ctx.now() ? { label: 'Session Notes', to: page } : null
  const transcript = await findTranscript(ctx, appointmentId)
  if (revaiJobId !== null || transcript?.isProcessing) return { label: 'Session Notes', to: page }
  const note = getSetupNote(ctx, { sessionCompleted, summaryGenerated, isProcessing: false })
  return {
    label: 'Generate Summary',
    to: '/session-summaries',
    fields: { intent: 'generate', id: String(appointmentId) },
    ...(note ? { note } : {}),
  }
}

/** Whether the summary of a session that was completed just now follows by itself. */
async function isBeingSummarized(ctx: Ctx, appointmentId: number): Promise<boolean> {
  const appointment = await getAppointment(ctx, appointmentId)
  if (!appointment.sessionCompleted || appointment.summaryGenerated || !includesSummaries(ctx)) return false
  const existing = (await findTranscript(ctx, appointmentId)) ?? (await findRecording(ctx, appointmentId))
  return existing !== null || (await canSearch(ctx, appointment))
}

async function loadTaskSessions(ctx: Ctx, ids: string): Promise<TaskSessions> {
  const sessions = await listSessionStarts(ctx, ids.split(',').map(Number).filter(Boolean))
  return Object.fromEntries(
    sessions.map(({ id, startTime }) => [
      id,
      { label: `Session of ${formatDate(startTime, ctx.account.timezone)}`, to: `/session-summaries/${id}` },
    ]),
  )
}

const draftRows = 3

async function loadDrafts(ctx: Ctx) {
  const { drafts, count } = await listDrafts(ctx, draftRows)
  return { drafts, more: count - drafts.length }
}
async function loadToApprove(ctx: Ctx): Promise<TodayPart | null> {
  const { drafts, more } = await loadDrafts(ctx)
  if (!drafts.length) return null
  const items = drafts.map(({ id, title, name }) => ({
    key: String(id),
    title,
    detail: name,
    to: `/session-summaries/${id}`,
  }))
  return {
    title: 'Summaries to approve',
    items,
    more: more > 0 ? { label: `${more} more`, to: '/session-summaries' } : null,
  }
}

/** The summary of the last session while it is a draft: once it is approved, it is in the session's notes. */
async function loadPreparation(ctx: Ctx, params: Record<string, string | undefined>): Promise<TodayPart | null> {
  const { lastSessionId } = readPreparation(params)
  const summary = lastSessionId && (await findSummary(ctx, lastSessionId))
  if (!summary || summary.status !== 'draft') return null
  const item = {
    key: String(summary.id),
    title: 'Summary of the last session',
    detail: 'Approve it to make tasks of its action items',
    to: `/session-summaries/${lastSessionId}`,
  }
  return { title: 'Summaries to approve', items: [item], more: null }
}

export type Drafts = Awaited<ReturnType<typeof loadDrafts>>

/** Consents and their withdrawals. Approved summaries are interactions. */
async function listTimelineEntries(ctx: Ctx, clientId: number, rows: number): Promise<TimelineEntry[]> {
  const consents = await listClientConsents(ctx, clientId, rows)
  return consents.flatMap(({ id, appointmentId, channel, wording, givenAt, withdrawnAt }) => {
    const scope = appointmentId === null ? 'of all sessions' : 'of a session'
    const to = appointmentId === null ? null : `/session-summaries/${appointmentId}`
    const given = {
      key: `consent ${id}`,
      at: givenAt,
      kind: 'consent',
      title: `Agreed to transcripts ${scope}`,
      text: escapeMarkup(`${channels[channel]}: ${wording}`),
      to,
    }
    const withdrawn = {
      ...given,
      key: `consent ${id} withdrawn`,
      at: withdrawnAt ?? givenAt,
      title: `Withdrew the consent to transcripts ${scope}`,
      text: null,
    }
    return withdrawnAt === null ? [given] : [withdrawn, given]
  })
}
