import { isTimezone } from '#app/lib/zod-types.ts'
import { clientFieldNames, clientFields, type ClientField } from '../fields.ts'
import { errorColumn } from './error-file.ts'
import { exportColumns, headerSynonyms, type FieldColumns, type Source } from './known-headers.ts'
import type { CsvRow } from './read-csv.ts'

/**
 * The file columns (from 0) that make up each field of a client: a list of alternatives, of which the first non-empty
 * one is used. The columns of one alternative are joined, such as first and last name.
 */
export type Mapping = Record<ClientField, number[][]>

export type MappingGuess = {
  source: Source | null
  mapping: Mapping
  /** Whether the import can skip the mapping step. */
  confident: boolean
  unmapped: number[]
}

/** Maps columns by their headers. With `rows`, columns whose cells don't fit the field are left unmapped. */
export function guessMapping(headers: string[], rows: CsvRow[] = []): MappingGuess {
  const names = headers.map(normalizeHeader)
  const source = detectSource(names)
  if (source) {
    const mapping = pickColumns(names, source === 'own' ? ownColumns : exportColumns[source])
    return { source, mapping, confident: true, unmapped: unmappedColumns(headers, mapping) }
  }
  const exact = dropMisfits(matchSynonyms(names), rows)
  const unmapped = unmappedColumns(headers, exact)
  const mapping = addLikelyColumns(names, exact, unmapped)
  return { source, mapping, confident: isComplete(exact, unmapped), unmapped: unmappedColumns(headers, mapping) }
}

export function emptyMapping(): Mapping {
  return Object.fromEntries(clientFieldNames.map((field): [string, number[][]] => [field, []])) as Mapping
}

/** Why a mapping can't be used, as a message for the coach; null when it can. */
export function mappingError(mapping: Mapping, headers: string[]): string | null {
  const columns = Object.values(mapping).flat(2)
  if (columns.some((column) => !Number.isInteger(column) || column < 0 || column >= headers.length))
    return 'This file has other columns. Choose them again.'
  if (!mapping.name.length && !mapping.email.length)
    return 'Choose the columns that hold the name and the email address.'
  if (!mapping.name.length) return 'Choose the column that holds the name.'
  if (!mapping.email.length) return 'Choose the column that holds the email address.'
  return null
}

/** Columns with a header that no field uses, except the error column. */
export function unmappedColumns(headers: string[], mapping: Mapping): number[] {
  const mapped = new Set(Object.values(mapping).flat(2))
  return headers.flatMap((header, column) =>
    mapped.has(column) || header === errorColumn || header.trim() === '' ? [] : [column],
  )
}

/** Lower case without accents and punctuation: `E-Mail-Adresse` → `e mail adresse`. */
function normalizeHeader(header: string): string {
  return header
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function detectSource(names: string[]): Source | null {
  const has = (...headers: string[]): boolean => headers.every((name) => names.includes(name))
  // Older exports have no tags.
  const ownFields = clientFieldNames.filter((field) => field !== 'tags')
  if (has(...ownFields.map((field) => normalizeHeader(clientFields[field].csv)))) return 'own'
  if (has('e mail 1 value') && (has('first name') || has('given name') || has('name'))) return 'google'
  if (has('e mail address') && (has('e mail display name') || has('e mail 2 address')) && has('first name'))
    return 'outlook'
  if (has('email') && (has('lifecycle stage') || has('lead status') || has('contact owner')) && has('first name'))
    return 'hubspot'
  if (has('first name', 'email', 'project creation date', 'total booked value')) return 'honeybook'
  if (has('full name', 'email address', 'lead created date', 'total project value')) return 'honeybook'
  if (names.some((name) => /^e ?mail (home|work|other|icloud|1)$/.test(name)) && has('first name', 'last name'))
    return 'apple'
  return null
}

const ownColumns: FieldColumns = Object.fromEntries(
  clientFieldNames.map((field) => [field, [[normalizeHeader(clientFields[field].csv)]]]),
)

function pickColumns(names: string[], fieldColumns: FieldColumns): Mapping {
  const mapping = emptyMapping()
  const used = new Set<number>()
  for (const field of clientFieldNames) {
    for (const alternative of fieldColumns[field] ?? []) {
      const columns = alternative
        .map((name) => names.indexOf(name))
        .filter((column) => column !== -1 && !used.has(column))
      if (columns.length) mapping[field].push(columns)
      for (const column of columns) used.add(column)
    }
  }
  return mapping
}

function matchSynonyms(names: string[]): Mapping {
  const mapping = emptyMapping()
  const used = new Set<number>()
  for (const [field, ...synonymLists] of headerSynonyms) {
    const columns = synonymLists.flatMap((list) => findColumn(names, list.split(/[|\n]/).map(normalizeHeader), used))
    if (columns.length) mapping[field].push(columns)
    for (const column of columns) used.add(column)
  }
  return mapping
}

function findColumn(names: string[], synonyms: string[], used: Set<number>): number[] {
  const found = names.findIndex((name, column) => synonyms.includes(name) && !used.has(column))
  return found === -1 ? [] : [found]
}

function isComplete(mapping: Mapping, unmapped: number[]): boolean {
  return unmapped.length === 0 && mapping.name.length > 0 && mapping.email.length > 0
}

const likelyHeaders: [ClientField, RegExp][] = [
  ['email', /(^| )(e ?mail|mail)( |$)/],
  ['phone', /phone|telefon|mobil/],
  ['name', /(^| )name( |$)/],
]

/** Adds columns with a similar header, such as `Client's email (private)`, for the coach to confirm. */
function addLikelyColumns(names: string[], mapping: Mapping, unmapped: number[]): Mapping {
  const extended = { ...mapping }
  for (const [field, pattern] of likelyHeaders) {
    const likely = unmapped.find((column) => pattern.test(names[column] ?? ''))
    if (extended[field].length === 0 && likely !== undefined) extended[field] = [[likely]]
  }
  return extended
}

function isValidCell(field: ClientField, cell: string): boolean {
  const { kind } = clientFields[field]
  if (kind === 'choice') return cell.toLowerCase() in clientFields[field].choices
  if (kind === 'percent') return /^\d{1,3} ?%?$/.test(cell)
  return kind !== 'timezone' || isTimezone(cell)
}

/** Unmaps a choice, percentage or time zone column unless at least half of its cells are valid. */
function dropMisfits(mapping: Mapping, rows: CsvRow[]): Mapping {
  const valid = { ...mapping }
  for (const field of clientFieldNames) {
    valid[field] = mapping[field].filter((columns) =>
      columns.every((column) => {
        const filled = rows.slice(0, 1000).flatMap(({ cells }) => cells[column]?.trim() || [])
        return filled.length <= 2 * filled.filter((cell) => isValidCell(field, cell)).length
      }),
    )
  }
  return valid
}
