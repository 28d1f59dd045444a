import { stringify } from 'csv-stringify/sync'
import { defuse } from './formula-escape.ts'

/** Tells Excel that the file is UTF-8. */
export const byteOrderMark = '\ufeff'

/** Records of a CSV file with CRLF. Cells that a spreadsheet would run are defused; whatever it might cut at is quoted. */
export function csvLines(records: string[][]): string {
  return stringify(
    records.map((cells) => cells.map(defuse)),
    { record_delimiter: '\r\n', quoted_match: /[\r\n;\t|]|^\s|\s$/ },
  )
}
