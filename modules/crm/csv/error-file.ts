import { problemColumn } from './error-column.ts'
import type { CsvRow } from './read.ts'
import { byteOrderMark, csvLines } from './write.ts'

/**
 * The rows that failed, as they were, with what is wrong with each in a first column. Corrected, the file can be
 * imported like the one it came from: that column is ignored then, and made anew.
 */
export function errorFile(headers: string[], failed: { row: CsvRow; reason: string }[]): string {
  const before = headers.indexOf(problemColumn)
  const own = (cells: string[]): string[] => (before === -1 ? cells : cells.toSpliced(before, 1))
  return (
    byteOrderMark +
    csvLines([[problemColumn, ...own(headers)], ...failed.map(({ row, reason }) => [reason, ...own(row.cells)])])
  )
}
