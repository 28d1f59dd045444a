import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clientStatuses } from './fields.ts'
import { clientsUrl, scopes, sorts, views } from './list-state.ts'

const read = (query: string) => clientsUrl.parse(`http://localhost/clients?${query}`)

test('every list state survives its URL', () => {
  const state = fc.record({
    q: fc.string({ unit: 'grapheme', maxLength: 50 }).map((q) => q.replace(/\p{Cc}+/gu, ' ').trim()),
    view: fc.constantFrom(...views),
    show: fc.constantFrom(...scopes),
    sort: fc.constantFrom(...sorts),
    status: fc.constantFrom(null, ...clientStatuses),
    tag: fc.constantFrom('', 'VIP', 'in person'),
    filters: fc.constantFrom([], ['product.7'], ['product.7', 'next.none']),
    page: fc.integer({ min: 1, max: 1000 }),
    dialog: fc.constantFrom(null, 'add', 'edit-purchase'),
    select: fc.constantFrom(null, 'on'),
    client: fc.option(fc.integer({ min: 1 })),
  })
  fc.assert(
    fc.property(state, (example) => {
      expect(clientsUrl.parse(new URL(clientsUrl.href(example), 'http://localhost'))).toEqual(example)
    }),
  )
})

test('the default state has a URL without parameters', () => {
  expect(clientsUrl.href(read(''))).toBe('/clients')
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
  'status=all',
  'filters=product&filters=.7',
  'q=%00',
  'q=%ED%A0%80&page=NaN',
])('%s falls back to the default', (query) => {
  expect({ ...read(query), q: '' }).toEqual(read(''))
})
