import { byteOrderMark, formatCsv } from '#modules/core/csv/write.ts'
import type { CsvRow } from './read-csv.ts'

/** Header of the column that says why a row failed. Imports ignore it. */
export const errorColumn = 'Problem'

/** The failed rows unchanged, with the reason in a first column. The corrected file can be imported again. */
export function formatErrorFile(headers: string[], failed: { row: CsvRow; reason: string }[]): string {
  const previous = headers.indexOf(errorColumn)
  const withoutErrors = (cells: string[]): string[] => (previous === -1 ? cells : cells.toSpliced(previous, 1))
  const rows = failed.map(({ row, reason }) => [reason, ...withoutErrors(row.cells)])
  return byteOrderMark + formatCsv([[errorColumn, ...withoutErrors(headers)], ...rows])
}
