import { expect, test } from 'vitest'
import { hueOf, initialsOf } from './avatar.tsx'

test('initials are the first letters of the first and last name', () => {
  expect(initialsOf('Priya Raghunathan')).toBe('PR')
  expect(initialsOf('Nguyễn Thảo Vy')).toBe('NV')
  expect(initialsOf('  Cher ')).toBe('C')
  expect(initialsOf('𝒜da Byron')).toBe('𝒜B')
  expect(initialsOf('')).toBe('?')
})

test('the same name always has the same tint', () => {
  expect(hueOf('Priya Raghunathan')).toBe(62)
  expect(hueOf('Kwame Mensah')).toBe(305)
})
