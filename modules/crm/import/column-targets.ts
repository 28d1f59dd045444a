import { clientFieldNames, clientFields, type ClientField } from '../fields.ts'
import { emptyMapping, type Mapping } from './column-mapping.ts'

/** A column becomes a field, a part of the name, or nothing (''). */
export type ColumnTarget = ClientField | 'firstName' | 'middleName' | 'lastName' | ''

const nameParts = ['firstName', 'middleName', 'lastName'] as const

/** The options for each column, in the order of the form. */
export const targetOptions: { value: ColumnTarget; label: string }[] = [
  { value: '', label: 'Don’t import' },
  { value: 'name', label: 'Full name' },
  { value: 'firstName', label: 'First name' },
  { value: 'middleName', label: 'Middle name' },
  { value: 'lastName', label: 'Last name' },
  ...clientFieldNames
    .filter((field) => field !== 'name')
    .map((field) => ({ value: field, label: clientFields[field].csv })),
]

export function isColumnTarget(value: unknown): value is ColumnTarget {
  return targetOptions.some((option) => option.value === value)
}

/** The name of the form field that chooses a column's target. */
export const columnField = (column: number): string => `column-${column}`

/** The target of each column. */
export function toTargets(mapping: Mapping, columnCount: number): ColumnTarget[] {
  const targets = Array.from({ length: columnCount }, (): ColumnTarget => '')
  for (const field of clientFieldNames) {
    for (const columns of mapping[field]) {
      columns.forEach((column, position) => {
        targets[column] = field === 'name' && columns.length > 1 ? namePart(position, columns.length) : field
      })
    }
  }
  return targets
}

function namePart(position: number, count: number): ColumnTarget {
  if (position === 0) return 'firstName'
  return position === count - 1 ? 'lastName' : 'middleName'
}

/**
 * Joins first, middle and last name in this order, and location and profession columns in file order. Several columns
 * of any other field are alternatives.
 */
export function toMapping(targets: ColumnTarget[]): Mapping {
  const mapping = emptyMapping()
  const columnsFor = (target: ColumnTarget): number[] =>
    targets.flatMap((other, column) => (other === target ? [column] : []))
  for (const field of clientFieldNames) {
    const columns = columnsFor(field)
    const joined = (field === 'location' || field === 'profession') && columns.length > 0
    mapping[field] = joined ? [columns] : columns.map((column) => [column])
  }
  const name = nameParts.flatMap(columnsFor)
  if (name.length) mapping.name.unshift(name)
  return mapping
}
