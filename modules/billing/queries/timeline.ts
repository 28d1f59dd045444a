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
  what: InvoiceKind | LedgerKind | 'reminder' | 'unconfirmed_reminder'
  amount: number
  invoiceId: number
  number: string
  description: string
}

/**
 * A client's invoices, credit notes and reminders, and what was paid for the invoices: at most `rows`, newest first.
 */
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
        select r.id, coalesce(r.started_at, r.sent_at),
            case when r.sent_at is null then 'unconfirmed_reminder' else 'reminder' end,
            own.total, own.id, own.number, own.description
          from invoice_reminder r join own on own.id = r.invoice_id
          where r.coach_id = $1 and (r.sent_at is not null or r.started_at < $4)
      ) entry order by time desc, id desc limit $3`,
    values: [ctx.coachId, clientId, rows, new Date(ctx.now().getTime() - sendingMs)],
  })
  return found.map(({ id, at, what, amount, invoiceId, number, description }) => ({
    key: `${what} ${id}`,
    at,
    kind: 'invoice',
    title: formatTitle(what, number, formatMoney(amount, ctx.account.currency)),
    text: escapeMarkup(description),
    to: `/payments?dialog=invoice&invoice=${invoiceId}`,
  }))
}

/** A worker that sends an email for so long has ended. */
const sendingMs = 3_600_000

function formatTitle(what: Row['what'], number: string, amount: string): string {
  if (what === 'reminder') return `Reminder of ${number}`
  if (what === 'unconfirmed_reminder') return `Reminder of ${number} may not have been sent`
  return `${labels[what]} ${number}, ${amount}`
}

const labels: Record<InvoiceKind | LedgerKind, string> = {
  invoice: 'Invoice',
  credit_note: 'Credit note',
  payment: 'Payment of',
  refund: 'Refund of',
  correction: 'Correction of',
  dispute: 'Dispute of',
}
