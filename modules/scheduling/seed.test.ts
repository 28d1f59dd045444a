import { expect, test } from 'vitest'
import { addDays, localDate, zonedToInstant } from '#app/lib/time.ts'
import type { ClientRecord } from '#modules/crm/index.ts'
import { demoCalls, demoSessions } from './seed.ts'

const zone = 'America/New_York'
const statuses = ['active', 'active', 'completed', 'active', 'inactive', 'active', 'pending'] as const

test.each(['first', 'second'] as const)(
  'on any start day the %s demo practice has sessions that day, and none overlap',
  (which) => {
    for (let ahead = 0; ahead < 7; ahead++) {
      const today = addDays('2026-10-30', ahead)
      const sessions = demoSessions(which, clients(today), zonedToInstant(today, '13:00', zone), zone, 7)
      expect(
        sessions.filter(({ at, status }) => localDate(at, zone) === today && status !== 'cancelled'),
        today,
      ).not.toHaveLength(0)
      const overlaps = sessions.filter(
        ({ at, minutes }, nth) =>
          nth + 1 < sessions.length && at.getTime() + minutes * 60_000 > sessions[nth + 1]!.at.getTime(),
      )
      expect(overlaps, today).toEqual([])
    }
  },
)

test('a practice with few clients has sessions every day too, and its discovery calls do not overlap', () => {
  for (let ahead = 0; ahead < 7; ahead++) {
    const today = addDays('2026-10-30', ahead)
    const now = zonedToInstant(today, '13:00', zone)
    const sessions = demoSessions('second', clients(today).slice(0, 3), now, zone)
    expect(
      sessions.filter(({ at, status }) => localDate(at, zone) === today && status !== 'cancelled'),
      today,
    ).not.toHaveLength(0)
    const starts = demoCalls(4, now, zone, sessions)
      .map((at) => at.getTime())
      .toSorted((a, b) => a - b)
    expect(
      starts.filter((at, nth) => nth > 0 && at - starts[nth - 1]! < 30 * 60_000),
      today,
    ).toEqual([])
  }
})

/** Returns fifty clients of the last two years. */
function clients(today: string): ClientRecord[] {
  return Array.from({ length: 50 }, (_, nth) => {
    const createdAt = zonedToInstant(addDays(today, -735 + nth * 15), '11:00', zone).toISOString()
    return {
      id: nth + 1,
      name: `Client ${nth}`,
      status: statuses[nth % statuses.length],
      program: 'Life Coaching',
      createdAt,
    } as ClientRecord
  })
}
