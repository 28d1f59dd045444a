import { expect, test } from 'vitest'
import { lastPageOf, pageAddress, pageIn } from './pagination.ts'

const pageOf = (address: string): number => pageIn(new URL(address, 'http://localhost').searchParams)

test.each([1, 2, 51, 999_999])('page %i is the one that its address asks for, also under a dialog', (page) => {
  expect(pageOf(pageAddress('/products', page))).toBe(page)
  expect(pageOf(pageAddress('/products', page, { dialog: 'add' }))).toBe(page)
})

test('the first page has the plain address', () => {
  expect(pageAddress('/products', 1)).toBe('/products')
  expect(pageAddress('/products', 1, { dialog: 'add' })).toBe('/products?dialog=add')
})

test.each(['', '?page=', '?page=0', '?page=-2', '?page=1.5', '?page=1e9', '?page=two', '?page=%00', '?page=Infinity'])(
  '%s is the first page',
  (query) => {
    expect(pageOf(`/products${query}`)).toBe(1)
  },
)

test.each([
  [0, 1],
  [1, 1],
  [48, 1],
  [49, 2],
  [96, 2],
  [97, 3],
])('%i rows, 48 on each page, end on page %i', (count, last) => {
  expect(lastPageOf(count, 48)).toBe(last)
})
