import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, dayMs, localDate, localTime } from '#app/lib/time.ts'
import { checkSlot, formatMinute, listFreeStarts, listSlots, type BusyTime, type SlotRequest } from './slots.ts'

const at = (time: string) => new Date(time)
const weekdays = [1, 2, 3, 4, 5]
const minute = 60_000

/** Monday to Friday from 9 to 12 in New York, hourly; it is Monday, 2 March 2026, midnight there. */
const request = (more: { schedule?: object; type?: object; busy?: BusyTime[]; now?: Date } = {}) => ({
  schedule: {
    timezone: 'America/New_York',
    weekStart: 'sunday' as const,
    hours: weekdays.map((weekday) => ({ weekday, startMinute: 540, endMinute: 720 })),
    overrides: [],
    dailyLimit: null,
    weeklyLimit: null,
    ...more.schedule,
  },
  type: {
    typeId: 1,
    durationMinutes: 60,
    bufferBefore: 0,
    bufferAfter: 0,
    minimumNoticeMinutes: 0,
    bookingWindowDays: null,
    dailyLimit: null,
    weeklyLimit: null,
    slotIntervalMinutes: 60,
    ...more.type,
  },
  busy: more.busy ?? [],
  now: more.now ?? at('2026-03-02T05:00:00Z'),
})
const busy = (start: string, end: string, more: Partial<BusyTime> = {}): BusyTime => ({
  kind: 'appointment',
  typeId: 1,
  start: at(start).getTime(),
  end: at(end).getTime(),
  blockedFrom: at(start).getTime(),
  blockedUntil: at(end).getTime(),
  ...more,
})
const day = (date: string, zone = 'America/New_York') => ({
  from: at(`${date}T00:00:00Z`),
  to: new Date(at(`${date}T00:00:00Z`).getTime() + 2 * dayMs),
  zone,
})
/** The slots of a local day as '09:00', and the refused ones as '10:00 booked'. */
function show(options: Omit<SlotRequest, 'from' | 'to'>, date: string): string[] {
  const { timezone } = options.schedule
  const { from, to } = day(addDays(date, -1))
  const { slots, refused } = listSlots({ ...options, from, to: new Date(to.getTime() + dayMs) })
  return [
    ...slots.map(({ start }) => ({ start, text: localTime(start, timezone) })),
    ...refused.map(({ start, reason }) => ({ start, text: `${localTime(start, timezone)} ${reason}` })),
  ]
    .filter(({ start }) => localDate(start, timezone) === date)
    .sort((a, b) => a.start.getTime() - b.start.getTime())
    .map(({ text }) => text)
}

