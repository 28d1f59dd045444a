import { expect, test } from 'vitest'
import { clientFieldNames } from '../fields.ts'
import { emptyMapping } from './column-mapping.ts'
import { toMapping, targetOptions, toTargets, type ColumnTarget } from './column-targets.ts'

test("parts of a name are joined in their natural order, not the file's", () => {
  expect(toMapping(['lastName', '', 'firstName', 'email', 'middleName']).name).toEqual([[2, 4, 0]])
})

test('the first non-empty of several columns is used; locations and professions are joined', () => {
  expect(toMapping(['name', 'email', 'email', 'location', 'location'])).toMatchObject({
    name: [[0]],
    email: [[1], [2]],
    location: [[3, 4]],
  })
  expect(toMapping(['name', 'firstName', 'lastName', 'email']).name).toEqual([[1, 2], [0]])
})

test('the chosen mapping is shown again', () => {
  const chosen: ColumnTarget[] = [
    'lastName',
    'firstName',
    'email',
    '',
    'phone',
    'phone',
    'location',
    'location',
    'notes',
  ]
  expect(toTargets(toMapping(chosen), chosen.length)).toEqual(chosen)
  expect(toTargets({ ...emptyMapping(), name: [[1, 2, 0]], email: [[3]] }, 5)).toEqual([
    'lastName',
    'firstName',
    'middleName',
    'email',
    '',
  ])
})

test('every field can be chosen once', () => {
  const values = targetOptions.map(({ value }) => value)
  expect(values.toSorted()).toEqual(['', 'firstName', 'lastName', 'middleName', ...clientFieldNames].toSorted())
})
