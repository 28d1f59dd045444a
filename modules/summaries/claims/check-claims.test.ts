import { expect, test } from 'vitest'
import { createClaimCheck } from './check-claims.ts'

const texts = [
  'I want to lead the new team.',
  'But I’m afraid of',
  'dropping the old one—really.',
  'Yes.',
  '私は計画を立てます。',
]
const isSupported = createClaimCheck(
  texts.map((text, index) => ({ n: index + 1, speaker: null, startMs: null, endMs: null, text })),
)
const check = (lines: number[], quote: string) => isSupported({ text: 'It is so.', lines, quote })

test.each([
  ['a part of a line', [1], 'lead the new team', true],
  ['other case, punctuation, spaces and apostrophes', [2], "BUT,  I'm  afraid", true],
  ['a text that continues in the next line', [3, 2], 'afraid of dropping the old', true],
  ['a part of one of several lines', [1, 4], 'want to lead', true],
  ['a short line as a whole', [4], 'yes', true],
  ['a script without spaces', [5], '計画を', true],
  ['no line', [], 'lead the new team', false],
  ['a line that does not exist', [1, 9], 'lead the new team', false],
  ['another line', [2], 'lead the new team', false],
  ['words across lines that are not consecutive', [1, 3], 'new team dropping the old', false],
  ['words that were not said', [1], 'lead the old team', false],
  ['a part of a word', [1], 'ant to lead', false],
  ['two words, found anywhere', [1], 'the new', false],
  ['no words', [1], '…', false],
  ['more than 120 characters', [1], `I want to lead the new team.${' '.repeat(100)}`, false],
])('a claim with %s: %o, %s', (_name, lines, quote, expected) => {
  expect(check(lines, quote)).toBe(expected)
})

test('a claim without text is none', () => {
  expect(isSupported({ text: ' ', lines: [1], quote: 'lead the new team' })).toBe(false)
})

test.each([
  ['a text close to the line', 'The client wants to lead a new team.', true],
  ['some other words', 'Grace hopes to be leading the team soon.', true],
  ['a number that nobody said', 'I want to lead the new team of 12.', false],
  ['a name that nobody said', 'I want to lead the new team of Berlin.', false],
  ['other words alone', 'Money is owed since the spring.', false],
])('a text with %s: %s, %s', (_name, text, expected) => {
  const isText = createClaimCheck(
    [{ n: 1, speaker: null, startMs: null, endMs: null, text: texts[0]! }],
    ['Grace Hopper'],
  )
  expect(isText({ text, lines: [1], quote: 'lead the new team' })).toBe(expected)
})