describe('the slots of a day', () => {
  test('begin at every interval of the working hours, and end within them', () => {
    expect(show(request(), '2026-03-03')).toEqual(['09:00', '10:00', '11:00'])
    expect(show(request({ type: { slotIntervalMinutes: 45 } }), '2026-03-03')).toEqual([
      '09:00',
      '09:45',
      '10:30',
      '11:15 outside-hours',
    ])
  })

  test('are none on a day without hours', () => {
    expect(show(request(), '2026-03-07')).toEqual([])
  })

  test('go on from one range into the next where they touch, also at midnight', () => {
    const hours = [
      { weekday: 1, startMinute: 1320, endMinute: 1440 },
      { weekday: 2, startMinute: 0, endMinute: 60 },
      { weekday: 2, startMinute: 60, endMinute: 90 },
    ]
    const long = { durationMinutes: 90, slotIntervalMinutes: 30 }
    expect(show(request({ schedule: { hours }, type: long }), '2026-03-02')).toEqual([
      '22:00',
      '22:30',
      '23:00',
      '23:30',
    ])
    expect(show(request({ schedule: { hours }, type: long }), '2026-03-03')).toEqual([
      '00:00',
      '00:30 outside-hours',
      '01:00 outside-hours',
    ])
  })

  test('follow an override of the date; the weekly hours are refused because of it', () => {
    const overrides = [
      { date: '2026-03-03', startMinute: 600, endMinute: 660 },
      { date: '2026-03-04', startMinute: null, endMinute: null },
      { date: '2026-03-07', startMinute: 600, endMinute: 660 },
    ]
    const options = request({ schedule: { overrides } })
    expect(show(options, '2026-03-03')).toEqual(['09:00 override', '10:00', '11:00 override'])
    expect(show(options, '2026-03-04')).toEqual(['09:00 override', '10:00 override', '11:00 override'])
    expect(show(options, '2026-03-07')).toEqual(['10:00'])
  })

  test('leave out what is booked, held or busy elsewhere, and the buffers on both sides', () => {
    expect(show(request({ busy: [busy('2026-03-03T15:30:00Z', '2026-03-03T16:00:00Z')] }), '2026-03-03')).toEqual([
      '09:00',
      '10:00 booked',
      '11:00',
    ])
    expect(
      show(
        request({ busy: [busy('2026-03-03T15:00:00Z', '2026-03-03T16:00:00Z', { kind: 'external', typeId: null })] }),
        '2026-03-03',
      ),
    ).toEqual(['09:00', '10:00 external', '11:00'])
    const withBuffers = busy('2026-03-03T15:00:00Z', '2026-03-03T16:00:00Z', {
      blockedUntil: at('2026-03-03T16:01:00Z').getTime(),
    })
    expect(show(request({ busy: [withBuffers], type: { bufferAfter: 1 } }), '2026-03-03')).toEqual([
      '09:00 buffer',
      '10:00 booked',
      '11:00 buffer',
    ])
  })

  test('begin after the notice and before the end of the window', () => {
    const notice = { minimumNoticeMinutes: 120 }
    expect(show(request({ type: notice, now: at('2026-03-03T13:00:00Z') }), '2026-03-03')).toEqual([
      '09:00 notice',
      '10:00',
      '11:00',
    ])
    const window = request({ type: { bookingWindowDays: 1 } })
    expect(show(window, '2026-03-03')).toEqual(['09:00', '10:00', '11:00'])
    expect(show(window, '2026-03-04')).toEqual(['09:00 window', '10:00 window', '11:00 window'])
  })

  test('end with the limits: those of the schedule count all appointments, those of the type its own', () => {
    const monday = busy('2026-03-02T20:00:00Z', '2026-03-02T21:00:00Z', { typeId: 2 })
    const daily = (more: object, type: object = {}) =>
      show(request({ busy: [monday], schedule: more, type }), '2026-03-02')
    expect(daily({ dailyLimit: 1 })).toEqual(['09:00 daily-limit', '10:00 daily-limit', '11:00 daily-limit'])
    expect(daily({ dailyLimit: 2 })).toEqual(['09:00', '10:00', '11:00'])
    expect(daily({}, { dailyLimit: 1 })).toEqual(['09:00', '10:00', '11:00'])
    expect(daily({}, { dailyLimit: 1, typeId: 2 })[0]).toBe('09:00 daily-limit')
    const weekly = request({ busy: [monday], schedule: { weeklyLimit: 1 } })
    expect(show(weekly, '2026-03-06')[0]).toBe('09:00 weekly-limit')
    expect(show(weekly, '2026-03-09')[0]).toBe('09:00')
  })

  test('a Sunday begins the next week, or ends the one before, as the coach counts', () => {
    const monday = busy('2026-03-02T20:00:00Z', '2026-03-02T21:00:00Z')
    const hours = [{ weekday: 0, startMinute: 540, endMinute: 600 }]
    const sunday = (weekStart: 'sunday' | 'monday' | 'saturday') =>
      show(request({ busy: [monday], schedule: { hours, weeklyLimit: 1, weekStart } }), '2026-03-08')
    expect(sunday('sunday')).toEqual(['09:00'])
    expect(sunday('saturday')).toEqual(['09:00'])
    expect(sunday('monday')).toEqual(['09:00 weekly-limit'])
  })

  test('external times count towards no limit', () => {
    const external = busy('2026-03-03T20:00:00Z', '2026-03-03T21:00:00Z', { kind: 'external', typeId: null })
    expect(show(request({ busy: [external], schedule: { dailyLimit: 1 } }), '2026-03-03')[0]).toBe('09:00')
  })
})

describe('when the clocks change', () => {
  const allNight = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, startMinute: 0, endMinute: 300 }))

  test('a skipped hour has no slots', () => {
    expect(show(request({ schedule: { hours: allNight } }), '2026-03-08')).toEqual(['00:00', '01:00', '03:00', '04:00'])
  })

  test('the slots of a repeated hour are offered in both', () => {
    const november = request({ schedule: { hours: allNight }, now: at('2026-10-30T00:00:00Z') })
    expect(show(november, '2026-11-01')).toEqual(['00:00', '01:00', '01:00', '02:00', '03:00', '04:00'])
  })

  test('hours that the clock skips as a whole have no slots', () => {
    const hours = [{ weekday: 0, startMinute: 120, endMinute: 180 }]
    expect(show(request({ schedule: { hours } }), '2026-03-08')).toEqual([])
    expect(show(request({ schedule: { hours } }), '2026-03-15')).toEqual(['02:00'])
  })
})

