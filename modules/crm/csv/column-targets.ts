import { clientFields, type ClientField } from '../forms.ts'
import { fieldNames, noMapping, type Mapping } from './headers.ts'

/** What a coach says a column is: a field, a part of the name, or nothing (''). */
export type Target = ClientField | 'firstName' | 'middleName' | 'lastName' | ''

const parts = ['firstName', 'middleName', 'lastName'] as const

/** The choices for each column, in the order of the form. */
export const targetChoices: { value: Target; label: string }[] = [
  { value: '', label: 'Leave out' },
  { value: 'name', label: 'Full name' },
  { value: 'firstName', label: 'First name' },
  { value: 'middleName', label: 'Middle name' },
  { value: 'lastName', label: 'Last name' },
  ...clientFields.filter((field) => field !== 'name').map((field) => ({ value: field, label: fieldNames[field] })),
]

export function isTarget(value: unknown): value is Target {
  return targetChoices.some((choice) => choice.value === value)
}

/** What each of `columns` columns is. */
export function targetsOf(mapping: Mapping, columns: number): Target[] {
  const targets = Array.from({ length: columns }, (): Target => '')
  for (const field of clientFields) {
    for (const joined of mapping[field]) {
      joined.forEach((at, place) => {
        targets[at] = field === 'name' && joined.length > 1 ? partAt(place, joined.length) : field
      })
    }
  }
  return targets
}

function partAt(place: number, count: number): Target {
  if (place === 0) return 'firstName'
  return place === count - 1 ? 'lastName' : 'middleName'
}

/**
 * The mapping that the choices make: parts of the name are joined in their order, columns of place and profession in that of
 * the file; of several columns for another field the first with something in it counts.
 */
export function mappingFrom(targets: Target[]): Mapping {
  const mapping = noMapping()
  const columnsOf = (target: Target): number[] => targets.flatMap((is, at) => (is === target ? [at] : []))
  for (const field of clientFields) {
    const columns = columnsOf(field)
    mapping[field] =
      (field === 'location' || field === 'profession') && columns.length ? [columns] : columns.map((at) => [at])
  }
  const name = parts.flatMap(columnsOf)
  if (name.length) mapping.name.unshift(name)
  return mapping
}
