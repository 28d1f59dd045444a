import { expect, test } from 'vitest'
import { tintForName, getInitials } from './avatar.tsx'

test('initials are the first letters of the first and last name', () => {
  expect(getInitials('Priya Raghunathan')).toBe('PR')
  expect(getInitials('Nguyễn Thảo Vy')).toBe('NV')
  expect(getInitials('  Cher ')).toBe('C')
  expect(getInitials('𝒜da Byron')).toBe('𝒜B')
  expect(getInitials('')).toBe('?')
})

test('the same name always has the same tint', () => {
  expect(tintForName('Priya Raghunathan')).toBe(1)
  expect(tintForName('Kwame Mensah')).toBe(6)
})
