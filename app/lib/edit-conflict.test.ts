import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffText, diffFields, fieldHashes } from './edit-conflict.ts'

const names = ['phone', 'goals', 'notes', 'fears'] as const

test('fields changed only in the other tab are taken over, fields changed in both are conflicts, equal values are not', () => {
  const opened = { phone: '1', goals: 'a', notes: 'old', fears: '' }
  const mine = { phone: '2', goals: 'a', notes: 'mine', fears: 'same' }
  const theirs = { phone: '1', goals: 'b', notes: 'theirs', fears: 'same' }
  expect(diffFields(names, fieldHashes(names, opened), mine, theirs)).toEqual([
    { name: 'phone', mine: '2', theirs: '1', initialSide: 'mine' },
    { name: 'goals', mine: 'a', theirs: 'b', initialSide: 'theirs' },
    { name: 'notes', mine: 'mine', theirs: 'theirs', initialSide: 'mine' },
  ])
})

test('without the original values the submitted ones win', () => {
  expect(diffFields(['phone'], '', { phone: 'a' }, { phone: 'b' })).toMatchObject([{ initialSide: 'mine' }])
})

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
