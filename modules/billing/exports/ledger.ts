import { localDate, localTime } from '#app/lib/time.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import { byteOrderMark, formatCsv, type Cell } from '#modules/core/csv/write.ts'
import { joinClient } from '#modules/crm/index.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { purchaseFields, type PaymentMethod } from '../fields.ts'
import type { LedgerKind } from '../ledger/kinds.ts'
import { toAmountCell } from './amount-cell.ts'
import type { Period } from './taxes.ts'

// Programs read these files: columns are added at the end only.
const headers = [
  'Entry',
  'Date',
  'Time',
  'Kind',
  'Amount',
  'Currency',
  'Method',
  'Client',
  'Invoice',
  'Purchase',
  'Provider id',
]
const batchSize = 500

type Entry = {
  id: number
  occurredAt: string
  kind: LedgerKind
  amount: number
  currency: string
  method: PaymentMethod
  clientName: string | null
  number: string | null
  productName: string | null
  externalId: string | null
}

/** A CSV file of the ledger in a period, oldest first, one piece per batch. Times are in the coach's time zone. */
export async function* exportLedger(ctx: Ctx, { from, to }: Period): AsyncGenerator<string> {
  authorize(ctx, 'billing:invoice:read')
  const { timezone } = ctx.account
  yield byteOrderMark + formatCsv([headers])
  let after = { occurredAt: '-infinity', id: 0 }
  for (;;) {
    const entries: Entry[] = await ctx.query<Entry>({
      name: 'billing.export-ledger',
      text: `select e.id, ${isoTimestamp('e.occurred_at')} as "occurredAt", e.kind, e.amount, e.currency, e.method,
          coalesce(i.bill_to_name, c.name) as "clientName", i.number, p.product_name as "productName",
          e.external_id as "externalId"
        from ledger_entry e ${joinClient('e')}
          left join invoice i on i.coach_id = $1 and i.id = e.invoice_id
          left join purchase p on p.coach_id = $1 and p.id = e.purchase_id
        where e.coach_id = $1 and (e.occurred_at, e.id) > ($2::timestamptz, $3::bigint)
          and e.occurred_at >= ($4::date - 1) and e.occurred_at < ($5::date + 2)
          and local_time(e.occurred_at, $6)::date between $4 and $5
        order by e.occurred_at, e.id limit ${batchSize}`,
      values: [ctx.coachId, after.occurredAt, after.id, from, to, timezone],
    })
    if (entries.length) yield formatCsv(entries.map((entry) => toCells(entry, timezone)))
    const last = entries.at(-1)
    if (!last || entries.length < batchSize) return
    after = last
  }
}

const toCells = (entry: Entry, timezone: string): Cell[] => [
  String(entry.id),
  localDate(entry.occurredAt, timezone),
  localTime(entry.occurredAt, timezone),
  entry.kind,
  toAmountCell(entry.amount),
  entry.currency.toUpperCase(),
  purchaseFields.paymentMethod.choices[entry.method],
  entry.clientName ?? '',
  entry.number ?? '',
  entry.productName ?? '',
  entry.externalId ?? '',
]