// Zones with a change of an hour, of half an hour, at midnight, across the date line, and without any.
const zones = [
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Pacific/Apia',
  'Africa/Casablanca',
  'Asia/Kathmandu',
  'UTC',
]
const times = fc
  .tuple(fc.integer({ min: 0, max: 287 }), fc.integer({ min: 1, max: 288 }))
  .map(([a, b]) => ({ startMinute: Math.min(a, b - 1) * 5, endMinute: Math.max(a + 1, b) * 5 }))
const minutes = (max: number) => fc.integer({ min: 0, max })
const limit = (max: number) => fc.option(fc.integer({ min: 1, max }))

/** Ten days, around a change of the clocks in most zones. */
const arbitraryRequest = fc
  .record({
    begin: fc.constantFrom(
      '2026-03-05',
      '2026-03-26',
      '2026-04-01',
      '2026-09-02',
      '2026-10-01',
      '2026-10-28',
      '2011-12-27',
    ),
    zone: fc.constantFrom(...zones),
    weekStart: fc.constantFrom('sunday' as const, 'monday' as const, 'saturday' as const),
    hours: fc.array(
      fc.record({ weekday: minutes(6), times }).map(({ weekday, times: range }) => ({ weekday, ...range })),
      { maxLength: 14 },
    ),
    overrides: fc.array(fc.record({ day: minutes(10), times: fc.option(times) }), { maxLength: 3 }),
    durationMinutes: fc.integer({ min: 5, max: 300 }),
    slotIntervalMinutes: fc.integer({ min: 5, max: 120 }),
    bufferBefore: minutes(60),
    bufferAfter: minutes(60),
    minimumNoticeMinutes: minutes(3000),
    bookingWindowDays: limit(12),
    limits: fc.tuple(limit(4), limit(8), limit(4), limit(8)),
    taken: fc.array(
      fc.record({
        start: minutes(10 * 1440),
        length: fc.integer({ min: 1, max: 600 }),
        before: minutes(60),
        after: minutes(60),
        typeId: fc.constantFrom(1, 2, null),
        kind: fc.constantFrom('appointment' as const, 'hold' as const, 'external' as const),
      }),
      { maxLength: 12 },
    ),
  })
  .map(({ begin, zone, weekStart, hours, overrides, limits, taken, ...type }) => {
    const from = at(`${begin}T00:00:00Z`)
    const [dailyLimit, weeklyLimit, ownDaily, ownWeekly] = limits
    return {
      schedule: {
        timezone: zone,
        weekStart,
        hours,
        overrides: overrides.map(({ day: days, times: range }) => ({
          date: addDays(begin, days),
          startMinute: range?.startMinute ?? null,
          endMinute: range?.endMinute ?? null,
        })),
        dailyLimit,
        weeklyLimit,
      },
      type: { typeId: 1, dailyLimit: ownDaily, weeklyLimit: ownWeekly, ...type },
      busy: taken.map(({ start, length, before, after, typeId, kind }): BusyTime => {
        const starts = from.getTime() + start * minute
        const ends = starts + length * minute
        return {
          kind,
          typeId,
          start: starts,
          end: ends,
          blockedFrom: starts - before * minute,
          blockedUntil: ends + after * minute,
        }
      }),
      now: new Date(from.getTime() - dayMs / 2),
      from,
      to: new Date(from.getTime() + 10 * dayMs),
    }
  })

