import { byteOrderMark, formatCsv } from '#modules/core/csv/write.ts'
import { toAmountCell } from '../exports/amount-cell.ts'
import { describeEntry } from './format.ts'
import type { Statement } from './query.ts'

const headers = ['Date', 'Entry', 'Number', 'Description', 'Charged', 'Paid', 'Balance']

export const formatStatement = ({ from, to, opening, closing, rows }: Statement): string =>
  byteOrderMark +
  formatCsv([
    headers,
    [from, 'Opening balance', '', '', '', '', toAmountCell(opening)],
    ...rows.map((row) => [
      row.date,
      describeEntry(row),
      row.number ?? '',
      row.description,
      toAmountCell(row.charged),
      toAmountCell(row.paid),
      toAmountCell(row.balance),
    ]),
    [to, 'Closing balance', '', '', '', '', toAmountCell(closing)],
  ])
