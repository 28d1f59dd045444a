import { expect, test } from 'vitest'
import { noMapping } from './headers.ts'
import { mappingFrom, targetChoices, targetsOf, type Target } from './column-targets.ts'

test('parts of a name are joined in their order, not in that of the file', () => {
  expect(mappingFrom(['lastName', '', 'firstName', 'email', 'middleName']).name).toEqual([[2, 4, 0]])
})

test('of several columns the first with something in it counts; places and professions are joined', () => {
  expect(mappingFrom(['name', 'email', 'email', 'location', 'location'])).toMatchObject({
    name: [[0]],
    email: [[1], [2]],
    location: [[3, 4]],
  })
  expect(mappingFrom(['name', 'firstName', 'lastName', 'email']).name).toEqual([[1, 2], [0]])
})

test('what was chosen is shown again', () => {
  const chosen: Target[] = ['lastName', 'firstName', 'email', '', 'phone', 'phone', 'location', 'location', 'notes']
  expect(targetsOf(mappingFrom(chosen), chosen.length)).toEqual(chosen)
  expect(targetsOf({ ...noMapping(), name: [[1, 2, 0]], email: [[3]] }, 5)).toEqual([
    'lastName',
    'firstName',
    'middleName',
    'email',
    '',
  ])
})

test('every field can be chosen, once', () => {
  expect(new Set(targetChoices.map((choice) => choice.value)).size).toBe(19)
})
