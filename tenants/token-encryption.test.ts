import { expect, test } from 'vitest'
import { decryptToken, encryptToken } from './token-encryption.ts'

const location = { coachId: 7, provider: 'google', column: 'refresh_token' }
const [oldKey, newKey] = ['the old key of this installation', 'the new key of this installation']

test('a token can be read again, and is never stored twice the same', () => {
  const encrypted = encryptToken([newKey], location, '1//refresh')
  expect(encrypted).toMatch(/^v1\.[\w-]{8}\.[\w-]{16}\.[\w-]+$/)
  expect(encrypted).not.toContain('refresh')
  expect(decryptToken([newKey], location, encrypted)).toBe('1//refresh')
  expect(encryptToken([newKey], location, '1//refresh')).not.toBe(encrypted)
})

test('after a rotation the first key encrypts, and all of them decrypt', () => {
  const before = encryptToken([oldKey], location, 'before')
  const after = encryptToken([newKey, oldKey], location, 'after')
  expect(decryptToken([newKey, oldKey], location, before)).toBe('before')
  expect(decryptToken([newKey], location, after)).toBe('after')
  expect(decryptToken([newKey], location, before)).toBeNull()
})

test.each([
  ['another coach', { ...location, coachId: 8 }],
  ['another provider', { ...location, provider: 'zoom' }],
  ['another column', { ...location, column: 'access_token' }],
])('a token of %s can’t be read', (_name, other) => {
  expect(decryptToken([newKey], location, encryptToken([newKey], other, 'secret'))).toBeNull()
})

test('a changed or malformed token can’t be read', () => {
  const encrypted = encryptToken([newKey], location, 'secret')
  const parts = encrypted.split('.')
  const flipped = parts[3]!.startsWith('A') ? `B${parts[3]!.slice(1)}` : `A${parts[3]!.slice(1)}`
  for (const bad of ['', 'v1', 'v1...', encrypted.replace('v1', 'v2'), [...parts.slice(0, 3), flipped].join('.')])
    expect([bad, decryptToken([newKey], location, bad)]).toEqual([bad, null])
})
