import { isoTimestamp } from '#db/read-pool.ts'
import { loadChoices } from '#modules/core/notifications.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { findMessageAppointment } from '../queries/message-appointment.ts'
import { getAppointment } from '../queries/appointments.ts'
import { appointmentType } from '../records.ts'
import { findSkipReason } from './check.ts'
import { isInDoubt } from './in-doubt.ts'
import { describeKind, planReasons, skipReasons, type MessageKind, type SkipReason } from './kinds.ts'
import { formatLead } from './leads.ts'
import type { MessageAppointment, MessageRules } from './message.ts'
import { decideMessages, listAnnouncements, readPlanState, type PlannedMessage, type PlanState } from './plan.ts'
import { joinMessageSettings, messageRulesSql } from './rules-sql.ts'

/** A message that was sent, will be, or won't be with the reason. */
export type SimulatedMessage = {
  /** Null: not stored yet. */
  id: number | null
  kind: MessageKind
  label: string
  state: 'sent' | 'sending' | 'in-doubt' | 'planned' | 'left-out'
  /** When it was or will be sent. */
  at: string | null
  email: string | null
  /** Why it is sent, or why not. */
  why: string
}

/** `isOn`: which emails to the coach are on. */
type Reader = Ctx & { isOn: (notification: string) => boolean }

type Row = {
  id: number
  kind: MessageKind
  leadMinutes: number
  email: string
  startTime: string
  dueAt: string
  claimedAt: string | null
  sentAt: string | null
  skipReason: SkipReason | null
}

/** The messages of an appointment, those that were sent first. Throws not_found. */
export async function simulateAppointment(ctx: Ctx, appointmentId: number): Promise<SimulatedMessage[]> {
  authorize(ctx, 'scheduling:message:read')
  await getAppointment(ctx, appointmentId)
  const [rows, announcements, state, appointment] = await Promise.all([
    listRows(ctx, appointmentId),
    listAnnouncements(ctx, appointmentId),
    readPlanState(ctx, appointmentId),
    findMessageAppointment(ctx, { appointmentId, kind: 'cancellation' }),
  ])
  const now = ctx.now()
  const reader = { ...ctx, isOn: await loadChoices(ctx) }
  const stored = rows.map((row) => describeRow(reader, row, appointment))
  const isStored = ({ kind, leadMinutes, told }: PlannedMessage) =>
    rows.some(
      (row) =>
        row.kind === kind &&
        (kind === 'reminder' || kind === 'follow_up'
          ? row.startTime === told.startTime && (leadMinutes === 0 || row.leadMinutes === leadMinutes)
          : true),
    )
  const others = decideMessages({ state: state!, announcements, notify: false, now }).filter((one) => !isStored(one))
  return [...stored, ...others.map((one) => describePlanned(reader, one, appointment))]
}

export type Imagined = { appointmentTypeId: number | null; startTime: Date; endTime: Date }

/** The messages of a session that a visitor would book now. Throws not_found for the type. */
export async function simulateImagined(
  ctx: Ctx,
  { appointmentTypeId, startTime, endTime }: Imagined,
): Promise<SimulatedMessage[]> {
  authorize(ctx, 'scheduling:message:read')
  const [found] = await ctx.query<{ typeId: number | null; isManual: boolean; rules: MessageRules }>({
    name: 'scheduling.imagined-rules',
    text: `select t.id as "typeId", coalesce(t.confirmation = 'manual', false) as "isManual", ${messageRulesSql} as rules
      from (select 1) as one
      left join appointment_type t on t.coach_id = $1 and t.id = $2 and t.deleted_at is null ${joinMessageSettings}`,
    values: [ctx.coachId, appointmentTypeId],
  })
  const { typeId, isManual, rules } = found!
  if (appointmentTypeId !== null && typeId === null) throw appointmentType.notFound()
  const times = { startTime: startTime.toISOString(), endTime: endTime.toISOString() }
  const email = 'client@example.com'
  const state: PlanState = {
    ...times,
    place: null,
    email,
    tentative: isManual,
    isCancelled: false,
    version: 1,
    followedUpAt: null,
    rules,
  }
  const appointment: MessageAppointment = {
    ...state,
    id: 0,
    title: '',
    attendeeName: '',
    attendeeEmail: email,
    timezone: ctx.account.timezone,
    status: isManual ? 'scheduled' : 'confirmed',
    cancellationReason: null,
    uidNamesHost: false,
    moveReason: null,
    sessionsLeft: null,
  }
  const now = ctx.now()
  const planned = decideMessages({ state, announcements: [], notify: true, now })
  const told = { ...times, place: null, email: ctx.account.email, tentative: isManual }
  const toCoach = { kind: 'coach_booked', sequence: 1, leadMinutes: 0, dueAt: now, told, reason: null } as const
  const reader = { ...ctx, isOn: await loadChoices(ctx) }
  return [...planned, toCoach].map((one) => ({ ...describePlanned(reader, one, appointment), email: null }))
}

