import { expect, test } from 'vitest'
import { rankSentences, takeFirst } from './baselines.ts'
import { measureRouge } from './rouge.ts'

// The examples of Lin, "ROUGE: A Package for Automatic Evaluation of Summaries" (2004).
test.each([
  ['police kill the gunman', 0.75, 1 / 3],
  ['the gunman kill police', 0.5, 1 / 3],
  ['the gunman police killed', 0.5, 2 / 3],
])('ROUGE-L and ROUGE-2 of "%s"', (summary, rougeL, rouge2) => {
  const measured = measureRouge(summary, 'police killed the gunman')
  expect(measured.rougeL).toBeCloseTo(rougeL)
  expect(measured.rouge2).toBeCloseTo(rouge2)
})

// The example of the package rouge-score, whose values are those of the original script.
test('ROUGE of two sentences of different length', () => {
  const { rouge1, rougeL } = measureRouge(
    'The quick brown dog jumps on the log.',
    'The quick brown fox jumps over the lazy dog',
  )
  expect(rouge1).toBeCloseTo((2 * 0.75 * (6 / 9)) / (0.75 + 6 / 9))
  expect(rougeL).toBeCloseTo((2 * 0.625 * (5 / 9)) / (0.625 + 5 / 9))
})

test('repeated words match as often as the reference has them', () => {
  expect(measureRouge('the the the the', 'the cat and the dog').rouge1).toBeCloseTo((2 * 2) / 9)
  expect(measureRouge('', 'the cat')).toEqual({ rouge1: 0, rouge2: 0, rougeL: 0 })
})

test('TextRank prefers the sentence that has most in common with the others, in the order of the text', () => {
  const sentences = [
    'Hello there.',
    'The plan needs money and people.',
    'People like the plan.',
    'The money is for the plan.',
  ]
  expect(rankSentences(sentences, 6)).toBe('The plan needs money and people.')
  expect(rankSentences(sentences, 8)).toMatch(/^The plan needs money and people\. /)
  expect(takeFirst(sentences, 4)).toBe('Hello there. The plan')
})
