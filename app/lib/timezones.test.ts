import { expect, test } from 'vitest'
import { firstZones, otherZones } from './timezones.ts'

test('there are 31 first choices, all of them zones, and no zone stands twice', () => {
  expect(firstZones).toHaveLength(31)
  for (const { value } of firstZones) expect(() => new Intl.DateTimeFormat('en', { timeZone: value })).not.toThrow()
  const all = [...firstZones, ...otherZones('Europe/Kiev')].map((zone) => zone.value)
  expect(new Set(all).size).toBe(all.length)
  expect(all).toContain('Europe/Kiev')
})
