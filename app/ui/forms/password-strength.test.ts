import { expect, test } from 'vitest'
import { estimateStrength, strengthLabels } from './password-strength.ts'

test.each([
  ['', 'Too short'],
  ['12345', 'Too short'],
  ['123456', 'Weak'],
  ['qwertyuiop', 'Weak'],
  ['aaaaaaaaaaaaaaaaaaaa', 'Weak'],
  ['password', 'Weak'],
  ['football1', 'Weak'],
  ['Password1', 'Weak'],
  ['Welcome2026!', 'Weak'],
  ['Liverpool9', 'Weak'],
  ['x7$kQ9!2', 'Good'],
  ['river42stone', 'Fair'],
  ['river 42 stone', 'Good'],
  ['correct horse battery', 'Strong'],
  ['日本語のパスワード', 'Fair'],
])('%j is "%s"', (password, label) => {
  expect(strengthLabels[estimateStrength(password)]).toBe(label)
})

test('the time for a long password is short', () => {
  const started = performance.now()
  estimateStrength('aB3$'.repeat(250_000))
  expect(performance.now() - started).toBeLessThan(2_000)
})