function listRows(ctx: Ctx, appointmentId: number): Promise<Row[]> {
  return ctx.query<Row>({
    name: 'scheduling.messages-of-appointment',
    text: `select id, kind, lead_minutes as "leadMinutes", email, skip_reason as "skipReason",
        ${isoTimestamp('start_time')} as "startTime", ${isoTimestamp('due_at')} as "dueAt",
        ${isoTimestamp('claimed_at')} as "claimedAt", ${isoTimestamp('sent_at')} as "sentAt"
      from appointment_message
      where coach_id = $1 and appointment_id = $2 and skip_reason is distinct from 'superseded'
      order by coalesce(sent_at, due_at), id`,
    values: [ctx.coachId, appointmentId],
  })
}

function describeRow(ctx: Reader, row: Row, appointment: MessageAppointment | undefined): SimulatedMessage {
  const { id, kind, leadMinutes, email, dueAt, claimedAt, sentAt, skipReason } = row
  const shared = { id, kind, label: describeKind(kind, leadMinutes), email, why: describeOccasion(row) }
  if (sentAt !== null) return { ...shared, state: 'sent', at: sentAt }
  if (skipReason !== null) return { ...shared, state: 'left-out', at: null, why: skipReasons[skipReason] }
  if (claimedAt === null) return describeWaiting(ctx, row, appointment, { ...shared, dueAt: new Date(dueAt) })
  return isInDoubt(claimedAt, ctx.now())
    ? { ...shared, state: 'in-doubt', at: claimedAt, why: 'The mail server did not say whether it took it.' }
    : { ...shared, state: 'sending', at: claimedAt }
}

function describePlanned(
  ctx: Reader,
  planned: PlannedMessage,
  appointment: MessageAppointment | undefined,
): SimulatedMessage {
  const { kind, leadMinutes, told, dueAt, reason } = planned
  const email = told.email || null
  const shared = { id: null, kind, label: describeKind(kind, leadMinutes), email, why: describeOccasion(planned) }
  if (reason !== null) return { ...shared, state: 'left-out', at: null, why: planReasons[reason] }
  const message = { kind, leadMinutes, email: told.email, startTime: told.startTime, dueAt: dueAt.toISOString() }
  return describeWaiting(ctx, message, appointment, { ...shared, dueAt })
}

/** Says what the check at the moment of sending will find, if nothing changes until then. */
function describeWaiting(
  ctx: Reader,
  message: Parameters<typeof findSkipReason>[0],
  appointment: MessageAppointment | undefined,
  { dueAt, ...shared }: Omit<SimulatedMessage, 'state' | 'at'> & { dueAt: Date },
): SimulatedMessage {
  const at = dueAt > ctx.now() ? dueAt : ctx.now()
  const reason = findSkipReason(message, appointment, {
    now: at,
    emailVerified: ctx.account.emailVerified,
    isOn: ctx.isOn,
  })
  return reason === null
    ? { ...shared, state: 'planned', at: at.toISOString() }
    : { ...shared, state: 'left-out', at: null, why: skipReasons[reason] }
}

const occasions = {
  confirmation: 'It is booked.',
  change: 'Its time or place changed.',
  cancellation: 'It was cancelled.',
  coach_booked: 'A client booked it.',
  coach_moved: 'A client moved it.',
  coach_cancelled: 'A client cancelled it.',
}

function describeOccasion({ kind, leadMinutes }: { kind: MessageKind; leadMinutes: number }): string {
  if (kind === 'reminder') return `${formatLead(leadMinutes)} before it starts.`
  return kind === 'follow_up' ? `${formatLead(leadMinutes)} after it ends.` : occasions[kind]
}
