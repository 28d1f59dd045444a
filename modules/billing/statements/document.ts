import { formatMoney } from '#app/lib/money.ts'
import { formatCalendarDate } from '#app/lib/time.ts'
import type { Ctx } from '#tenants/context.ts'
import { formatFooter } from '#tenants/documents/branding.ts'
import { printDocument } from '#tenants/documents/print.ts'
import type { PrintedDocument } from '#tenants/documents/printed-document.ts'
import { getBranding } from '../documents/branding.ts'
import { formatLongDate } from '../documents/invoice-document.ts'
import { toFileName, type PdfFile } from '../documents/files.ts'
import { formatIssuer } from '../documents/issuer.ts'
import { getSettings } from '../queries/settings.ts'
import { describeEntry } from './format.ts'
import type { Statement } from './query.ts'

/** The statement as a PDF. It is printed each time: it says how things are now. */
export async function printStatement(ctx: Ctx, statement: Statement): Promise<PdfFile> {
  const { client, from, to } = statement
  const content = await printDocument(ctx, await toStatementDocument(ctx, statement))
  return { name: toFileName(`Statement ${client.name.normalize('NFKD')} ${from} ${to}`), content }
}

async function toStatementDocument(
  ctx: Ctx,
  { client, from, to, opening, charged, paid, closing, rows }: Statement,
): Promise<PrintedDocument> {
  const settings = await getSettings(ctx)
  const shortDate = (date: string) => formatCalendarDate(date, { month: 'short', day: 'numeric', year: 'numeric' })
  return {
    ...(await getBranding(ctx, {
      issuedBy: formatIssuer(ctx.account, settings),
      currency: ctx.account.currency,
    })),
    title: 'Statement',
    number: null,
    recipient: { label: 'For', lines: [client.name] },
    facts: [
      { label: 'From', value: formatLongDate(from) },
      { label: 'To', value: formatLongDate(to) },
    ],
    table: {
      columns: [
        { head: 'Date', share: 2 },
        { head: 'Entry', share: 5 },
        { head: 'Charged', share: 2, alignRight: true },
        { head: 'Paid', share: 2, alignRight: true },
        { head: 'Balance', share: 2, alignRight: true },
      ],
      rows: [
        [shortDate(from), 'Opening balance', '', '', formatMoney(opening, ctx.account.currency)],
        ...rows.map((row) => [
          shortDate(row.date),
          [describeEntry(row), row.number, row.description].filter(Boolean).join('\n'),
          row.charged ? formatMoney(row.charged, ctx.account.currency) : '',
          row.paid ? formatMoney(row.paid, ctx.account.currency) : '',
          formatMoney(row.balance, ctx.account.currency),
        ]),
      ],
    },
    sums: [
      { label: 'Charged', value: formatMoney(charged, ctx.account.currency) },
      { label: 'Paid', value: formatMoney(paid, ctx.account.currency) },
      { label: 'Closing balance', value: formatMoney(closing, ctx.account.currency), isStrong: true },
    ],
    paragraphs: [],
    footer: formatFooter(ctx, settings.invoiceFooter ?? null),
    createdAt: ctx.now(),
  }
}
