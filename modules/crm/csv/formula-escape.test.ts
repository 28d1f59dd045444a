import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defuse, undefuse } from './formula-escape.ts'

test.each([
  ['=1+1', "'=1+1"],
  ['+1 555 0100', "'+1 555 0100"],
  ['-5', "'-5"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  [' =1', "' =1"],
  ["'=1", "''=1"],
  ['＝1', "'＝1"],
  ["'tis", "'tis"],
  ['a=b', 'a=b'],
  ['', ''],
])('%j is written as %j', (value, cell) => {
  expect(defuse(value)).toBe(cell)
  expect(undefuse(cell)).toBe(value)
})

test('whatever is defused begins with no formula and comes back as it was', () => {
  const nasty = fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '\n', ' ', 'a', '＝') })
  fc.assert(
    fc.property(fc.oneof(nasty, fc.string({ unit: 'binary' })), (value) => {
      expect(defuse(value)).not.toMatch(/^\s*[=+\-@＝＋－＠]/)
      expect(undefuse(defuse(value))).toBe(value)
    }),
    { numRuns: 2000 },
  )
})
