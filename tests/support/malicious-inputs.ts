import fc from 'fast-check'
import { expect } from 'vitest'
import { statusByCode } from '#app/lib/errors.ts'

/** A fixed seed: each run has the same inputs, and a failure can be repeated. */
export const fuzzOptions = (runs: number): { numRuns: number; seed: number } => ({ numRuns: runs, seed: 20260310 })

/** Texts that often break software. */
export const maliciousTexts: string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'a\udfff',
  '\ufeff',
  '\u202e',
  '\r\n',
  '\t',
  '\u0085',
  '\u2028',
  '%00',
  '%',
  '%zz',
  '..',
  '../../etc/passwd',
  "'; drop table client; --",
  "' or '1'='1",
  '$1',
  '\\',
  '"',
  '`',
  '${7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'NaN',
  'Infinity',
  '-0',
  '1e999',
  '9223372036854775808',
  '0x7fffffff',
  'null',
  'undefined',
  'true',
  '[]',
  '{}',
  '=1+1',
  '@SUM(1)',
  'é'.repeat(300),
  '😀'.repeat(260),
  'a'.repeat(60_000),
  '2026-02-30T00:00:00Z',
  '0000-00-00',
  '+275760-09-13T00:00:00Z',
]
/** Numbers at the limits of databases and JavaScript. */
export const edgeNumbers: number[] = [
  0,
  -0,
  -1,
  1,
  0.1,
  1.5,
  100,
  101,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  2 ** 63,
  -(2 ** 63),
  1e21,
  1e308,
  5e-324,
  Number.MAX_SAFE_INTEGER,
]

export const maliciousText = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...maliciousTexts),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
  )

const nestedValue = (depth: number): unknown =>
  Array.from({ length: depth }).reduce<unknown>((inner, _none, at) => (at % 2 ? [inner] : { a: inner }), 1)

/** Any JSON value. */
export const maliciousValue = (): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 3, arbitrary: maliciousText() },
    { weight: 2, arbitrary: fc.constantFrom<unknown>(...edgeNumbers) },
    fc.constantFrom<unknown>(
      null,
      true,
      false,
      [],
      {},
      [null],
      [[]],
      { __proto__: null },
      nestedValue(500),
      Array.from({ length: 5000 }, () => 0),
    ),
    fc.jsonValue({ maxDepth: 3 }),
  )

/** Fails on a 5xx, on a stack trace, SQL or file path in an error, and on a response that takes two seconds. */
export function expectSafeResponse({ status, text, ms }: { status: number; text: string; ms: number }): void {
  expect(status).toBeGreaterThanOrEqual(200)
  expect(status).toBeLessThan(500)
  expect(ms).toBeLessThan(2000)
  // A success may repeat the input; an error must not.
  if (status >= 400) expect(text).not.toMatch(internals)
}

const internals = new RegExp(
  [
    String.raw`\n\s+at |node:internal|node_modules|file:\/\/|\.tsx?\b`,
    String.raw`\bselect\b[\s\S]*\bfrom\b|insert into|\bupdate "|violates|syntax error|constraint|relation "|pg_catalog`,
    'DriverException|ZodError|Unexpected token|is not a function|undefined',
  ].join('|'),
  'i',
)

/** Checks the body of an error response. */
export function expectErrorBody(
  status: number,
  body: { code?: string; message?: string; requestId?: string; issues?: unknown[] } | null,
): void {
  if (status < 400) return
  expect(statusByCode[body?.code as keyof typeof statusByCode]).toBe(status)
  expect(body?.message).toMatch(/\S/)
  expect(body?.requestId).toMatch(/^[0-9a-f-]{36}$/)
  expect(Array.isArray(body?.issues)).toBe(status === 422)
}
