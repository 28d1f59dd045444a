import { redirect } from '@remix-run/node'
import { plainText } from '#app/lib/markup.ts'
import { dayMs, formatCalendarDate, formatDate, formatDay, formatTime, localDate } from '#app/lib/time.ts'
import { countPages } from '#app/lib/url.ts'
import { listInteractionsOfSource } from '#modules/crm/index.ts'
import {
  countSummaries,
  listAppointments,
  listRecentSessions,
  type AppointmentRecord,
} from '#modules/scheduling/index.ts'
import type { SessionTask } from '#modules/core/manifest.ts'
import type { Ctx } from '#tenants/context.ts'
import { interactionSources } from './fields.ts'
import { listUrl, sessionRows } from './list-state.ts'
import { listSessionSummaries } from './queries/summaries.ts'
import { countProcessing, listTranscriptStates } from './queries/transcripts.ts'
import { loadMinutes } from './recordings/minutes.ts'
import { getSetupNote } from './services/generation.ts'
import { includesSummaries } from './services/plan.ts'
import { listTasks, toTaskKeys } from './services/session-tasks.ts'
import type { Action } from './types.ts'

/** part-2 §9 */
const recentSummaries = 5
const recentDays = 7
const pendingRows = 3

export async function loadOverview(ctx: Ctx, url: string) {
  const { q, page } = listUrl.parse(url)
  const [counts, processing, recent, sessions, pending, minutes] = await Promise.all([
    countSummaries(ctx),
    countProcessing(ctx),
    loadRecent(ctx, q),
    loadSessions(ctx, { q, page }),
    listAppointments(ctx, { pendingSummary: true, rows: pendingRows }),
    loadMinutes(ctx),
  ])
  const waiting = counts.completed - counts.generated
  const zone = ctx.account.timezone
  return {
    q,
    hasPlan: includesSummaries(ctx),
    minutes,
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
    ...sessions,
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
  const sessions = rows.flatMap(({ appointmentId }) => appointmentId ?? [])
  const [summaries, tasks] = await Promise.all([listSessionSummaries(ctx, sessions), listTasks(ctx, sessions)])
  return rows.map(({ id, name, clientId, clientName, source, summary, appointmentId, interactionDate }) => {
    const found = summaries.find((one) => one.appointmentId === appointmentId)
    const keys = found ? toTaskKeys(found) : []
    return {
      id,
      name,
      clientId,
      clientName,
      isAuto: source === interactionSources.found,
      isExtract: found?.method === 'extract',
      summary: summary && plainText(summary),
      day: formatDay(interactionDate, ctx.now(), ctx.account.timezone),
      minutes: found?.minutes ?? null,
      appointmentId,
      takeaways: found?.takeaways.map(({ text }) => text) ?? [],
      actions: (found?.actions ?? []).map((action, index) => {
        const task = tasks.find((one) => one.appointmentId === appointmentId && one.key === keys[index])
        return toActionView(ctx, action, task)
      }),
    }
  })
}

/** A task may have another text or another date than its action: those of the task count. `due`: 'Mar 10'. */
function toActionView(ctx: Ctx, action: Action, task: SessionTask | undefined) {
  const { text, due } = task ? { text: task.title, due: task.dueDate } : action
  return {
    text,
    due: due && formatCalendarDate(due, { month: 'short', day: 'numeric' }),
    task: task ? { to: ctx.extensions.sessionTasks!.toHref(task.id), isDone: task.doneAt !== null } : null,
  }
}

async function loadSessions(ctx: Ctx, { q, page }: { q: string; page: number }) {
  const from = new Date(ctx.now().getTime() - recentDays * dayMs)
  const { sessions, count } = await listRecentSessions(ctx, {
    from,
    rows: sessionRows,
    offset: (page - 1) * sessionRows,
  })
  const transcripts = await listTranscriptStates(
    ctx,
    sessions.map(({ id }) => id),
  )
  const findState = (id: number) => transcripts.find(({ appointmentId }) => appointmentId === id)
  const lastPage = countPages(count, sessionRows)
  if (page > lastPage) throw redirect(listUrl.href({ q, page: lastPage }))
  return {
    page,
    count,
    sessions: sessions.map((appointment) => toSessionView(ctx, appointment, findState(appointment.id))),
  }
}

export function toSessionView(
  ctx: Ctx,
  appointment: AppointmentRecord,
  transcript: { isProcessing: boolean } | null | undefined,
) {
  const { id, title, status, startTime, sessionCompleted, summaryGenerated, revaiJobId } = appointment
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
    note: getSetupNote(ctx, { sessionCompleted, summaryGenerated, isProcessing }),
  }
}
