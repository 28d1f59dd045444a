import { isoTimestamp } from '#db/read-pool.ts'
import { joinClient } from '#modules/crm/index.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import type { MessageKind, PlanReason } from './kinds.ts'
import type { MessageRules } from './message.ts'
import { joinMessageSettings, messageRulesSql } from './rules-sql.ts'
import { joinProspect } from '../prospects.ts'

/** The queue that sends a message. */
export const messageQueue = 'scheduling.send-message'

/** Seconds before a change or cancellation is sent, so that it can be undone. */
const undoSeconds = 60

type Told = { startTime: string; endTime: string; place: string | null; email: string; tentative: boolean }
/** The parts of an appointment that decide about its messages. */
export type PlanState = Omit<Told, 'email'> & {
  email: string | null
  isCancelled: boolean
  version: number
  /** When the last follow-up was sent. */
  followedUpAt: string | null
  rules: MessageRules
}
export type Announcement = Told & { kind: MessageKind; sequence: number; wasSent: boolean }
/** A message as it is planned, or with the reason why it isn't. */
export type PlannedMessage = {
  kind: MessageKind
  sequence: number
  leadMinutes: number
  dueAt: Date
  told: Told
  reason: PlanReason | null
}

/**
 * Plans the emails that tell the attendee what has changed, the reminders and the follow-up. Call it in the transaction
 * of every change of an appointment: without a change that matters to the attendee it plans nothing. Attendees without
 * a confirmation get nothing about its changes; `notify` sends them one.
 */
export async function planMessages(ctx: WriteCtx, appointmentId: number, { notify = false } = {}): Promise<void> {
  const announcements = await listAnnouncements(ctx, appointmentId)
  if (!announcements.length && !notify) return
  const state = await readPlanState(ctx, appointmentId)
  if (!state) return
  const now = ctx.now()
  await removePending(ctx, appointmentId, { now, startTime: state.startTime })
  await insertMessages(ctx, appointmentId, listPlanned({ state, announcements, notify, now }))
}

/**
 * As `planMessages`, for a new appointment: nothing was planned before. `state`: undefined if its attendee gets no
 * emails. Adds `others` to the messages.
 */
export async function planFirstMessages(
  ctx: WriteCtx,
  appointmentId: number,
  { state, others }: { state: PlanState | undefined; others: NewMessage[] },
): Promise<void> {
  const planned = state ? listPlanned({ state, announcements: [], notify: true, now: ctx.now() }) : []
  await insertMessages(ctx, appointmentId, [...planned, ...others])
}

const listPlanned = (decision: Decision): PlannedMessage[] =>
  decideMessages(decision).filter(({ reason }) => reason === null)

type Decision = { state: PlanState; announcements: Announcement[]; notify: boolean; now: Date }

/** Decides which messages an appointment gets from now on, and why not others. */
export function decideMessages({ state, announcements, notify, now }: Decision): PlannedMessage[] {
  const told = announcements.findLast(({ wasSent }) => wasSent)
  const invitation = told && told.kind !== 'cancellation' ? told : null
  const planned: PlannedMessage[] = []
  let sequence = announcements.at(-1)?.sequence ?? 0
  const announce = (kind: MessageKind, about: Told, { delay = 0, reason = null as PlanReason | null } = {}) => {
    if (reason === null) sequence = Math.max(sequence + 1, state.version)
    const dueAt = new Date(now.getTime() + delay * 1000)
    planned.push({ kind, sequence, leadMinutes: 0, dueAt, told: about, reason })
  }

  const hasOtherAddress = invitation !== null && state.email?.toLowerCase() !== invitation.email.toLowerCase()
  if (invitation && (state.isCancelled || hasOtherAddress) && new Date(invitation.startTime) > now)
    announce('cancellation', invitation, { delay: undoSeconds })

  const refusal = findRefusal(state, announcements.length > 0 || notify)
  const current = { ...state, email: state.email ?? '' }
  const reason = refusal ?? (new Date(state.endTime) <= now ? 'late' : null)
  if (!invitation || hasOtherAddress || (invitation.tentative && !state.tentative))
    announce('confirmation', current, { reason })
  else if (reason === null && differs(invitation, current)) announce('change', current, { delay: undoSeconds })

  const wait = (kind: MessageKind, leadMinutes: number, dueAt: Date) => {
    const isOver = dueAt <= now ? 'late' : null
    planned.push({ kind, sequence, leadMinutes, dueAt, told: current, reason: refusal ?? isOver })
  }
  const { reminderMinutes, followUpMinutes } = state.rules
  for (const lead of reminderMinutes) wait('reminder', lead, addMinutes(state.startTime, -lead))
  if (followUpMinutes !== null) wait('follow_up', followUpMinutes, addMinutes(state.endTime, followUpMinutes))
  const off = { sequence, leadMinutes: 0, dueAt: now, told: current, reason: 'off' } as const
  if (!reminderMinutes.length) planned.push({ kind: 'reminder', ...off })
  if (followUpMinutes === null) planned.push({ kind: 'follow_up', ...off })
  return planned.filter(({ kind }) => kind !== 'follow_up' || !isFollowedUp(state))
}

/** A follow-up that was sent counts, unless the session was moved and begins after it. */
const isFollowedUp = ({ followedUpAt, startTime }: PlanState): boolean =>
  followedUpAt !== null && followedUpAt >= startTime

