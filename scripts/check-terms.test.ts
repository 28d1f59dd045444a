import { expect, test } from 'vitest'
import { findLongLines, findTerms } from './check-terms.mjs'

const toFile = (file: string, short: number, long: number) => ({
  file,
  content: [...Array<string>(short).fill('short'), ...Array<string>(long).fill('x'.repeat(121))].join('\n'),
})

test.each([
  ['half a percent', [toFile('tests/x.ts', 199, 1)], 0],
  ['more', [toFile('tests/x.ts', 198, 2)], 2],
  ['more in the product alone', [toFile('tests/x.ts', 1000, 0), toFile('app/x.ts', 198, 2)], 2],
  ['as many in tests of the product', [toFile('app/x.test.ts', 198, 2), toFile('app/x.ts', 1000, 0)], 0],
])('of long lines %s is reported or not', (_amount, files, reported) => {
  expect(findLongLines(files)).toHaveLength(reported)
})

test.each([
  ['modules/crm/x.ts', '/** Errors in words. */', 'text'],
  ['modules/crm/x.ts', "if (error.kind === 'gone') return", 'not_found'],
  ['docs/x.md', 'The link is gone.', 'deleted'],
  ['modules/crm/x.ts', 'const said = await read()', 'output'],
  ['modules/crm/x.ts', 'const place = list.at(-1)', 'cursor'],
])('%s may not say: %s', (file, line, use) => {
  expect(findTerms(file, line)).toEqual([expect.objectContaining({ use: expect.stringContaining(use) })])
})

test('a place is where a session is held', () => {
  expect(findTerms('modules/scheduling/x.ts', 'const place = type.location')).toEqual([])
})
