import { describe, expect, test } from 'vitest'
import { addDays, localDate, localTime } from '#app/lib/time.ts'
import { checkSlot, listSlots, type SlotRequest } from './slots.ts'

const minute = 60_000
const dayMs = 1440 * minute
const step = 15 * minute

/** The offset of a zone in minutes, by Intl alone. */
function createOffset(zone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  return (instant) => {
    const [, sign, hours = '0', minutes = '0'] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(format.format(instant)) ?? []
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  }
}

type Transition = { zone: string; at: number; before: number; after: number }

/** Every change of a clock from 2026 to 2035. */
function listTransitions(zone: string): Transition[] {
  const offset = createOffset(zone)
  const found: Transition[] = []
  const end = Date.parse('2036-01-01T00:00:00Z')
  for (let from = Date.parse('2026-01-01T00:00:00Z'); from < end; from += 10 * dayMs) {
    const [before, after] = [offset(from), offset(from + 10 * dayMs)]
    if (before === after) continue
    let [low, high] = [from, from + 10 * dayMs]
    while (high - low > minute) {
      const middle = low + Math.floor((high - low) / 2 / minute) * minute
      if (offset(middle) === before) low = middle
      else high = middle
    }
    found.push({ zone, at: high, before, after })
  }
  return found
}

const transitions = Intl.supportedValuesOf('timeZone').flatMap(listTransitions)

const everyDay = (startMinute: number, endMinute: number) =>
  [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, startMinute, endMinute }))
const request = (timezone: string, hours: SlotRequest['schedule']['hours']): Omit<SlotRequest, 'from' | 'to'> => ({
  schedule: { timezone, weekStart: 'sunday', hours, overrides: [], dailyLimit: null, weeklyLimit: null },
  type: {
    typeId: 1,
    durationMinutes: 15,
    bufferBefore: 0,
    bufferAfter: 0,
    minimumNoticeMinutes: 0,
    bookingWindowDays: null,
    dailyLimit: null,
    weeklyLimit: null,
    slotIntervalMinutes: 15,
  },
  busy: [],
  now: new Date('2025-12-01T00:00:00Z'),
})
const list = (options: Omit<SlotRequest, 'from' | 'to'>, from: number, to: number): number[] =>
  listSlots({ ...options, from: new Date(from), to: new Date(to) }).slots.map(({ start }) => start.getTime())
const describeAt = ({ zone, at }: Transition): string => `${zone} ${new Date(at).toISOString()}`

describe('at every change of a clock in every zone for ten years', () => {
  test('there are many', () => {
    expect(transitions.length).toBeGreaterThan(2000)
    expect(new Set(transitions.map(({ zone }) => zone)).size).toBeGreaterThan(100)
  })

  test('hours around the clock have slots without a gap and without a repetition', () => {
    const wrong = transitions.filter(({ zone, at }) => {
      const slots = list(request(zone, everyDay(0, 1440)), at - dayMs / 2, at + dayMs / 2)
      return slots.length !== dayMs / step || slots.some((slot, index) => slot !== at - dayMs / 2 + index * step)
    })
    expect(wrong.map(describeAt)).toEqual([])
  })

  test('hours that contain it are shorter or longer by what the clock skips or repeats', () => {
    const wrong = transitions.filter((transition) => {
      const { zone, at, before, after } = transition
      const toMinutes = (instant: number) =>
        Number(localTime(new Date(instant), zone).slice(0, 2)) * 60 +
        Number(localTime(new Date(instant), zone).slice(3))
      const [from, to] = [at - 150 * minute, at + 180 * minute]
      if (localDate(new Date(from), zone) !== localDate(new Date(to), zone)) return false
      const hours = everyDay(toMinutes(from), toMinutes(to))
      const slots = list(request(zone, hours), at - dayMs / 2, at + dayMs / 2).filter(
        (slot) => localDate(new Date(slot), zone) === localDate(new Date(at), zone),
      )
      const onTheClock = toMinutes(to) - toMinutes(from)
      return slots[0] !== from || slots.length * 15 !== onTheClock - (after - before)
    })
    expect(wrong.map(describeAt)).toEqual([])
  })

  test('each offered slot can be booked, and no other time', () => {
    for (const { zone, at } of transitions.filter((_, index) => index % 25 === 0)) {
      const options = request(zone, everyDay(0, 1440))
      const start = at - 2 * step
      for (let slot = start; slot < at + 2 * step; slot += step) {
        expect(checkSlot(options, new Date(slot))).toBeNull()
        expect(checkSlot(options, new Date(slot + 7 * minute))).toBe('outside-hours')
      }
    }
  })

  test('the day after has the usual hours', () => {
    const wrong = transitions.filter(({ zone, at }) => {
      const date = addDays(localDate(new Date(at), zone), 2)
      const slots = list(request(zone, everyDay(540, 600)), at + dayMs / 2, at + 4 * dayMs)
      const times = slots.filter((slot) => localDate(new Date(slot), zone) === date)
      return times.map((slot) => localTime(new Date(slot), zone)).join() !== '09:00,09:15,09:30,09:45'
    })
    expect(wrong.map(describeAt)).toEqual([])
  })
})
