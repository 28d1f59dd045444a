import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { daysSinceWeekStart, formatClock, formatShortClock, formatTimeRange, listWeekdays } from './clock.ts'
import { formatDateTime } from './time.ts'

test('times have 12 hours with AM and PM, or 24', () => {
  const times = ['00:00', '09:05', '12:00', '21:30', '24:00']
  expect(times.map((time) => formatClock(time, '12h'))).toEqual([
    '12:00 AM',
    '9:05 AM',
    '12:00 PM',
    '9:30 PM',
    '12:00 AM',
  ])
  expect(times.map((time) => formatShortClock(time, '12h'))).toEqual(['12:00', '9:05', '12:00', '9:30', '12:00'])
  expect(times.map((time) => formatClock(time, '24h'))).toEqual(times)
  expect(times.map((time) => formatShortClock(time, '24h'))).toEqual(times)
  expect(formatTimeRange('09:00', '10:30', '12h')).toBe('9:00 – 10:30 AM')
  expect(formatTimeRange('11:30', '12:30', '12h')).toBe('11:30 AM – 12:30 PM')
  expect(formatTimeRange('09:00', '14:30', '24h')).toBe('09:00 – 14:30')
  const at = '2026-03-10T17:05:00Z'
  expect(formatDateTime(at, { timezone: 'Europe/Berlin', timeFormat: '12h' })).toBe('Mar 10, 2026, 6:05 PM')
  expect(formatDateTime(at, { timezone: 'Europe/Berlin', timeFormat: '24h' })).toBe('Mar 10, 2026, 18:05')
})

test('a week starts on Sunday, Monday or Saturday', () => {
  expect(listWeekdays('sunday')).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(listWeekdays('monday')).toEqual([1, 2, 3, 4, 5, 6, 0])
  expect(listWeekdays('saturday')).toEqual([6, 0, 1, 2, 3, 4, 5])
  // A Sunday.
  expect((['sunday', 'monday', 'saturday'] as const).map((start) => daysSinceWeekStart('2026-03-08', start))).toEqual([
    0, 6, 1,
  ])
})

test('no other file formats times', () => {
  const ways = /toLocaleTimeString|timeStyle|hour12|hourCycle|'[AP]M'|\bhour: '/
  const files = globSync('{app,modules,tenants}/**/*.{ts,tsx}').filter(
    (file) => !file.endsWith('.test.ts') && !/^app\/lib\/(clock|time)\.ts$/.test(file),
  )
  expect(files.length).toBeGreaterThan(500)
  expect(files.filter((file) => ways.test(readFileSync(file, 'utf8')))).toEqual([])
})
