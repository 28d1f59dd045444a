import { expect, test } from 'vitest'
import { ownPath } from './safe-redirect.ts'

test.each([
  ['/', '/'],
  ['/clients?q=a&page=2', '/clients?q=a&page=2'],
  ['/clients/é', '/clients/%C3%A9'],
  ['/a/../b', '/b'],
])('%j is a path of this host: %j', (address, path) => {
  expect(ownPath(address)).toBe(path)
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
])('%j is none', (address) => {
  expect(ownPath(address)).toBeNull()
})
