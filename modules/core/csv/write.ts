import { stringify } from 'csv-stringify/sync'
import { escapeFormula } from './formula-escape.ts'

/** Tells Excel that the file is UTF-8. */
export const byteOrderMark = '\ufeff'

/** CSV records with CRLF line ends. Escapes formulas and quotes every possible delimiter. */
export function formatCsv(records: string[][]): string {
  return stringify(
    records.map((cells) => cells.map(escapeFormula)),
    { record_delimiter: '\r\n', quoted_match: /[\r\n;\t|]|^\s|\s$/ },
  )
}