describe('for random schedules, zones, busy times and limits', () => {
  test('the check before a booking accepts every offered slot, and refuses each other one for the same reason', () => {
    fc.assert(
      fc.property(arbitraryRequest, (example) => {
        const { slots, refused } = listSlots(example)
        for (const { start } of slots) expect(checkSlot(example, start)).toBeNull()
        for (const { start, reason } of refused) expect(checkSlot(example, start)).toBe(reason)
      }),
      { numRuns: 150 },
    )
  })

  test('the list of free starts alone is that of the offered slots', () => {
    fc.assert(
      fc.property(arbitraryRequest, (example) => {
        expect(listFreeStarts(example)).toEqual(listSlots(example).slots.map(({ start }) => start.getTime()))
      }),
      { numRuns: 150 },
    )
  })

  test('any time that is not offered is refused', () => {
    fc.assert(
      fc.property(arbitraryRequest, fc.array(minutes(10 * 1440), { maxLength: 30 }), (example, offsets) => {
        const offered = new Set(listSlots(example).slots.map(({ start }) => start.getTime()))
        for (const offset of offsets) {
          const start = new Date(example.from.getTime() + offset * minute)
          expect(checkSlot(example, start) === null).toBe(offered.has(start.getTime()))
        }
      }),
      { numRuns: 150 },
    )
  })

  test('an offered slot is free with its buffers, in the working hours, on time and within the limits', () => {
    fc.assert(
      fc.property(arbitraryRequest, (example) => {
        const { schedule, type, busy: taken, now } = example
        const counted = taken.filter(({ kind }) => kind !== 'external')
        for (const { start, end } of listSlots(example).slots) {
          expect(end.getTime() - start.getTime()).toBe(type.durationMinutes * minute)
          const from = start.getTime() - type.bufferBefore * minute
          const until = end.getTime() + type.bufferAfter * minute
          for (const { blockedFrom, blockedUntil } of taken)
            expect(blockedUntil <= from || blockedFrom >= until).toBe(true)
          expect(start.getTime() - now.getTime()).toBeGreaterThanOrEqual(type.minimumNoticeMinutes * minute)
          const date = localDate(start, schedule.timezone)
          if (type.bookingWindowDays !== null)
            expect(date <= addDays(localDate(now, schedule.timezone), type.bookingWindowDays)).toBe(true)
          for (let moment = start.getTime(); moment < end.getTime(); moment += 5 * minute)
            expect(isWorkingTime(schedule, new Date(moment))).toBe(true)
          const onDate = counted.filter((other) => localDate(new Date(other.start), schedule.timezone) === date)
          const own = onDate.filter(({ typeId }) => typeId === type.typeId)
          expect(onDate.length).toBeLessThan(schedule.dailyLimit ?? Infinity)
          expect(own.length).toBeLessThan(type.dailyLimit ?? Infinity)
        }
      }),
      { numRuns: 150 },
    )
  })

  test('the range that is asked for makes no difference', () => {
    fc.assert(
      fc.property(arbitraryRequest, minutes(10 * 1440), (example, split) => {
        const middle = new Date(example.from.getTime() + split * minute)
        const parts = [listSlots({ ...example, to: middle }), listSlots({ ...example, from: middle })]
        expect(parts.flatMap(({ slots }) => slots)).toEqual(listSlots(example).slots)
      }),
      { numRuns: 100 },
    )
  })
})

/**
 * Written independently of `listSlots`: by the wall clock, which may also show a time that was skipped as a later one.
 */
function isWorkingTime({ timezone, hours, overrides }: SlotRequest['schedule'], moment: Date): boolean {
  const date = localDate(moment, timezone)
  const time = localTime(moment, timezone)
  const own = overrides.filter((override) => override.date === date)
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay()
  const ranges = own.length ? own : hours.filter((range) => range.weekday === weekday)
  const isIn = ({ startMinute, endMinute }: { startMinute: number | null; endMinute: number | null }) =>
    startMinute !== null && endMinute !== null && formatMinute(startMinute) <= time && time < formatMinute(endMinute)
  return ranges.some(isIn) || isNearTransition(moment, timezone)
}

/** A skipped time of day counts as the later one: there the wall clock doesn't decide. */
function isNearTransition(moment: Date, zone: string): boolean {
  const offset = (hours: number) => {
    const instant = new Date(moment.getTime() + hours * 3_600_000)
    return Date.parse(`${localDate(instant, zone)}T${localTime(instant, zone)}:00Z`) - instant.getTime()
  }
  return [-26, -3, 3, 26].some((hours) => offset(hours) !== offset(0))
}

test('five hundred appointments in a month are quick', () => {
  const from = at('2026-03-01T00:00:00Z')
  const many = Array.from({ length: 500 }, (_, index) => {
    const start = new Date(from.getTime() + index * 85 * minute)
    return busy(start.toISOString(), new Date(start.getTime() + 50 * minute).toISOString())
  })
  const options = {
    ...request({ busy: many, type: { slotIntervalMinutes: 15, durationMinutes: 30 } }),
    from,
    to: new Date(from.getTime() + 31 * dayMs),
  }
  listSlots(options)
  const begin = performance.now()
  for (let run = 0; run < 5; run++) listSlots(options)
  expect((performance.now() - begin) / 5).toBeLessThan(30)
})
