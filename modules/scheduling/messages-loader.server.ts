import { getSender } from '#tenants/accounts/jobs.ts'
import { AppError } from '#app/lib/errors.ts'
import { addDays, formatDateTime, localDate, zonedToInstant } from '#app/lib/time.ts'
import type { Ctx } from '#tenants/context.ts'
import { formatDateTimeRange } from './format.ts'
import { getButton } from './messages/format.ts'
import { formatLead, formatLeads, noReminders } from './messages/leads.ts'
import { describeKind } from './messages/kinds.ts'
import { listDoubtful } from './messages/resend.ts'
import { simulateImagined } from './messages/simulate.ts'
import { getSampleValues, loadSample } from './messages/samples.ts'
import { getSeriesHint } from './messages/series-message.ts'
import type { TextKind } from './messages/texts.ts'
import { toMessageLine } from './message-lines.ts'
import { messagesUrl, type MessagesState } from './messages-state.ts'
import { listUpcoming } from './queries/appointments.ts'
import { listTypesWithUsage } from './queries/types.ts'
import { getMessageSettings } from './services/message-settings.ts'
import { listMessageTexts } from './services/message-texts.ts'

/** The texts, the chosen one with its preview, and the settings. */
export async function loadMessages(ctx: Ctx, url: string) {
  const state = messagesUrl.parse(url)
  const [texts, settings, upcoming, types, doubtful] = await Promise.all([
    listMessageTexts(ctx),
    getMessageSettings(ctx),
    listUpcoming(ctx, maxSamples),
    listTypesWithUsage(ctx),
    listDoubtful(ctx),
  ])
  const { subject, body, isStandard, version } = texts.find(({ kind }) => kind === state.message)!
  const { timezone, email } = ctx.account
  const today = localDate(ctx.now(), timezone)
  return {
    state,
    ownEmail: email,
    texts: texts.map(({ kind, isStandard }) => ({ kind, isStandard })),
    text: { version, isStandard, values: { subject, body } },
    preview: await loadPreview(ctx, state.message, state.appointment),
    samples: upcoming.map(({ id, title, attendeeName, start, end }) => ({
      id,
      label: `${attendeeName}, ${title}, ${formatDateTimeRange(start, end, ctx.account, today)}`,
    })),
    types: types.map(({ id, name }) => ({ id, name })),
    simulation: await loadSimulation(ctx, state, types),
    doubtful: doubtful.map(({ id, appointmentId, kind, leadMinutes, title, attendeeName, claimedAt }) => ({
      id,
      appointmentId,
      label: `${describeKind(kind, leadMinutes)}: ${attendeeName}, ${title}`,
      at: formatDateTime(claimedAt, ctx.account),
    })),
    settings: {
      version: settings.version,
      values: {
        reminderMinutes: formatLeads(settings.reminderMinutes) || noReminders,
        followUp: settings.followUp ? 'on' : 'off',
        followUpMinutes: formatLead(settings.followUpMinutes),
        tellsCoach: settings.tellsCoach ? 'on' : 'off',
      },
    },
  }
}
export type MessagesData = Awaited<ReturnType<typeof loadMessages>>

const maxSamples = 10

/** By default a session in two days at ten. */
async function loadSimulation(ctx: Ctx, state: MessagesState, types: { id: number }[]) {
  const { timezone } = ctx.account
  const typeId = types.find(({ id }) => id === state.type)?.id ?? null
  const date = state.date ?? addDays(localDate(ctx.now(), timezone), 2)
  const time = state.time ?? '10:00'
  const startTime = zonedToInstant(date, time, timezone)
  const endTime = new Date(startTime.getTime() + 3_600_000)
  const messages = await simulateImagined(ctx, { appointmentTypeId: typeId, startTime, endTime })
  return { typeId, date, time, messages: messages.map((message) => toMessageLine(ctx, message)) }
}

/** Shows the sample if the session doesn't exist, or no longer. */
async function loadPreview(ctx: Ctx, kind: TextKind, appointmentId: number | null) {
  const from = await getSender(ctx.platform, ctx.coachId)
  const announced = await loadSample(ctx, kind, appointmentId).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return loadSample(ctx, kind, null)
    throw error
  })
  const values = getSampleValues(ctx, kind, { announced, from })
  const [{ message, appointment }] = announced
  const isSeries = announced.length > 1
  return {
    appointmentId: appointment.id || null,
    from: values['coach name'],
    color: from?.primaryColor ?? null,
    to: message.email,
    values,
    button: isSeries ? null : (getButton(message.kind, values)?.label ?? null),
    hint: isSeries ? getSeriesHint(ctx, message.kind) : null,
  }
}
