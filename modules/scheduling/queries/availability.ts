import { AppError } from '#app/lib/errors.ts'
import { dayMs } from '#app/lib/time.ts'
import type { Query } from '#db/read-pool.ts'
import { planIncludes } from '#tenants/accounts/plans.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { hashHoldToken } from '../availability/hold-token.ts'
import {
  listFreeStarts,
  listSlots,
  type BusyTime,
  type RefusedSlot,
  type Schedule,
  type SlotRequest,
  type SlotRules,
} from '../availability/slots.ts'
import { appointmentType, type AppointmentTypeRecord } from '../records.ts'

export type AvailabilityQuery = {
  type: { id: number } | { slug: string }
  /** The range of starts; `to` is exclusive. */
  from: Date
  to: Date
  /** This hold doesn't count: it is the visitor's own. */
  holdToken?: string | undefined
  /** This appointment doesn't count: it is being moved. */
  exceptAppointmentId?: number | undefined
  /** Says only when time is taken: by what is left out unless limits count it, and every refusal is 'booked'. */
  onlyFree?: boolean
}

/** An appointment type with what decides when it can be booked. */
export type Availability = {
  type: AppointmentTypeRecord
  schedule: Schedule
  /** The rules of the type, or of its schedule. */
  rules: Omit<SlotRules, 'durationMinutes' | 'slotIntervalMinutes'> & { slotIntervalMinutes: number | null }
  busy: BusyTime[]
}

/** Reads all that `listSlots` needs, in one round trip. Throws not_found. */
export async function getAvailability(ctx: Ctx, query: AvailabilityQuery): Promise<Availability> {
  authorize(ctx, 'scheduling:availability:read')
  const [[found], [taken]] = (await ctx.queryAll([rulesQuery(ctx, query.type), busyQuery(ctx, query)])) as [
    RulesRow[],
    [BusyRow],
  ]
  if (!found) throw appointmentType.notFound()
  const { active, ...type } = found
  const { hours, overrides, timezone, ...limits } = active ?? noSchedule
  return {
    type,
    busy: toBusyTimes(taken),
    schedule: {
      timezone: timezone ?? ctx.account.timezone,
      weekStart: ctx.account.weekStart,
      hours,
      overrides,
      dailyLimit: limits.dailyLimit,
      weeklyLimit: limits.weeklyLimit,
    },
    rules: {
      typeId: type.id,
      bufferBefore: type.bufferBefore ?? limits.bufferBefore,
      bufferAfter: type.bufferAfter ?? limits.bufferAfter,
      minimumNoticeMinutes: type.minimumNoticeMinutes ?? limits.minimumNoticeMinutes,
      bookingWindowDays: type.bookingWindowDays ?? limits.bookingWindowDays,
      dailyLimit: type.dailyLimit,
      weeklyLimit: type.weeklyLimit,
      slotIntervalMinutes: type.slotIntervalMinutes ?? limits.slotIntervalMinutes,
    },
  }
}

type SlotsQuery = AvailabilityQuery & {
  /** By default the usual one. */
  durationMinutes?: number | undefined
}

/** The slots that can be booked, and the others with the reason. */
export async function getSlots(
  ctx: Ctx,
  { durationMinutes, ...query }: SlotsQuery,
): Promise<ReturnType<typeof listSlots>> {
  const { from, to } = query
  return listSlots({ ...toSlotRequest(ctx, await getAvailability(ctx, query), durationMinutes), from, to })
}

type FreeStarts = { starts: number[]; listRefused(): RefusedSlot[]; availability: Availability }

/** The starts of those that can be booked, in milliseconds. `listRefused` says why not others. */
export function toFreeStarts(
  ctx: Ctx,
  availability: Availability,
  { durationMinutes, from, to }: Pick<SlotsQuery, 'durationMinutes' | 'from' | 'to'>,
): FreeStarts {
  const request = { ...toSlotRequest(ctx, availability, durationMinutes), from, to }
  return { starts: listFreeStarts(request), listRefused: () => listSlots(request).refused, availability }
}

/** Throws validation_failed for a duration that the type doesn't offer. */
export function toSlotRequest(
  ctx: Ctx,
  { type, schedule, rules, busy }: Availability,
  durationMinutes = type.durations[0]!,
): Omit<SlotRequest, 'from' | 'to'> {
  if (!type.durations.includes(durationMinutes))
    throw new AppError('validation_failed', 'Choose one of the durations.', { field: 'duration' })
  const slotIntervalMinutes = rules.slotIntervalMinutes ?? durationMinutes
  return { schedule, type: { ...rules, durationMinutes, slotIntervalMinutes }, busy, now: ctx.now() }
}

type ScheduleRow = Omit<Schedule, 'timezone' | 'weekStart'> & {
  timezone: string | null
  bufferBefore: number
  bufferAfter: number
  minimumNoticeMinutes: number
  bookingWindowDays: number
  slotIntervalMinutes: number | null
}
type RulesRow = AppointmentTypeRecord & { active: ScheduleRow | null }

/** Without working hours nothing can be booked. */
const noSchedule: ScheduleRow = {
  timezone: null,
  hours: [],
  overrides: [],
  bufferBefore: 0,
  bufferAfter: 0,
  minimumNoticeMinutes: 0,
  bookingWindowDays: 60,
  dailyLimit: null,
  weeklyLimit: null,
  slotIntervalMinutes: null,
}

