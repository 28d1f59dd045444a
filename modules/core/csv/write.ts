import { stringify } from 'csv-stringify/sync'
import { escapeFormula } from './formula-escape.ts'

/** Tells Excel that the file is UTF-8. */
export const byteOrderMark = '\ufeff'

/** `decimal`: a number such as -12.50, which is no formula. */
export type Cell = string | { decimal: string }

/** CSV records with CRLF line ends. Escapes formulas and quotes every possible delimiter. */
export function formatCsv(records: Cell[][]): string {
  return stringify(
    records.map((cells) => cells.map((cell) => (typeof cell === 'string' ? escapeFormula(cell) : cell.decimal))),
    { record_delimiter: '\r\n', quoted_match: /[\r\n;\t|]|^\s|\s$/ },
  )
}
