import { isoTimestamp } from '#db/read-pool.ts'
import { clientTotalsSql } from '#modules/crm/index.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { PaymentMethod } from '../fields.ts'
import { balanceSql } from '../invoices/records.ts'
import type { LedgerKind } from '../ledger/kinds.ts'

/** Sums in cents. `revenue`: all money that came in, less what went back. `outstanding`: what issued invoices still ask for. */
export type BillingTotals = { revenue: number; outstanding: number; overdue: number; invoices: number }

/** `today`: the date in the coach's time zone. Source: part-2 §2, Payments page. */
export async function getBillingTotals(
  ctx: Ctx,
  { today, clientId = null }: { today: string; clientId?: number | null },
): Promise<BillingTotals> {
  authorize(ctx, 'billing:invoice:read')
  const client = clientId === null ? '' : 'and client_id = $3'
  const [row] = await ctx.query<BillingTotals>({
    name: `billing.totals${client && '-client'}`,
    text: `select revenue, outstanding, overdue, invoices
      from (select coalesce(sum(amount), 0)::bigint as revenue from ledger_entry where coach_id = $1 ${client}) l,
        (select coalesce(sum(balance), 0)::bigint as outstanding,
            coalesce(sum(balance) filter (where due_date < $2::date), 0)::bigint as overdue,
            count(*) filter (where state <> 'draft') as invoices
          from (select state, due_date, ${balanceSql('invoice')} as balance from invoice
              where coach_id = $1 and kind = 'invoice' and deleted_at is null ${client}) invoice) i`,
    values: clientId === null ? [ctx.coachId, today] : [ctx.coachId, today, clientId],
  })
  return row!
}

export type LedgerEntryRow = {
  id: number
  isOnline: boolean
  kind: LedgerKind
  amount: number
  method: PaymentMethod
  occurredAt: string
}

/** Payments and refunds of an invoice, oldest first. `isOnline`: booked by a payment provider. */
export async function listInvoiceEntries(ctx: Ctx, invoiceId: number): Promise<LedgerEntryRow[]> {
  authorize(ctx, 'billing:invoice:read')
  return ctx.query({
    name: 'billing.invoice-entries',
    text: `select id, kind, amount, method, external_id is not null as "isOnline", ${isoTimestamp('occurred_at')} as "occurredAt" from ledger_entry
      where coach_id = $1 and invoice_id = $2 order by ledger_entry.occurred_at, id`,
    values: [ctx.coachId, invoiceId],
  })
}

/** A difference between the ledger and what is stored beside it. Amounts in cents. */
export type Difference = { what: 'invoice' | 'purchase' | 'client'; id: number; stored: number; ledger: number }

/** Compares invoices, purchases and clients with the sums of their ledger entries. Returns the first 100 differences. */
export async function listDifferences(ctx: Pick<Ctx, 'coachId' | 'query'>): Promise<Difference[]> {
  return ctx.query({
    name: 'billing.differences',
    text: `with entries as (select invoice_id, purchase_id, client_id, amount from ledger_entry where coach_id = $1),
        by_invoice as (select invoice_id, sum(amount) as amount from entries group by invoice_id),
        by_purchase as (select purchase_id, sum(amount) as amount from entries group by purchase_id),
        by_client as (select client_id, sum(amount) as amount from entries group by client_id)
      select 'invoice' as what, i.id, (i.paid - i.refunded)::bigint as stored, coalesce(l.amount, 0)::bigint as ledger
        from invoice i left join by_invoice l on l.invoice_id = i.id
        where i.coach_id = $1 and i.paid - i.refunded <> coalesce(l.amount, 0)
      union all
      select 'purchase', p.id, p.paid, coalesce(l.amount, 0)::bigint
        from (select id, case when status = 'completed' and deleted_at is null then amount else 0 end as paid
            from purchase where coach_id = $1 and invoice_id is null) p
          left join by_purchase l on l.purchase_id = p.id
        where p.paid <> coalesce(l.amount, 0)
      union all
      select 'client', c.id, c.total_spent, coalesce(l.amount, 0)::bigint
        from (${clientTotalsSql}) c left join by_client l on l.client_id = c.id
        where c.total_spent <> coalesce(l.amount, 0)
      limit 100`,
    values: [ctx.coachId],
  })
}