function findRefusal({ isCancelled, email }: PlanState, isAnnounced: boolean): PlanReason | null {
  if (!isAnnounced) return 'not-announced'
  if (isCancelled) return 'cancelled'
  return email === null ? 'no-address' : null
}

const addMinutes = (time: string, minutes: number): Date => new Date(new Date(time).getTime() + minutes * 60_000)

const differs = (told: Told, now: Told): boolean =>
  told.startTime !== now.startTime || told.endTime !== now.endTime || told.place !== now.place

/** Undefined for an unknown appointment. */
export async function readPlanState(ctx: Ctx, appointmentId: number): Promise<PlanState | undefined> {
  const [state] = await ctx.query<PlanState>({
    name: 'scheduling.message-state',
    text: `select ${isoTimestamp('a.start_time')} as "startTime", ${isoTimestamp('a.end_time')} as "endTime", a.version,
        coalesce(a.meeting_url, a.location) as place, coalesce(c.email, p.email) as email,
        ${isTentativeSql} as tentative, a.status = 'cancelled' or a.deleted_at is not null as "isCancelled",
        (select ${isoTimestamp('max(m.claimed_at)')} from appointment_message m
          where m.coach_id = $1 and m.appointment_id = a.id and m.kind = 'follow_up' and m.claimed_at is not null
            and m.skip_reason is null) as "followedUpAt",
        ${messageRulesSql} as rules
      from appointment a ${joinClient('a')} ${joinProspect('a')}
      left join appointment_type t on t.coach_id = $1 and t.id = a.appointment_type_id ${joinMessageSettings}
      where a.coach_id = $1 and a.id = $2`,
    values: [ctx.coachId, appointmentId],
  })
  return state
}

/** SQL over an appointment `a` and its type `t`: a visitor's booking that the coach has not confirmed. */
export const isTentativeSql = `(a.booked_online and a.status = 'scheduled' and coalesce(t.confirmation, '') = 'manual')`

/** The announcements that the attendee got or will get, oldest first. */
export function listAnnouncements(ctx: Ctx, appointmentId: number): Promise<Announcement[]> {
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

/**
 * Removes unsent messages, to plan them again. Announcements stay: they show that the attendee gets emails. So do
 * reminders that are due, unless the appointment was moved, and messages to the coach.
 */
async function removePending(
  ctx: WriteCtx,
  appointmentId: number,
  { now, startTime }: { now: Date; startTime: string },
): Promise<void> {
  const pending = 'coach_id = $1 and appointment_id = $2 and claimed_at is null and skip_reason is null'
  await ctx.query({
    name: 'scheduling.delete-reminders',
    text: `delete from appointment_message where ${pending} and kind in ('reminder', 'follow_up')
      and (due_at > $3 or start_time <> $4)`,
    values: [ctx.coachId, appointmentId, now, startTime],
  })
  await ctx.query({
    name: 'scheduling.supersede-messages',
    text: `update appointment_message set skip_reason = 'superseded'
      where ${pending} and kind in ('confirmation', 'change', 'cancellation')`,
    values: [ctx.coachId, appointmentId],
  })
}

export type NewMessage = Pick<PlannedMessage, 'kind' | 'sequence' | 'leadMinutes' | 'told' | 'dueAt'>

/** Adds messages and the jobs that send them; one that is there already stays as it is. */
export async function insertMessages(ctx: WriteCtx, appointmentId: number, messages: NewMessage[]): Promise<void> {
  if (!messages.length) return
  const values: unknown[] = [ctx.coachId, appointmentId, ctx.now()]
  const bind = (value: unknown) => `$${values.push(value)}`
  const rows = messages.map(({ kind, sequence, leadMinutes, dueAt, told }) => {
    const { email, startTime, endTime, place, tentative } = told
    const own = [kind, sequence, leadMinutes, dueAt, email, startTime, endTime, place, tentative]
    return `($1, $2, $3, ${own.map(bind).join(', ')})`
  })
  const added = await ctx.query<{ messageId: number; dueAt: number }>({
    name: `scheduling.add-messages-${messages.length}`,
    text: `insert into appointment_message (coach_id, appointment_id, created_at, kind, sequence, lead_minutes, due_at,
        email, start_time, end_time, place, tentative)
      values ${rows.join(', ')}
      on conflict (coach_id, appointment_id, kind, sequence, lead_minutes) do nothing
      returning id as "messageId", (extract(epoch from due_at) * 1000)::bigint as "dueAt"`,
    values,
  })
  const { coachId } = ctx
  await ctx.enqueueAll(
    messageQueue,
    added.map(({ messageId, dueAt }) => ({ data: { coachId, messageId }, startAfter: toDelay(ctx, dueAt) })),
  )
}

export async function enqueueMessage(
  ctx: Pick<WriteCtx, 'coachId' | 'enqueue' | 'now'>,
  { messageId, dueAt }: { messageId: number; dueAt: Date },
): Promise<void> {
  await ctx.enqueue(messageQueue, { coachId: ctx.coachId, messageId }, { startAfter: toDelay(ctx, dueAt.getTime()) })
}

/** The job waits in seconds: the queue's clock is that of the database. */
const toDelay = (ctx: Pick<WriteCtx, 'now'>, dueAt: number): number =>
  Math.max(0, Math.ceil((dueAt - ctx.now().getTime()) / 1000))
