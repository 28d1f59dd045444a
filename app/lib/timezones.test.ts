import { expect, test } from 'vitest'
import { commonTimezones, otherTimezones } from './timezones.ts'

test('the 31 common zones come first, all are valid, and none is listed twice', () => {
  expect(commonTimezones).toHaveLength(31)
  for (const { value } of commonTimezones)
    expect(() => new Intl.DateTimeFormat('en', { timeZone: value })).not.toThrow()
  const all = [...commonTimezones, ...otherTimezones('Europe/Kiev')].map((zone) => zone.value)
  expect(new Set(all).size).toBe(all.length)
  expect(all).toContain('Europe/Kiev')
})
