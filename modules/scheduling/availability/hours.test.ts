import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatMinute } from './slots.ts'
import { describeHours, describeOverrides, formatRanges, readRanges } from './hours.ts'

/** '09:00-12:30 13:00-17:00', or what is wrong. */
function read(text: string): string {
  const found = readRanges(text)
  if ('problem' in found) return found.problem
  return found.ranges.map(({ start, end }) => `${formatMinute(start)}-${formatMinute(end)}`).join(' ')
}

test.each([
  ['09:00–12:30, 13:00–17:00', '09:00-12:30 13:00-17:00'],
  ['9-12', '09:00-12:00'],
  ['9am to 12:30 pm; 1 PM – 5pm', '09:00-12:30 13:00-17:00'],
  ['0:00-24:00', '00:00-24:00'],
  ['0-5', '00:00-05:00'],
  ['9:00–17:30', '09:00-17:30'],
  ['9am-5:30 pm', '09:00-17:30'],
  ['9 a.m. – 5.30 p.m.', '09:00-17:30'],
  ['9-5pm', '09:00-17:00'],
  ['1-5 PM', '13:00-17:00'],
  ['11-1pm', '11:00-13:00'],
  ['01:00-05:00', '01:00-05:00'],
  ['6-14', '06:00-14:00'],
  ['12am-12pm', '00:00-12:00'],
  ['8pm-12am', '20:00-24:00'],
  ['20:00-00:00', '20:00-24:00'],
  ['', ''],
  [' , ', ''],
])('%j is read as %j', (text, expected) => {
  expect(read(text)).toBe(expected)
})

test.each(['9', '9am', '5:30 pm', '9-25', '9:60-10', '13pm-14pm', 'morning', '9-10-11', '24:01-24:02'])(
  '%j is not accepted',
  (text) => {
    expect(read(text)).toMatch(/^Write times such as/)
  },
)

test.each([
  ['9-5', '“9-5” ends before it starts. Write 5:00 PM or 17:00 if that is what you mean'],
  ['9am-5', '“9am-5” ends before it starts. Write 5:00 PM or 17:00 if that is what you mean'],
  ['9 AM, 1-5', 'Write times such as 9 AM – 12:30 PM, 1 PM – 5 PM or 09:00–12:30, 13:00–17:00'],
  ['1-5', 'Add AM or PM to “1-5”, or write 01:00'],
  ['2:30-4', 'Add AM or PM to “2:30-4”, or write 02:30'],
  ['10pm-2am', '“10pm-2am” ends before it starts. Write the part after midnight on the next day'],
  [Array.from({ length: 11 }, (_, hour) => `${hour + 7}:00-${hour + 7}:30`).join(), 'Enter at most 10 times for a day'],
])('%j is refused: %s', (text, problem) => {
  expect(read(text)).toBe(problem)
})

test.each(['12h', '24h'] as const)('hours are read as they are shown with %s', (format) => {
  const minutes = fc.integer({ min: 0, max: 1440 })
  fc.assert(
    fc.property(fc.array(fc.tuple(minutes, minutes), { maxLength: 10 }), (pairs) => {
      const ranges = pairs.filter(([start, end]) => start < end).map(([start, end]) => ({ start, end }))
      const shown = formatRanges(
        ranges.map(({ start, end }) => ({ start: formatMinute(start), end: formatMinute(end) })),
        format,
      )
      expect(readRanges(shown)).toEqual({ ranges })
    }),
  )
})

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
