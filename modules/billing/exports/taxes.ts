import { isWholeCurrency } from '#app/lib/currencies.ts'
import { addDays } from '#app/lib/time.ts'
import { byteOrderMark, formatCsv } from '#modules/core/csv/write.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { computeTotals, spread } from '../invoices/totals.ts'
import { toAmountCell } from './amount-cell.ts'

/** Dates of the coach's calendar, both included. */
export type Period = { from: string; to: string }

const headers = ['Month', 'Tax rate (%)', 'Net', 'Tax', 'Gross', 'Payments']
const batchSize = 200
/** The rate of money without an invoice. */
const noInvoice = 'no invoice'

type Sums = { net: number; tax: number; payments: number }
/** Month → rate → sums in cents. */
type Report = Map<string, Map<string, Sums>>

/**
 * A CSV file by month and tax rate: what was invoiced less credit notes, by the day of issue, and what was paid less
 * refunds, by the day of the payment. A payment is spread over the rates of its invoice in proportion. Void invoices
 * are left out. Purchases without an invoice have a row of their own.
 */
export async function* exportTaxes(ctx: Ctx, period: Period): AsyncGenerator<string> {
  authorize(ctx, 'billing:invoice:read')
  yield byteOrderMark + formatCsv([headers])
  const report: Report = new Map()
  await addInvoices(ctx, period, report)
  await addPayments(ctx, period, report)
  await addPurchases(ctx, period, report)
  const rows = [...report].flatMap(([month, rates]) => [...rates].map(([rate, sums]) => ({ month, rate, ...sums })))
  rows.sort((a, b) => a.month.localeCompare(b.month) || sortKey(b.rate) - sortKey(a.rate))
  yield formatCsv(
    rows.map(({ month, rate, net, tax, payments }) => [
      month,
      rate,
      toAmountCell(net),
      toAmountCell(tax),
      toAmountCell(net + tax),
      toAmountCell(payments),
    ]),
  )
}

const sortKey = (rate: string): number => (rate === noInvoice ? -1 : Number(rate))

function add(report: Report, month: string, rate: string, sums: Partial<Sums>): void {
  const rates = report.get(month) ?? new Map<string, Sums>()
  report.set(month, rates)
  const { net, tax, payments } = rates.get(rate) ?? { net: 0, tax: 0, payments: 0 }
  rates.set(rate, {
    net: net + (sums.net ?? 0),
    tax: tax + (sums.tax ?? 0),
    payments: payments + (sums.payments ?? 0),
  })
}

type TaxedInvoice = {
  id: number
  kind: 'invoice' | 'credit_note'
  month: string
  currency: string
  discountPercent: string | null
  discountAmount: number | null
  pricesIncludeTax: boolean
  lines: { quantity: string; unitPrice: number; taxRate: string }[]
}

/** Selects TaxedInvoices from `invoice i`. */
const taxedInvoice = `i.id, i.kind, to_char(i.issue_date, 'YYYY-MM') as month, i.currency,
  trim_scale(i.discount_percent)::text as "discountPercent", i.discount_amount as "discountAmount",
  i.prices_include_tax as "pricesIncludeTax", (
    select json_agg(json_build_object('quantity', trim_scale(quantity)::text, 'unitPrice', unit_price,
      'taxRate', trim_scale(tax_rate)::text) order by position)
    from invoice_line where coach_id = $1 and invoice_id = i.id
  ) as lines`

/** Net and tax of each rate, below 0 for a credit note. */
function listRates(invoice: TaxedInvoice): { rate: string; net: number; tax: number }[] {
  const { taxes, untaxed } = computeTotals(invoice)
  const sign = invoice.kind === 'credit_note' ? -1 : 1
  const rates = untaxed || !taxes.length ? [...taxes, { rate: '0', net: untaxed, tax: 0 }] : taxes
  return rates.map(({ rate, net, tax }) => ({ rate, net: sign * net, tax: sign * tax }))
}

async function addInvoices(ctx: Ctx, { from, to }: Period, report: Report): Promise<void> {
  for (let after = 0; ; ) {
    const invoices = await ctx.query<TaxedInvoice>({
      name: 'billing.export-taxes',
      text: `select ${taxedInvoice} from invoice i
        where i.coach_id = $1 and i.id > $2 and i.issue_date between $3 and $4 and i.state in ('open', 'failed')
        order by i.id limit ${batchSize}`,
      values: [ctx.coachId, after, from, to],
    })
    for (const invoice of invoices)
      for (const { rate, ...sums } of listRates(invoice)) add(report, invoice.month, rate, sums)
    if (invoices.length < batchSize) return
    after = invoices.at(-1)!.id
  }
}

async function addPayments(ctx: Ctx, { from, to }: Period, report: Report): Promise<void> {
  for (let after = 0; ; ) {
    const paid = await ctx.query<TaxedInvoice & { paid: { month: string; amount: number }[] }>({
      name: 'billing.export-taxed-payments',
      text: `select ${taxedInvoice}, p.paid from (
          select invoice_id, json_agg(json_build_object('month', month, 'amount', amount)) as paid from (
            select invoice_id, to_char(local_time(occurred_at, $5), 'YYYY-MM') as month, sum(amount) as amount
            from ledger_entry where coach_id = $1 and invoice_id > $2
              and occurred_at >= ($3::date - 1) and occurred_at < ($4::date + 2)
              and local_time(occurred_at, $5)::date between $3 and $4
            group by invoice_id, month) by_month
          group by invoice_id order by invoice_id limit ${batchSize}) p
        join invoice i on i.coach_id = $1 and i.id = p.invoice_id order by i.id`,
      values: [ctx.coachId, after, from, to, ctx.account.timezone],
    })
    for (const { paid: months, ...invoice } of paid) {
      const rates = listRates(invoice)
      const weights = rates.map(({ net, tax }) => BigInt(net + tax))
      const unit = isWholeCurrency(invoice.currency) ? 100 : 1
      for (const { month, amount } of months) {
        const shares = spread(BigInt(Math.abs(amount) / unit), weights)
        for (const [index, { rate }] of rates.entries())
          add(report, month, rate, { payments: Math.sign(amount) * Number(shares[index]) * unit })
      }
    }
    if (paid.length < batchSize) return
    after = paid.at(-1)!.id
  }
}

async function addPurchases(ctx: Ctx, { from, to }: Period, report: Report): Promise<void> {
  const months = await ctx.query<{ month: string; amount: number }>({
    name: 'billing.export-purchase-months',
    text: `select to_char(local_time(occurred_at, $4), 'YYYY-MM') as month, sum(amount)::bigint as amount
      from ledger_entry where coach_id = $1 and invoice_id is null
        and occurred_at >= ($2::date - 1) and occurred_at < ($3::date + 2)
        and local_time(occurred_at, $4)::date between $2 and $3
      group by month`,
    values: [ctx.coachId, from, to, ctx.account.timezone],
  })
  for (const { month, amount } of months) add(report, month, noInvoice, { net: amount, payments: amount })
}

/** The longest period of a file: five years. */
export const isTooLong = ({ from, to }: Period): boolean => addDays(from, 5 * 366) < to
