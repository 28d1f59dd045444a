import { formValues } from '#app/lib/fields.ts'
import { listWeekdays } from '#app/lib/clock.ts'
import { addDays, dayStart, formatTime, localDate } from '#app/lib/time.ts'
import { otherTimezones } from '#app/lib/timezones.ts'
import type { Ctx } from '#tenants/context.ts'
import { availabilityUrl } from './availability-state.ts'
import { formatRanges } from './availability/hours.ts'
import { refusalLabels } from './availability/slots.ts'
import { scheduleFields, weekdayFields } from './booking-fields.ts'
import { formatDay } from './format.ts'
import { getSlots } from './queries/availability.ts'
import { listSchedules } from './queries/schedules.ts'
import { listAppointmentTypes } from './queries/types.ts'
import type { AppointmentTypeRecord, ScheduleRecord } from './records.ts'

const shortVisibilities = { hidden: 'Not bookable', link: 'By link', public: 'Public' }

/** The schedules, the chosen one, and the preview of a day. */
export async function loadAvailability(ctx: Ctx, url: string) {
  const state = availabilityUrl.parse(url)
  const [schedules, types] = await Promise.all([listSchedules(ctx), listAppointmentTypes(ctx)])
  const ordered = schedules.toReversed().sort((a, b) => Number(b.isDefault) - Number(a.isDefault))
  const chosen = state.schedule === null ? ordered[0] : ordered.find(({ id }) => id === state.schedule)
  const zone = chosen?.timezone ?? ctx.account.timezone
  const today = localDate(ctx.now(), zone)
  return {
    state,
    isMissing: state.schedule !== null && !chosen,
    ownZone: ctx.account.timezone,
    zones: otherTimezones(zone),
    schedules: ordered.map(({ id, name, isDefault }) => ({ id, name, isDefault })),
    week: listWeekdays(ctx.account.weekStart).map((weekday) => weekdayFields[weekday]!),
    schedule: chosen ? toScheduleView(chosen, ctx.account, today) : null,
    types: types
      .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
      .map(({ id, name, color, visibility }) => ({ id, name, color, visibility: shortVisibilities[visibility] })),
    preview: await loadPreview(ctx, state, types, ordered),
  }
}

function toScheduleView(schedule: ScheduleRecord, { timeFormat }: Ctx['account'], today: string) {
  const { id, name, isDefault, version, hours, overrides } = schedule
  const ranges = (weekday: number) =>
    formatRanges(
      hours.filter((range) => range.weekday === weekday),
      timeFormat,
    )
  return {
    id,
    name,
    isDefault,
    version,
    values: {
      ...formValues(scheduleFields, schedule),
      ...Object.fromEntries(weekdayFields.map((field, weekday) => [field, ranges(weekday)])),
    } as Record<string, string>,
    overrides: overrides.map((override) => ({
      date: override.date,
      label: formatDay(override.date, today),
      hours: override.ranges.length ? formatRanges(override.ranges, timeFormat) : 'Day off',
      isPast: override.date < today,
    })),
  }
}

type State = ReturnType<typeof availabilityUrl.parse>

/** The slots of one day, offered or not. Null without an appointment type. */
async function loadPreview(ctx: Ctx, state: State, types: AppointmentTypeRecord[], schedules: ScheduleRecord[]) {
  const type =
    types.find(({ id }) => id === state.type) ?? types.find(({ visibility }) => visibility !== 'hidden') ?? types[0]
  if (!type) return null
  const schedule = schedules.find(({ id }) => id === type.scheduleId) ?? schedules.find(({ isDefault }) => isDefault)
  const zone = schedule?.timezone ?? ctx.account.timezone
  const today = localDate(ctx.now(), zone)
  const day = state.day ?? addDays(today, 1)
  const settings = { ...ctx.account, timezone: zone }
  const minutes = type.durations.find((each) => each === Number(state.minutes)) ?? type.durations[0]!
  const { slots, refused } = await getSlots(ctx, {
    type: { id: type.id },
    durationMinutes: minutes,
    from: dayStart(day, zone),
    to: dayStart(addDays(day, 1), zone),
  })
  return {
    typeId: type.id,
    durations: type.durations,
    minutes,
    day,
    title: formatDay(day, today),
    zone,
    scheduleName: schedule?.name ?? null,
    slots: slots.map(({ start }) => formatTime(start, settings)),
    refused: refused.map(({ start, reason }) => ({
      key: start.getTime(),
      time: formatTime(start, settings),
      reason: refusalLabels[reason],
    })),
  }
}
