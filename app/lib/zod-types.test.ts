import { expect, test } from 'vitest'
import { isoInstant, singleLine, multiLine } from './zod-types.ts'

const parseOrMessage = (
  schema: {
    safeParse(value: unknown): { success: boolean; data?: unknown; error?: { issues: { message: string }[] } }
  },
  value: unknown,
) => {
  const { success, data, error } = schema.safeParse(value)
  return success ? data : error!.issues[0]!.message
}

test('a single line is trimmed before it is checked', () => {
  expect(['\tAnn', 'Ann\n', '  Ann  '].map((value) => parseOrMessage(singleLine(), value))).toEqual([
    'Ann',
    'Ann',
    'Ann',
  ])
  expect(parseOrMessage(singleLine(), 'Ann\nBea')).toBe('Use a single line')
})

test('free text is kept unchanged or rejected', () => {
  expect(parseOrMessage(multiLine(), ' one\n\ttwo ')).toBe(' one\n\ttwo ')
  expect(parseOrMessage(multiLine(), 'one\r\ntwo')).toBe('This text contains an unsupported character')
})

test.each([
  ['2026-03-10T10:00:00Z', '2026-03-10T10:00:00.000Z'],
  ['2026-03-10T10:00:00.125+02:00', '2026-03-10T08:00:00.125Z'],
  ['2026-03-10T10:00Z', '2026-03-10T10:00:00.000Z'],
  ['2026-03-10T10:00+0530', '2026-03-10T04:30:00.000Z'],
  ['2026-03-10T10:00:00-05', '2026-03-10T15:00:00.000Z'],
])('%s is the instant %s', (sent, instant) => {
  expect(parseOrMessage(isoInstant('Date is required'), sent)).toEqual(new Date(instant))
})

test.each([
  '2026-03-10',
  '2026-03-10T10:00',
  '2026-03-10T10:00:00',
  '2026-02-30T10:00Z',
  '2026-03-10T24:10Z',
  '2026-03-10T10Z',
  'tomorrow',
  1_773_136_800_000,
  {},
])('%s is not an instant', (sent) => {
  expect(parseOrMessage(isoInstant('Date is required'), sent)).toBe('Send a time with Z or an offset')
})

test('a missing required instant has its own error message', () => {
  for (const sent of [undefined, null, ''])
    expect(parseOrMessage(isoInstant('Date is required'), sent)).toBe('Date is required')
  expect(parseOrMessage(isoInstant(), undefined)).toBe('Send a time with Z or an offset')
  expect(parseOrMessage(isoInstant(), '1899-12-31T00:00Z')).toBe('Use a date from 1900 to 2200')
})
