import { isSameTag, maxTags, parseTags } from '#app/lib/tags.ts'
import { findFormatting, isRichText, restoreMarkup } from '../csv/formatting.ts'
import { clientFieldNames, clientFields, type ClientField } from '../fields.ts'
import { NewClient } from '../forms.ts'
import type { Mapping } from './column-mapping.ts'
import type { Source } from './known-headers.ts'
import type { CsvRow } from './read-csv.ts'

export type PlanOptions = {
  columnCount: number
  source: Source | null
  mapping: Mapping
  /** Rows (from 0) that the coach doesn't want. */
  deselected?: ReadonlySet<number>
  /** A tag for everybody. */
  tag?: string | null
}

/** The planned outcome of a row. `name` and `email` are as in the file. */
export type PlannedRow = { line: number; name: string; email: string } & (
  | { outcome: 'create' | 'deselected'; personKey: string; client: NewClient }
  | { outcome: 'duplicate'; personKey: string; reason: string }
  | { outcome: 'error'; reason: string }
)
export type Outcome = PlannedRow['outcome']

/** Existing clients by their `toPersonKey`. */
export type ExistingClients = ReadonlyMap<string, 'client' | 'archived'>

/** Equal for the same email and name, ignoring case. The name counts because two people may share an email. */
export function toPersonKey({ name, email }: { name: string; email: string }): string {
  return `${email.toLowerCase()}\n${name.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim()}`
}

/**
 * Plans one row after the other as if there were no clients yet. Rows must come in file order: a person on an earlier
 * row makes a later one a duplicate, unless it is deselected.
 */
export function createPlanner({
  deselected = new Set(),
  tag = null,
  ...options
}: PlanOptions): (row: CsvRow) => PlannedRow {
  const lines = new Map<string, number>()
  let next = 0
  return (row) => {
    const isDeselected = deselected.has(next++)
    const values = readValues(row, options)
    const summary = { line: row.line, name: values.name, email: values.email }
    if (row.ragged === 'long') return { ...summary, outcome: 'error', reason: tooManyCells(row, options.columnCount) }

    const parsed = NewClient.safeParse(toInput(values))
    if (!parsed.success) return { ...summary, outcome: 'error', reason: formatIssues(parsed.error.issues) }

    const personKey = toPersonKey(parsed.data)
    const earlierLine = lines.get(personKey)
    if (earlierLine !== undefined)
      return { ...summary, outcome: 'duplicate', personKey, reason: `The same person as on line ${earlierLine}.` }
    const client = addTag(parsed.data, tag)
    if (!client) return { ...summary, outcome: 'error', reason: noRoomForTag }
    if (isDeselected) return { ...summary, outcome: 'deselected', personKey, client }
    lines.set(personKey, row.line)
    return { ...summary, outcome: 'create', personKey, client }
  }
}

/** The client with the tag; null if it has as many others as a client can have. */
function addTag(client: NewClient, tag: string | null): NewClient | null {
  if (tag === null || client.tags.some((own) => isSameTag(own, tag))) return client
  return client.tags.length < maxTags ? { ...client, tags: [...client.tags, tag] } : null
}

const noRoomForTag = `Tags: this row has ${maxTags} tags already, so there is no room for the one of this import.`

/** Turns a row into a duplicate if the person is a client already. */
export function markExisting(existing: ExistingClients, row: PlannedRow): PlannedRow {
  const status = 'client' in row && existing.get(row.personKey)
  if (!status) return row
  const { line, name, email, personKey } = row
  const reason = status === 'client' ? 'Already one of your clients.' : 'Already one of your archived clients.'
  return { line, name, email, outcome: 'duplicate', personKey, reason }
}

type Values = Record<ClientField, string>

const separators: Partial<Record<ClientField, string>> = { name: ' ', location: ', ', profession: ', ' }

function readValues(row: CsvRow, { mapping, source }: PlanOptions): Values {
  const formatting = source === 'own' ? findFormatting(row.cells, new Set(Object.values(mapping).flat(2))) : {}
  const value = (field: ClientField): string =>
    isRichText(field) ? restoreMarkup(cellText(field), formatting[field]) : cellText(field)
  const cellText = (field: ClientField): string => {
    for (const columns of mapping[field]) {
      const cells = columns
        .map((column) => cleanCell(field, (row.cells[column] ?? '').replaceAll('\r\n', '\n'), source))
        .filter((cell) => cell !== '')
      if (cells.length) return cells.join(separators[field] ?? '\n')
    }
    return ''
  }
  return Object.fromEntries(clientFieldNames.map((field) => [field, value(field)])) as Values
}

/** Keeps the cells of our own exports as they are. Others may have several values, line breaks and blanks in a cell. */
function cleanCell(field: ClientField, cell: string, source: Source | null): string {
  if (source === 'own') return cell
  // HoneyBook writes this for what isn't known yet.
  if (source === 'honeybook' && cell.trim().toUpperCase() === 'TBD') return ''
  if (isRichText(field)) return cell.trim()
  if (field === 'tags') return cleanTags(cell)
  const first = field === 'email' || field === 'phone' ? (cell.split(' ::: ')[0] ?? '') : cell
  return first.replace(/\s+/gu, ' ').trim()
}

/**
 * Google Contacts separates labels by ` ::: ` and marks its own groups with a star, Outlook separates by semicolons.
 */
function cleanTags(cell: string): string {
  const labels = cell.split(/ ::: |[;,|\n]/).map((label) => label.trim())
  return labels
    .filter((label) => !/^\* ?my ?contacts$/i.test(label))
    .map((label) => label.replace(/^\* /, ''))
    .join(', ')
}

/** Parses cells by the kind of their field. A percentage may have a sign; NaN is rejected by the schema. */
function toInput(values: Values): object {
  return Object.fromEntries(clientFieldNames.map((field) => [field, parseCell(field, values[field])]))
}

function parseCell(field: ClientField, cell: string): string | number | string[] | undefined {
  const { kind } = clientFields[field]
  const trimmed = cell.trim()
  if (kind === 'tags') return parseTags(cell)
  if (kind === 'choice') return trimmed === '' ? undefined : trimmed.toLowerCase()
  if (kind !== 'percent') return cell
  if (trimmed === '') return undefined
  return /^\d{1,3} ?%?$/.test(trimmed) ? Number.parseInt(trimmed, 10) : Number.NaN
}

function tooManyCells(row: CsvRow, columns: number): string {
  return (
    `This row has ${row.cells.length} cells, but there are ${columns} columns. ` +
    'Put quotation marks around text that contains commas or semicolons.'
  )
}

const requiredMessages: Partial<Record<string, string>> = {
  'Name is required': 'Add a name.',
  'Email is required': 'Add an email address.',
}

function formatIssues(issues: { path: PropertyKey[]; message: string }[]): string {
  const sentences = issues.map(({ path, message }) => {
    const field = clientFieldNames.find((name) => name === path[0])
    return (
      requiredMessages[message] ?? (field ? `${clientFields[field].csv}: ${lowercaseFirst(message)}.` : `${message}.`)
    )
  })
  return [...new Set(sentences)].join(' ')
}

function lowercaseFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
