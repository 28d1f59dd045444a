import { expect, test } from 'vitest'
import { EmbedForm } from './origins.ts'

test('keeps the origin of each address, once', () => {
  const origins =
    'https://www.example.com/contact?a=1\r\nhttps://WWW.example.com\n\nhttp://localhost:8080/ https://a.example:444'
  expect(EmbedForm.parse({ origins }).origins).toEqual([
    'https://www.example.com',
    'http://localhost:8080',
    'https://a.example:444',
  ])
  expect(EmbedForm.parse({}).origins).toEqual([])
})

test.each([
  'http://example.com',
  'example.com',
  '*',
  'https://*',
  'https://*.example.com',
  "'self'",
  'data:text/html,x',
  'javascript:alert(1)',
  'https://a.example;script-src',
  'https://a.example,https://b.example',
  'https://[::1]',
])('refuses %s, which could widen the header', (address) => {
  expect(EmbedForm.safeParse({ origins: address }).success).toBe(false)
})

test('refuses more than ten websites', () => {
  const origins = Array.from({ length: 11 }, (_, index) => `https://a${index}.example`).join('\n')
  expect(EmbedForm.safeParse({ origins }).error?.issues[0]?.message).toBe('Use at most 10 websites')
})
