import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapeFormula, unescapeFormula } from './formula-escape.ts'

test.each([
  ['=1+1', "'=1+1"],
  ['+1 555 0100', '+1 555 0100'],
  ['+1 (416) 555-0142', '+1 (416) 555-0142'],
  ['+1-416-555-0142', "'+1-416-555-0142"],
  ['+1+cmd', "'+1+cmd"],
  ["'+1 555 0100", "''+1 555 0100"],
  ['-5', "'-5"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  [' =1', "' =1"],
  ["'=1", "''=1"],
  ['＝1', "'＝1"],
  ["'tis", "'tis"],
  ['a=b', 'a=b'],
  ['', ''],
])('%j is escaped as %j', (value, cell) => {
  expect(escapeFormula(value)).toBe(cell)
  expect(unescapeFormula(cell)).toBe(value)
})

test('any escaped cell starts no formula and is unescaped unchanged', () => {
  const nasty = fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '\n', ' ', 'a', '＝') })
  fc.assert(
    fc.property(fc.oneof(nasty, fc.string({ unit: 'binary' })), (value) => {
      expect(escapeFormula(value)).not.toMatch(/^\s*(?!\+\d[\d ().-]*$)[=+\-@＝＋－＠]/)
      expect(unescapeFormula(escapeFormula(value))).toBe(value)
    }),
    { numRuns: 2000 },
  )
})
