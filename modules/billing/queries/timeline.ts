import { escapeMarkup } from '#app/lib/markup.ts'
import { formatMoney } from '#app/lib/money.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import type { TimelineEntry } from '#modules/crm/index.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { InvoiceKind } from '../invoices/fields.ts'
import type { LedgerKind } from '../ledger/kinds.ts'

type Row = {
  id: number
  at: string
  what: InvoiceKind | LedgerKind | 'reminder'
  amount: number
  invoiceId: number
  number: string
  description: string
}

/** A client's invoices, credit notes and reminders, and what was paid for the invoices: at most `rows`, newest first. */
export async function listInvoiceTimeline(ctx: Ctx, clientId: number, rows: number): Promise<TimelineEntry[]> {
  authorize(ctx, 'billing:invoice:read')
  const found = await ctx.query<Row>({
    name: 'billing.invoice-timeline',
    text: `with own as (
        select id, kind, number, description, total, created_at from invoice
        where coach_id = $1 and client_id = $2 and state <> 'draft'
      )
      select id, ${isoTimestamp('time')} as at, what, amount, "invoiceId", number, description from (
        select id, created_at as time, kind as what, total as amount, id as "invoiceId", number, description from own
        union all
        select e.id, e.occurred_at, e.kind, abs(e.amount), own.id, own.number, own.description
          from ledger_entry e join own on own.id = e.invoice_id where e.coach_id = $1 and e.client_id = $2
        union all
        select r.id, r.sent_at, 'reminder', own.total, own.id, own.number, own.description
          from invoice_reminder r join own on own.id = r.invoice_id where r.coach_id = $1 and r.sent_at is not null
      ) entry order by time desc, id desc limit $3`,
    values: [ctx.coachId, clientId, rows],
  })
  return found.map(({ id, at, what, amount, invoiceId, number, description }) => ({
    key: `${what} ${id}`,
    at,
    kind: 'invoice',
    title: `${labels[what]} ${number}${what === 'reminder' ? '' : `, ${formatMoney(amount, ctx.account.currency)}`}`,
    text: escapeMarkup(description),
    to: `/payments?dialog=invoice&invoice=${invoiceId}`,
  }))
}

const labels: Record<Row['what'], string> = {
  invoice: 'Invoice',
  credit_note: 'Credit note',
  payment: 'Payment of',
  refund: 'Refund of',
  correction: 'Correction of',
  dispute: 'Dispute of',
  reminder: 'Reminder of',
}
