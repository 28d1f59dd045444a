import { expect, test } from 'vitest'
import { countPages, pageHref, parsePage, safeRedirectPath } from './url.ts'

const readPage = (url: string): number => parsePage(new URL(url, 'http://localhost').searchParams)

test.each([1, 2, 51, 999_999])('page %i survives the way through the URL, with or without a dialog', (page) => {
  expect(readPage(pageHref('/products', page))).toBe(page)
  expect(readPage(pageHref('/products', page, { dialog: 'add' }))).toBe(page)
})

test('the first page has no page param', () => {
  expect(pageHref('/products', 1)).toBe('/products')
  expect(pageHref('/products', 1, { dialog: 'add' })).toBe('/products?dialog=add')
})

test.each(['', '?page=', '?page=0', '?page=-2', '?page=1.5', '?page=1e9', '?page=two', '?page=%00', '?page=Infinity'])(
  '%s is the first page',
  (query) => {
    expect(readPage(`/products${query}`)).toBe(1)
  },
)

test.each([
  [0, 1],
  [1, 1],
  [48, 1],
  [49, 2],
  [96, 2],
  [97, 3],
])('%i rows, 48 on each page, make %i pages', (count, pages) => {
  expect(countPages(count, 48)).toBe(pages)
})

test.each([
  ['/', '/'],
  ['/clients?q=a&page=2', '/clients?q=a&page=2'],
  ['/clients/é', '/clients/%C3%A9'],
  ['/a/../b', '/b'],
])('%j is a path on this host: %j', (url, path) => {
  expect(safeRedirectPath(url)).toBe(path)
})

test.each([
  '',
  'clients',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r\\evil.example',
  '\\\\evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  null,
  undefined,
  5,
  ['/a'],
])('%j is not a path on this host', (url) => {
  expect(safeRedirectPath(url)).toBeNull()
})
