import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listHref, parseListState, scopes, sorts } from './list-state.ts'

const read = (query: string) => parseListState(new URLSearchParams(query))

test('every list state survives its URL', () => {
  const state = fc.record({
    q: fc.string({ unit: 'grapheme', maxLength: 50 }).map((q) => q.replace(/\p{Cc}+/gu, ' ').trim()),
    view: fc.constantFrom('list' as const, 'cards' as const),
    scope: fc.constantFrom(...scopes),
    sort: fc.constantFrom(...sorts),
    descending: fc.boolean(),
    page: fc.integer({ min: 1, max: 1000 }),
  })
  fc.assert(
    fc.property(state, (example) => {
      expect(parseListState(new URL(listHref(example), 'http://localhost').searchParams)).toEqual(example)
    }),
  )
})

test('the default state has a URL without parameters', () => {
  expect(listHref(read(''))).toBe('/clients')
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
])('%s falls back to the default', (query) => {
  expect({ ...read(query), q: '', descending: true }).toEqual(read(''))
})
