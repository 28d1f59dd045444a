import { NewClient, clientFields, type ClientField } from '../forms.ts'
import { formattingIn, isWords, storedWords } from './formatting.ts'
import { fieldNames, type Mapping, type Source } from './headers.ts'
import type { CsvRow } from './read.ts'

/** How the columns of a file are read. */
export type Reading = { columns: number; source: Source | null; mapping: Mapping }

/** What the import will do with a row, and why. `client` is what it makes; `name` and `email` are what the row says. */
export type PlannedRow = { line: number; name: string; email: string } & (
  | { outcome: 'create'; identity: string; client: NewClient }
  | { outcome: 'duplicate'; identity: string; reason: string }
  | { outcome: 'error'; reason: string }
)
export type Outcome = PlannedRow['outcome']

/** Who is a client already, by `identityOf`. */
export type Known = ReadonlyMap<string, 'client' | 'archived'>

/** The same person: the same e-mail address without regard to case, and the same name. Two people may share an address. */
export function identityOf({ name, email }: { name: string; email: string }): string {
  return `${email.toLowerCase()}\n${name.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim()}`
}

/**
 * Says for one row after the other what it would be if there were no clients yet. Rows must come in the order of the
 * file: a person who was on an earlier one is a duplicate. The same rows give the same plan.
 */
export function planner(reading: Reading): (row: CsvRow) => PlannedRow {
  const seen = new Map<string, number>()
  return (row) => {
    const values = valuesOf(row, reading)
    const about = { line: row.line, name: values.name, email: values.email }
    if (row.ragged === 'long') return { ...about, outcome: 'error', reason: tooManyCells(row, reading.columns) }

    const parsed = NewClient.safeParse(inputOf(values))
    if (!parsed.success) return { ...about, outcome: 'error', reason: sentenceFor(parsed.error.issues) }

    const identity = identityOf(parsed.data)
    const earlier = seen.get(identity)
    if (earlier !== undefined)
      return { ...about, outcome: 'duplicate', identity, reason: `The same person as on line ${earlier}.` }
    seen.set(identity, row.line)
    return { ...about, outcome: 'create', identity, client: parsed.data }
  }
}

/** What a planned row becomes beside the clients that there are. */
export function beside(known: Known, row: PlannedRow): PlannedRow {
  const existing = row.outcome === 'create' && known.get(row.identity)
  if (!existing) return row
  const { line, name, email, identity } = row
  const reason = existing === 'client' ? 'Already one of your clients.' : 'Already one of your archived clients.'
  return { line, name, email, outcome: 'duplicate', identity, reason }
}

type Values = Record<ClientField, string>

const between: Partial<Record<ClientField, string>> = { name: ' ', location: ', ', profession: ', ' }

function valuesOf(row: CsvRow, { mapping, source }: Reading): Values {
  const formatting = source === 'own' ? formattingIn(row.cells, new Set(Object.values(mapping).flat(2))) : {}
  const value = (field: ClientField): string =>
    isWords(field) ? storedWords(plain(field), formatting[field]) : plain(field)
  const plain = (field: ClientField): string => {
    for (const columns of mapping[field]) {
      const cells = columns
        .map((at) => cellOf(field, (row.cells[at] ?? '').replaceAll('\r\n', '\n'), source))
        .filter((cell) => cell !== '')
      if (cells.length) return cells.join(between[field] ?? '\n')
    }
    return ''
  }
  return {
    name: value('name'),
    email: value('email'),
    phone: value('phone'),
    location: value('location'),
    profession: value('profession'),
    timezone: value('timezone'),
    program: value('program'),
    status: value('status'),
    progress: value('progress'),
    goals: value('goals'),
    notes: value('notes'),
    futureGoals: value('futureGoals'),
    frustrations: value('frustrations'),
    fears: value('fears'),
    failures: value('failures'),
  }
}

/** Our own cells are what was stored, words without their formatting. Others hold several values in one cell, line breaks in addresses, blanks at the end. */
function cellOf(field: ClientField, cell: string, source: Source | null): string {
  if (source === 'own') return cell
  if (isWords(field)) return cell.trim()
  const first = field === 'email' || field === 'phone' ? (cell.split(' ::: ')[0] ?? '') : cell
  return first.replace(/\s+/gu, ' ').trim()
}

function inputOf({ status, progress, ...texts }: Values): object {
  return { ...texts, status: statusOf(status), progress: progressOf(progress) }
}

function statusOf(cell: string): string | undefined {
  return cell.trim() === '' ? undefined : cell.trim().toLowerCase()
}

/** `40` and `40%`; NaN for what is no number, which the schema refuses. */
function progressOf(cell: string): number | undefined {
  if (cell.trim() === '') return undefined
  return /^\d{1,3} ?%?$/.test(cell.trim()) ? Number.parseInt(cell, 10) : Number.NaN
}

function tooManyCells(row: CsvRow, columns: number): string {
  return `This row has ${row.cells.length} cells, but there are ${columns} columns. Put a text that holds commas or semicolons into quotation marks.`
}

const missing: Partial<Record<string, string>> = {
  'Name is required': 'Add a name.',
  'Email is required': 'Add an email address.',
}

function sentenceFor(issues: { path: PropertyKey[]; message: string }[]): string {
  const sentences = issues.map(({ path, message }) => {
    const field = clientFields.find((name) => name === path[0])
    return missing[message] ?? (field ? `${fieldNames[field]}: ${lowerFirst(message)}.` : `${message}.`)
  })
  return [...new Set(sentences)].join(' ')
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
