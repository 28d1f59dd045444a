import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffText } from './diff-text.ts'

test('the parts of a diff add up to both texts', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', '🙂', 'é', '\n', ' '), { maxLength: 12 })
    .map((letters) => letters.join(''))
  fc.assert(
    fc.property(text, text, (mine, theirs) => {
      const parts = diffText(mine, theirs)
      expect(parts.before + parts.mine + parts.after).toBe(mine)
      expect(parts.before + parts.theirs + parts.after).toBe(theirs)
    }),
  )
})

test('a diff of a long text shows only its surroundings', () => {
  const long = 'x'.repeat(50_000)
  expect(diffText(`${long}a${long}`, `${long}b${long}`, 3)).toEqual({
    before: '…xxx',
    mine: 'a',
    theirs: 'b',
    after: 'xxx…',
  })
})
