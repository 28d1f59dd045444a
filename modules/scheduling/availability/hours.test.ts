import { expect, test } from 'vitest'
import { formatMinute } from './slots.ts'
import { describeHours, describeOverrides, parseRanges } from './hours.ts'

test.each([
  ['09:00–12:30, 13:00–17:00', '09:00-12:30 13:00-17:00'],
  ['9-12', '09:00-12:00'],
  ['9am to 12:30 pm; 1 PM – 5pm', '09:00-12:30 13:00-17:00'],
  ['0:00-24:00', '00:00-24:00'],
  ['12am-12pm', '00:00-12:00'],
  ['', ''],
  [' , ', ''],
])('%j is read as %j', (text, expected) => {
  expect(
    parseRanges(text)!
      .map(({ start, end }) => `${formatMinute(start)}-${formatMinute(end)}`)
      .join(' '),
  ).toBe(expected)
})

test.each(['9', '9-8', '9-9', '9-25', '9:60-10', '13pm-14pm', 'morning', '9-10-11', '24:01-24:02'])(
  '%j is not accepted',
  (text) => {
    expect(parseRanges(text)).toBeNull()
  },
)

test('hours and overrides are described for the history', () => {
  expect(
    describeHours([
      { weekday: 2, start: 540, end: 600 },
      { weekday: 1, start: 780, end: 1440 },
      { weekday: 1, start: 540, end: 720 },
    ]),
  ).toBe('Mon 09:00–12:00, 13:00–24:00; Tue 09:00–10:00')
  expect(
    describeOverrides([
      { date: '2026-12-31', ranges: [{ start: 540, end: 600 }] },
      { date: '2026-12-24', ranges: [] },
    ]),
  ).toBe('2026-12-24 off; 2026-12-31 09:00–10:00')
})
