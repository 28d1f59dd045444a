import { isoTimestamp } from '#db/read-pool.ts'
import { joinClient } from '#modules/crm/index.ts'
import { joinProspect } from '#modules/pipeline/index.ts'
import type { WriteCtx } from '#tenants/context.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { messageKinds, reminderKinds, type MessageKind } from './kinds.ts'

/** The queue that sends a message. */
export const messageQueue = 'scheduling.send-message'

/** Seconds before a change or cancellation is sent, so that it can be undone. */
const undoSeconds = 60

type Planned = { startTime: string; endTime: string; place: string | null; email: string; tentative: boolean }
type AppointmentState = Omit<Planned, 'email'> & { email: string | null; isCancelled: boolean; version: number }
type Announcement = Planned & { kind: MessageKind; sequence: number; wasSent: boolean }

/**
 * Plans the emails that tell the attendee what has changed, and the reminders. Call it in the transaction of every change
 * of an appointment: without a change that matters to the attendee it plans nothing. Attendees without a confirmation
 * get nothing about its changes; `notify` sends them one.
 */
export async function planMessages(ctx: WriteCtx, appointmentId: number, { notify = false } = {}): Promise<void> {
  const announcements = await listAnnouncements(ctx, appointmentId)
  if (!announcements.length && !notify) return
  const state = await readState(ctx, appointmentId)
  if (!state) return
  await removePending(ctx, appointmentId)
  const now = ctx.now()
  const told = announcements.findLast(({ wasSent }) => wasSent)
  const isInvited = told !== undefined && told.kind !== 'cancellation'
  let sequence = announcements.at(-1)?.sequence ?? 0
  const announce = (kind: MessageKind, planned: Planned, delay = undoSeconds) => {
    sequence = Math.max(sequence + 1, state.version)
    const dueAt = new Date(now.getTime() + delay * 1000)
    return insertMessage(ctx, { appointmentId, kind, sequence, planned, dueAt })
  }

  const hasOtherAddress = isInvited && state.email?.toLowerCase() !== told.email.toLowerCase()
  if (isInvited && (state.isCancelled || hasOtherAddress) && new Date(told.startTime) > now)
    await announce('cancellation', told)
  if (state.isCancelled || state.email === null || new Date(state.endTime) <= now) return

  const planned = { ...state, email: state.email }
  if (!isInvited || hasOtherAddress || (told.tentative && !state.tentative)) await announce('confirmation', planned, 0)
  else if (differs(told, planned)) await announce('change', planned)
  for (const kind of reminderKinds) {
    const dueAt = new Date(new Date(state.startTime).getTime() - messageKinds[kind].lead * 60_000)
    if (dueAt > now) await insertMessage(ctx, { appointmentId, kind, sequence, planned, dueAt })
  }
}

const differs = (told: Planned, now: Planned): boolean =>
  told.startTime !== now.startTime || told.endTime !== now.endTime || told.place !== now.place

async function readState(ctx: WriteCtx, appointmentId: number): Promise<AppointmentState | undefined> {
  const [state] = await ctx.query<AppointmentState>({
    name: 'scheduling.message-state',
    text: `select ${isoTimestamp('a.start_time')} as "startTime", ${isoTimestamp('a.end_time')} as "endTime", a.version,
        coalesce(a.meeting_url, a.location) as place, coalesce(c.email, p.email) as email,
        ${isTentativeSql} as tentative, a.status = 'cancelled' or a.deleted_at is not null as "isCancelled"
      from appointment a ${joinClient('a')} ${joinProspect('a')}
      left join appointment_type t on t.coach_id = $1 and t.id = a.appointment_type_id
      where a.coach_id = $1 and a.id = $2`,
    values: [ctx.coachId, appointmentId],
  })
  return state
}

/** SQL over an appointment `a` and its type `t`: a visitor's booking that the coach has not confirmed. */
export const isTentativeSql = `(a.booked_online and a.status = 'scheduled' and coalesce(t.confirmation, '') = 'manual')`

/** The announcements that the attendee got or will get, oldest first. */
function listAnnouncements(ctx: WriteCtx, appointmentId: number): Promise<Announcement[]> {
  return ctx.query<Announcement>({
    name: 'scheduling.announcements',
    text: `select kind, sequence, email, place, tentative,
        ${isoTimestamp('start_time')} as "startTime", ${isoTimestamp('end_time')} as "endTime",
        claimed_at is not null and skip_reason is null as "wasSent"
      from appointment_message
      where coach_id = $1 and appointment_id = $2 and kind in ('confirmation', 'change', 'cancellation')
      order by sequence`,
    values: [ctx.coachId, appointmentId],
  })
}

/** Removes unsent messages, to plan them again. Announcements stay: they show that the attendee gets emails. */
async function removePending(ctx: WriteCtx, appointmentId: number): Promise<void> {
  const pending = 'coach_id = $1 and appointment_id = $2 and claimed_at is null and skip_reason is null'
  await ctx.query({
    name: 'scheduling.delete-reminders',
    text: `delete from appointment_message where ${pending} and kind in ('reminder_day', 'reminder_hour')`,
    values: [ctx.coachId, appointmentId],
  })
  await ctx.query({
    name: 'scheduling.supersede-messages',
    text: `update appointment_message set skip_reason = 'superseded' where ${pending}`,
    values: [ctx.coachId, appointmentId],
  })
}

type NewMessage = { appointmentId: number; kind: MessageKind; sequence: number; planned: Planned; dueAt: Date }

async function insertMessage(ctx: WriteCtx, { appointmentId, kind, sequence, planned, dueAt }: NewMessage) {
  const { email, startTime, endTime, place, tentative } = planned
  const row = {
    appointmentId,
    kind,
    sequence,
    email,
    startTime,
    endTime,
    place,
    tentative,
    dueAt,
    createdAt: ctx.now(),
  }
  const messageId = await insertRow(ctx, { table: 'appointment_message', name: 'scheduling.add-message', row })
  await enqueueMessage(ctx, { messageId, dueAt })
}

/** The job waits in seconds: the queue's clock is that of the database. */
export async function enqueueMessage(
  ctx: Pick<WriteCtx, 'coachId' | 'enqueue' | 'now'>,
  { messageId, dueAt }: { messageId: number; dueAt: Date },
): Promise<void> {
  const startAfter = Math.max(0, Math.ceil((dueAt.getTime() - ctx.now().getTime()) / 1000))
  await ctx.enqueue(messageQueue, { coachId: ctx.coachId, messageId }, { startAfter })
}
