import { expect, test } from 'vitest'
import { diffFields, fieldHashes } from './edit-conflict.ts'

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
