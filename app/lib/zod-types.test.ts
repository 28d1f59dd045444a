import { expect, test } from 'vitest'
import { instant, line, text } from './zod-types.ts'

const said = (
  schema: {
    safeParse(value: unknown): { success: boolean; data?: unknown; error?: { issues: { message: string }[] } }
  },
  value: unknown,
) => {
  const { success, data, error } = schema.safeParse(value)
  return success ? data : error!.issues[0]!.message
}

test('a single line is trimmed before it is held to be one', () => {
  expect(['\tAnn', 'Ann\n', '  Ann  '].map((value) => said(line(), value))).toEqual(['Ann', 'Ann', 'Ann'])
  expect(said(line(), 'Ann\nBea')).toBe('Use a single line')
})

test('free text is kept as it is, or refused', () => {
  expect(said(text(), ' one\n\ttwo ')).toBe(' one\n\ttwo ')
  expect(said(text(), 'one\r\ntwo')).toBe('This text has a control character')
})

test.each([
  ['2026-03-10T10:00:00Z', '2026-03-10T10:00:00.000Z'],
  ['2026-03-10T10:00:00.125+02:00', '2026-03-10T08:00:00.125Z'],
  ['2026-03-10T10:00Z', '2026-03-10T10:00:00.000Z'],
  ['2026-03-10T10:00+0530', '2026-03-10T04:30:00.000Z'],
  ['2026-03-10T10:00:00-05', '2026-03-10T15:00:00.000Z'],
])('%s is the instant %s', (sent, at) => {
  expect(said(instant('Date is required'), sent)).toEqual(new Date(at))
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
])('%s is no instant', (sent) => {
  expect(said(instant('Date is required'), sent)).toBe('Send a time with Z or an offset')
})

test('an instant that is needed and left out is asked for by its own words', () => {
  for (const sent of [undefined, null, '']) expect(said(instant('Date is required'), sent)).toBe('Date is required')
  expect(said(instant(), undefined)).toBe('Send a time with Z or an offset')
  expect(said(instant(), '1899-12-31T00:00Z')).toBe('Use a date from 1900 to 2200')
})
