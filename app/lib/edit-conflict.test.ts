import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chosen, differenceOf, differences, printsOf } from './edit-conflict.ts'

const names = ['phone', 'goals', 'notes', 'fears'] as const

test('what only they changed is taken from there, what both changed stays as typed here, and what is the same is no question', () => {
  const opened = { phone: '1', goals: 'a', notes: 'old', fears: '' }
  const mine = { phone: '2', goals: 'a', notes: 'mine', fears: 'same' }
  const theirs = { phone: '1', goals: 'b', notes: 'theirs', fears: 'same' }
  expect(differences(names, printsOf(names, opened), mine, theirs)).toEqual([
    { name: 'phone', mine: '2', theirs: '1', first: 'mine' },
    { name: 'goals', mine: 'a', theirs: 'b', first: 'theirs' },
    { name: 'notes', mine: 'mine', theirs: 'theirs', first: 'mine' },
  ])
})

test('without a word on how the form was opened, what was typed here counts', () => {
  expect(differences(['phone'], '', { phone: 'a' }, { phone: 'b' })).toMatchObject([{ first: 'mine' }])
})

test('what was chosen from there is left out of the change', () => {
  const form = new FormData()
  form.set('take-phone', 'theirs')
  form.set('take-goals', 'mine')
  expect(chosen({ phone: '1', goals: 'a', notes: null }, form)).toEqual({ goals: 'a', notes: null })
})

test('the parts of a difference put together are the two texts', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', '🙂', 'é', '\n', ' '), { maxLength: 12 })
    .map((letters) => letters.join(''))
  fc.assert(
    fc.property(text, text, (mine, theirs) => {
      const parts = differenceOf(mine, theirs)
      expect(parts.before + parts.mine + parts.after).toBe(mine)
      expect(parts.before + parts.theirs + parts.after).toBe(theirs)
    }),
  )
})

test('a difference in a long text is shown with a little around it', () => {
  const long = 'x'.repeat(50_000)
  expect(differenceOf(`${long}a${long}`, `${long}b${long}`, 3)).toEqual({
    before: '…xxx',
    mine: 'a',
    theirs: 'b',
    after: 'xxx…',
  })
})
