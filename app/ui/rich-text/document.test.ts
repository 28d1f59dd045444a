import fc from 'fast-check'
import { expect, test } from 'vitest'
import { documents } from '#tests/support/markup.ts'
import { fromEditor, toEditor } from './document.ts'

test('the editor holds every stored document, and gives it back the same', () => {
  fc.assert(
    fc.property(documents, (document) => {
      const doc = toEditor(document)
      doc.check()
      expect(fromEditor(doc)).toEqual(document)
    }),
    { numRuns: 500 },
  )
})
