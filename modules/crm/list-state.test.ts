import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listAddress, listState, places, sorts } from './list-state.ts'

const read = (query: string) => listState(new URLSearchParams(query))

test('every state survives its address', () => {
  const state = fc.record({
    q: fc.string({ unit: 'grapheme', maxLength: 50 }).map((q) => q.replace(/\p{Cc}+/gu, ' ').trim()),
    view: fc.constantFrom('list' as const, 'cards' as const),
    place: fc.constantFrom(...places),
    sort: fc.constantFrom(...sorts),
    down: fc.boolean(),
    page: fc.integer({ min: 1, max: 1000 }),
  })
  fc.assert(
    fc.property(state, (one) => {
      expect(listState(new URL(listAddress(one), 'http://localhost').searchParams)).toEqual(one)
    }),
  )
})

test('the usual state has the plain address', () => {
  expect(listAddress(read(''))).toBe('/clients')
})

test.each([
  'page=0',
  'page=-1',
  'page=1.5',
  'page=abc',
  'page=1e99',
  'sort=password',
  'sort=--name',
  'view=3',
  'show=all',
  'q=%00',
  'q=%ED%A0%80&page=NaN',
])('%s is read as something usual', (query) => {
  expect({ ...read(query), q: '', down: true }).toEqual(read(''))
})
