import { byteOrderMark, formatCsv } from '../csv/write.ts'
import { listFields, readRecords, type ExportedKind, type Reader } from './records.ts'
import { readRows } from './read-rows.ts'
import type { ExportedTable } from './tables.ts'

const batchSize = 200

/** The records of a kind as a spreadsheet, with the labels of the screens. */
export async function* writeKindCsv(
  reader: Reader,
  kind: ExportedKind,
  onRows: (count: number) => void,
): AsyncGenerator<string> {
  yield byteOrderMark + formatCsv([['Id', 'Title', ...listFields(kind), 'Added', 'Updated', 'Moved to the trash']])
  for await (const records of readRecords(reader, kind, batchSize)) {
    onRows(records.length)
    yield formatCsv(
      records.map(({ id, title, values, addedAt, updatedAt, deletedAt }) => [
        String(id),
        title,
        ...values.map(({ text }) => text ?? ''),
        addedAt,
        updatedAt,
        deletedAt ?? '',
      ]),
    )
  }
}

/** The rows of a table as a spreadsheet, with its columns. Files that the database keeps are in no cell. */
export async function* writeTableCsv(
  reader: Reader,
  table: ExportedTable,
  onRows: (count: number) => void,
): AsyncGenerator<string> {
  const columns = table.columns.filter(({ type }) => type !== 'bytea')
  yield byteOrderMark + formatCsv([columns.map(({ name }) => name)])
  for await (const lines of readRows(reader, { ...table, columns }, onRows, 'cells')) {
    const rows = lines
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    yield formatCsv(rows.map((row) => columns.map(({ name }) => toCell(row[name]))))
  }
}

const toCell = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
