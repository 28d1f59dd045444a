import fc from 'fast-check'
import { markNames, type Line, type Run } from '#app/lib/markup.ts'

/** Markup characters and ordinary text. */
export const markupPieces = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '*',
      '**',
      '_',
      '__',
      '=',
      '==',
      '\\',
      '#',
      '# ',
      '• ',
      '•',
      ' ',
      '<b>',
      '&amp;',
      'שלום',
      '👩‍👩‍👧',
      'é',
    ),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }) },
)
export const markupTexts = fc
  .array(markupPieces, { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join('').replaceAll('\n', ' '))
const marks = fc.subarray([...markNames]).map((chosen) => markNames.filter((name) => chosen.includes(name)))
const line = fc.record({
  kind: fc.constantFrom<Line['kind']>('paragraph', 'bullet', 'heading1', 'heading2', 'heading3'),
  runs: fc.array(fc.record({ text: markupTexts, marks }), { maxLength: 6 }).map(mergeRuns),
})
/** Documents as the parser creates them. */
export const documents = fc.array(line, { minLength: 1, maxLength: 8 })

/** Merges neighboring runs with the same marks, as the parser does. */
function mergeRuns(runs: Run[]): Run[] {
  const out: Run[] = []
  for (const run of runs) {
    const last = out.at(-1)
    if (last && last.marks.join() === run.marks.join()) last.text += run.text
    else out.push({ ...run })
  }
  return out
}
