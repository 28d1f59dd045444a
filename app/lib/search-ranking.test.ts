import { expect, test } from 'vitest'
import { matchQuality, rankHit } from './search-ranking.ts'

test.each([
  ['Hannah Goldberg', 'han', 'start'],
  ['Émilie Roux', 'emi', 'start'],
  ['Go to Calendar', 'cal', 'word'],
  ['Anne-Marie', 'mar', 'word'],
  ['Siobhan O’Hanlon', 'han', 'word'],
  ['Priya Raghunathan', 'nathan', 'inside'],
  ['Priya Raghunathan', 'zeynep', 'none'],
])('the match of %s with %s is: %s', (text, term, quality) => expect(matchQuality(text, term)).toBe(quality))

test('a match in the title ranks before one in the subtitle', () => {
  const hits = [
    { title: 'Session 5', subtitle: 'Priya Raghunathan, Mar 3, 2026' },
    { title: 'Supriya Rao', subtitle: null },
    { title: 'Priya Raghunathan', subtitle: 'p@example.com' },
  ]
  expect(hits.sort((a, b) => rankHit(a, 'priya') - rankHit(b, 'priya')).map(({ title }) => title)).toEqual([
    'Priya Raghunathan',
    'Supriya Rao',
    'Session 5',
  ])
})
