import { AppError } from '#app/lib/errors.ts'
import { formatMoney } from '#app/lib/money.ts'
import { formatCalendarDate } from '#app/lib/time.ts'
import type { Ctx } from '#tenants/context.ts'
import { statementUrl } from '../list-state.ts'
import { describeEntry } from './format.ts'
import { getPeriod, getStatement, type Statement, type StatementRow } from './query.ts'

/** The page of a statement. Throws not_found. */
export async function getStatementPage(ctx: Ctx, clientId: number, url: string) {
  const statement = await readStatement(ctx, clientId, url)
  const { opening, charged, paid, closing } = statement
  const { currency } = ctx.account
  return {
    ...statement,
    opening: formatMoney(opening, currency),
    charged: formatMoney(charged, currency),
    paid: formatMoney(paid, currency),
    closing: formatMoney(closing, currency),
    rows: statement.rows.map((row) => toRow(row, currency)),
  }
}

const toRow = (row: StatementRow, currency: string) => ({
  title: [describeEntry(row), row.number].filter(Boolean).join(' · '),
  detail: `${formatCalendarDate(row.date, { month: 'short', day: 'numeric', year: 'numeric' })}, ${row.description}`,
  amount: formatMoney(row.charged - (row.charged === row.paid ? 0 : row.paid), currency),
  balance: formatMoney(row.balance, currency),
})

/** The statement to download. Throws not_found, and conflict for more rows than a statement has. */
export async function getWholeStatement(ctx: Ctx, clientId: number, url: string): Promise<Statement> {
  const statement = await readStatement(ctx, clientId, url)
  if (statement.isCut) throw new AppError('conflict', 'This period has too many entries. Choose a shorter one.')
  return statement
}

const readStatement = (ctx: Ctx, clientId: number, url: string): Promise<Statement> =>
  getStatement(ctx, clientId, getPeriod(ctx, statementUrl(clientId).parse(url)))