/** A type with its schedule: its own unless that is in the trash, otherwise the default. */
function rulesQuery({ coachId }: Ctx, type: AvailabilityQuery['type']): Query {
  const [name, filter, value] =
    'id' in type ? (['id', 't.id', type.id] as const) : (['slug', 't.slug', type.slug] as const)
  return {
    name: `scheduling.availability-by-${name}`,
    text: `select ${appointmentType.select}, (
        select json_build_object('timezone', s.timezone, 'bufferBefore', s.buffer_before, 'bufferAfter', s.buffer_after,
          'minimumNoticeMinutes', s.minimum_notice_minutes, 'bookingWindowDays', s.booking_window_days,
          'dailyLimit', s.daily_limit, 'weeklyLimit', s.weekly_limit, 'slotIntervalMinutes', s.slot_interval_minutes,
          'hours', (
            select coalesce(json_agg(json_build_object(
              'weekday', r.weekday, 'startMinute', r.start_minute, 'endMinute', r.end_minute)), '[]')
            from availability_range r where r.coach_id = $1 and r.schedule_id = s.id),
          'overrides', (
            select coalesce(json_agg(json_build_object(
              'date', o.date, 'startMinute', o.start_minute, 'endMinute', o.end_minute)), '[]')
            from availability_override o where o.coach_id = $1 and o.schedule_id = s.id))
        from availability_schedule s
        where s.coach_id = $1 and s.deleted_at is null and (s.id = t.schedule_id or s.is_default)
        order by s.id = t.schedule_id desc nulls last limit 1) as active
      from appointment_type t where t.coach_id = $1 and ${filter} = $2 and t.deleted_at is null`,
    values: [coachId, value],
  }
}

/** Whether the events of connected calendars take time: not on a plan without them, where they are no longer read. */
export const countsOtherCalendars = ({ plan }: Ctx): boolean => planIncludes(plan, 'calendar-sync')

/** Either all about the busy times, or with null for it only when they begin and end. */
type BusyRow = { details: Detail[]; blocked: null } | { details: null; blocked: [number[], number[]] }
type Detail = [BusyTime['kind'], BusyTime['typeId'], number, number, number, number]

function toBusyTimes({ details, blocked }: BusyRow): BusyTime[] {
  if (details)
    return details.map(([kind, typeId, start, end, blockedFrom, blockedUntil]) => ({
      kind,
      typeId,
      start,
      end,
      blockedFrom,
      blockedUntil,
    }))
  const [starts, ends] = blocked
  return starts.map((start, index) => {
    const end = ends[index]!
    return { kind: 'appointment', typeId: null, start, end, blockedFrom: start, blockedUntil: end }
  })
}

/** One row with lists, which takes a third of the time of hundreds of rows, and half of that without details. */
function busyQuery(ctx: Ctx, { from, to, holdToken, exceptAppointmentId, onlyFree = false }: AvailabilityQuery): Query {
  return {
    name: 'scheduling.busy-times',
    text: `select
        case when ${needsDetailsSql} then coalesce(json_agg(json_build_array(
          case when b.appointment_id is not null then 'appointment' when b.hold_token_hash is not null then 'hold'
            when b.source = 'google' then 'google' else 'external' end,
          b.appointment_type_id, ${toMilliseconds('b.start_time')}, ${toMilliseconds('b.end_time')},
          ${toMilliseconds('lower(b.during)')}, ${toMilliseconds('upper(b.during)')}
        )) filter (where ${needsDetailsSql}), '[]') end as details,
        case when not ${needsDetailsSql} then json_build_array(
          coalesce(json_agg(${toMilliseconds('lower(b.during)')}) filter (where not ${needsDetailsSql}), '[]'),
          coalesce(json_agg(${toMilliseconds('upper(b.during)')}) filter (where not ${needsDetailsSql}), '[]')
        ) end as blocked
      from busy_time b
      where b.coach_id = $1
        and b.end_time > case when ${countsWeeksSql} then $2::timestamptz else $8 end
        and b.start_time < case when ${countsWeeksSql} then $3::timestamptz else $9 end and (b.expires_at is null or b.expires_at > $4)
        and ($5::bytea is null or b.hold_token_hash is distinct from $5)
        and ($6::bigint is null or b.appointment_id is distinct from $6) and ($7 or b.source is null)`,
    values: [
      ctx.coachId,
      new Date(from.getTime() - weekMarginMs),
      new Date(to.getTime() + weekMarginMs),
      ctx.now(),
      holdToken === undefined ? null : hashHoldToken(holdToken),
      exceptAppointmentId ?? null,
      countsOtherCalendars(ctx),
      new Date(from.getTime() - slotMarginMs),
      new Date(to.getTime() + slotMarginMs),
      onlyFree,
    ],
  }
}

/** SQL: a schedule or a type of the coach limits the appointments of a day or a week. */
const countsWeeksSql = `(select exists (select 1 from availability_schedule s
    where s.coach_id = $1 and s.deleted_at is null and (s.daily_limit is not null or s.weekly_limit is not null))
  or exists (select 1 from appointment_type t
    where t.coach_id = $1 and t.deleted_at is null and (t.daily_limit is not null or t.weekly_limit is not null)))`

/** SQL: the answer says why a time is taken, or the busy times are counted. */
const needsDetailsSql = `(select not $10::boolean or ${countsWeeksSql})`

// `extract` computes with numeric, which is slower.
const toMilliseconds = (timestamp: string) => `(date_part('epoch', ${timestamp}) * 1000)::bigint`

/** `listSlots` counts the appointments of whole weeks, in the time zone of a schedule that is not known yet. */
const weekMarginMs = 9 * dayMs
/** Longer than a session with its buffers. */
const slotMarginMs = 3 * dayMs
