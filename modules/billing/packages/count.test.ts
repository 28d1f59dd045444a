import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countUsed, sumUp, type Package } from './count.ts'

const day = fc.integer({ min: 1, max: 28 }).map((date) => `2026-03-${String(date).padStart(2, '0')}`)
const packages = fc
  .array(fc.record({ count: fc.integer({ min: 1, max: 6 }), since: day }), { maxLength: 5 })
  .map((some) => some.toSorted((a, b) => (a.since < b.since ? -1 : 1)).map((own, id): Package => ({ id, ...own })))
const days = fc.array(day, { maxLength: 20 })
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

test('each completed session is counted once, and a package never more than it has', () => {
  fc.assert(
    fc.property(packages, days, (own, sessions) => {
      const used = countUsed(own, sessions)
      for (const [index, count] of used.entries()) expect(count).toBeLessThanOrEqual(own[index]!.count)
      expect(sum(used)).toBeLessThanOrEqual(sessions.length)
      for (const { since, id } of own) expect(sum(used.slice(id))).toBeLessThanOrEqual(count(sessions, since))
    }),
  )
})

test('the order in which sessions are completed doesn’t matter, and one that is taken back counts back', () => {
  fc.assert(
    fc.property(packages, days, fc.nat(), (own, sessions, at) => {
      const used = countUsed(own, sessions)
      expect(countUsed(own, sessions.toReversed())).toEqual(used)
      const without = sessions.filter((_, index) => index !== at % Math.max(1, sessions.length))
      expect([0, sessions.length ? 1 : 0]).toContain(sum(used) - sum(countUsed(own, without)))
      expect(countUsed(own, [...without, ...sessions.slice(0, 0)])).toEqual(countUsed(own, without))
    }),
  )
})

test('a newer package is used only once the older ones are used up', () => {
  fc.assert(
    fc.property(packages, days, (own, sessions) => {
      const used = countUsed(own, sessions)
      for (const { id, since, count: size } of own) {
        const older = own.slice(0, id)
        // The sessions since this package that the older ones had no room for are the only ones that it has.
        const room = sum(older.map((other, index) => other.count - used[index]!))
        if (used[id]! > 0) expect(room).toBe(0)
        if (room > 0 || count(sessions, since) === 0) expect(used[id]).toBe(0)
        expect(used[id]).toBeLessThanOrEqual(size)
      }
    }),
  )
})

test('the packages with sessions left are summed up, otherwise the last one is named', () => {
  expect(sumUp([])).toBeNull()
  expect(
    sumUp([
      { count: 6, left: 0 },
      { count: 12, left: 3 },
      { count: 4, left: 4 },
    ]),
  ).toEqual({ count: 16, left: 7 })
  expect(
    sumUp([
      { count: 6, left: 0 },
      { count: 12, left: 0 },
    ]),
  ).toEqual({ count: 12, left: 0 })
})

const count = (sessions: string[], since: string) => sessions.filter((session) => session >= since).length
