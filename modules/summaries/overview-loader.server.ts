import { plainText } from '#app/lib/markup.ts'
import { dayMs, formatCalendarDate, formatDate, formatDay, formatTime, localDate } from '#app/lib/time.ts'
import { listInteractionsOfSource } from '#modules/crm/index.ts'
import { countSummaries, listAppointments, type AppointmentRecord } from '#modules/scheduling/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { interactionSources } from './fields.ts'
import { listUrl } from './list-state.ts'
import { listSessionSummaries } from './queries/summaries.ts'
import { countProcessing, listTranscriptStates } from './queries/transcripts.ts'
import { notConfigured } from './services/generation.ts'
import { includesSummaries } from './services/plan.ts'
import type { Action } from './types.ts'

/** part-2 §9 */
const recentSummaries = 5
const recentDays = 7
const pendingRows = 3
/** Sessions ahead that are listed besides the recent ones. */
const aheadRows = 10

export async function loadOverview(ctx: Ctx, url: string) {
  const { q } = listUrl.parse(url)
  const [counts, processing, recent, sessions, pending] = await Promise.all([
    countSummaries(ctx),
    countProcessing(ctx),
    loadRecent(ctx, q),
    loadSessions(ctx),
    listAppointments(ctx, { pendingSummary: true, rows: pendingRows }),
  ])
  const waiting = counts.completed - counts.generated
  const zone = ctx.account.timezone
  return {
    q,
    hasPlan: includesSummaries(ctx),
    stats: {
      completed: counts.completed,
      since: counts.first && formatCalendarDate(localDate(counts.first, zone), { month: 'long', year: 'numeric' }),
      generated: counts.generated,
      clients: counts.clients,
      pending: waiting,
      processing,
      rate: counts.completed ? Math.round((counts.generated / counts.completed) * 100) : 0,
    },
    recent,
    sessions,
    pending: pending.map(({ id, title, completedAt, ...attendee }) => ({
      id,
      title,
      name: toName(attendee),
      completedOn: formatDay(completedAt!, ctx.now(), zone),
    })),
    morePending: waiting - pending.length,
  }
}
export type Overview = Awaited<ReturnType<typeof loadOverview>>

const toName = ({ clientName, prospectName }: Pick<AppointmentRecord, 'clientName' | 'prospectName'>): string =>
  clientName ?? prospectName ?? 'Unknown'

async function loadRecent(ctx: Ctx, q: string) {
  const rows = await listInteractionsOfSource(ctx, { part: 'revai', q, rows: recentSummaries })
  const summaries = await listSessionSummaries(
    ctx,
    rows.flatMap(({ appointmentId }) => appointmentId ?? []),
  )
  return rows.map(({ id, name, clientId, clientName, source, summary, appointmentId, interactionDate }) => {
    const found = summaries.find((one) => one.appointmentId === appointmentId)
    return {
      id,
      name,
      clientId,
      clientName,
      isAuto: source === interactionSources.found,
      isExtract: found?.method === 'extract',
      summary: summary && plainText(summary),
      day: formatDay(interactionDate, ctx.now(), ctx.account.timezone),
      appointmentId,
      takeaways: found?.takeaways.map(({ text }) => text) ?? [],
      actions: found?.actions.map((action) => toActionView(action)) ?? [],
    }
  })
}

/** `due`: 'Mar 10'. */
export const toActionView = ({ text, owner, due }: Action) => ({
  text,
  owner,
  due: due && formatCalendarDate(due, { month: 'short', day: 'numeric' }),
})

async function loadSessions(ctx: Ctx) {
  const now = ctx.now()
  const from = new Date(now.getTime() - recentDays * dayMs)
  const [started, ahead] = await Promise.all([
    listAppointments(ctx, { from, to: now }),
    listAppointments(ctx, { from: now, rows: aheadRows }),
  ])
  const listed = [...started.reverse(), ...ahead]
  const transcripts = await listTranscriptStates(
    ctx,
    listed.map(({ id }) => id),
  )
  const findState = (id: number) => transcripts.find(({ appointmentId }) => appointmentId === id)
  return listed.map((appointment) => toSessionView(ctx, appointment, findState(appointment.id)))
}

export function toSessionView(
  ctx: Ctx,
  appointment: AppointmentRecord,
  transcript: { isProcessing: boolean } | null | undefined,
) {
  const { id, title, status, startTime, sessionCompleted, summaryGenerated, revaiJobId, recordingDetectionStatus } =
    appointment
  const isProcessing = revaiJobId !== null || transcript?.isProcessing === true
  const canGenerate = sessionCompleted && !summaryGenerated && !isProcessing
  return {
    id,
    title,
    name: toName(appointment),
    when: `${formatDay(startTime, ctx.now(), ctx.account.timezone)}, ${formatTime(startTime, ctx.account)}`,
    date: formatDate(startTime, ctx.account.timezone),
    status,
    sessionCompleted,
    summaryGenerated,
    isProcessing,
    canComplete: !sessionCompleted && status !== 'cancelled' && new Date(startTime) <= ctx.now(),
    canGenerate,
    // Nothing has to be set up for a recording that is looked for.
    note: canGenerate && !transcript && recordingDetectionStatus === 'pending' ? notConfigured : null,
  }
}
