import fc from 'fast-check'
import { expect, test } from 'vitest'
import { documents } from '#tests/support/markup.ts'
import { fromEditor, schema, toEditor } from './document.ts'
import { parseMarkup, printMarkup } from '#app/lib/markup.ts'
import { isHighlighter } from './paste.ts'

test('the editor opens every stored document and saves it unchanged', () => {
  fc.assert(
    fc.property(documents, (document) => {
      const doc = toEditor(document)
      doc.check()
      expect(fromEditor(doc)).toEqual(document)
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['fifty thousand asterisks', '*'.repeat(50_000)],
  ['ten thousand runs', '**a** *b* '.repeat(5_000)],
  ['ten thousand items', '• a\n'.repeat(10_000)],
])('the editor opens %s in well under a second', (_name, source) => {
  const began = performance.now()
  const document = parseMarkup(source)
  expect(parseMarkup(printMarkup(fromEditor(toEditor(document))))).toEqual(document)
  expect(performance.now() - began).toBeLessThan(2000)
})

test('the editor never submits text that the server rejects', () => {
  const text = 'a\u000bb\u0000c\nd\te'
  const doc = schema.nodes.doc!.create(null, schema.nodes.paragraph!.create(null, schema.text(text)))
  expect(printMarkup(fromEditor(doc))).toBe('a b c d\te')
})

test.each([
  ['yellow', true],
  ['#ffff00', true],
  ['#ff0', true],
  ['rgb(255, 242, 0)', true],
  ['rgba(255, 255, 0, 0.5)', true],
  ['rgb(255 255 0 / 50%)', true],
  ['transparent', false],
  ['white', false],
  ['#fff', false],
  ['#ffffff', false],
  ['rgb(246, 248, 250)', false],
  ['rgba(255, 255, 0, 0)', false],
  ['inherit', false],
  ['none', false],
  ['url(x.png)', false],
  ['', false],
])('a background of %s counts as a highlight: %s', (background, expected) => {
  expect(isHighlighter(background)).toBe(expected)
})
