import { isoTimestamp } from '#db/read-pool.ts'
import { clientTotalsSql } from '#modules/crm/index.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { PaymentMethod } from '../fields.ts'
import { balanceSql } from '../invoices/records.ts'
import type { LedgerKind } from '../ledger/kinds.ts'

/**
 * Sums in cents. `revenue`: all money that came in, less what went back. `outstanding`: what issued invoices still ask
 * for.
 */
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

/**
 * Compares invoices, purchases and clients with the sums of their ledger entries. Returns the first 100 differences.
 */
export async function listDifferences(ctx: Pick<Ctx, 'coachId' | 'query'>): Promise<Difference[]> {
  return ctx.query({
    name: 'billing.differences',
    // Grouped, not joined: a plan that expects few rows would compare each row with each.
    text: `with entry as materialized (select invoice_id, purchase_id, client_id, amount from ledger_entry where coach_id = $1)
      select what, id, sum(stored)::bigint as stored, coalesce(sum(booked), 0)::bigint as ledger from (
        select 'invoice' as what, id, paid - refunded as stored, null::bigint as booked from invoice where coach_id = $1
        union all select 'invoice', invoice_id, null, amount from entry where invoice_id is not null
        union all select 'purchase', id, case when status = 'completed' and deleted_at is null then amount else 0 end, null
          from purchase where coach_id = $1 and invoice_id is null
        union all select 'purchase', purchase_id, null, amount from entry where purchase_id is not null
        union all select 'client', id, total_spent, null from (${clientTotalsSql}) c
        union all select 'client', client_id, null, amount from entry where client_id is not null
      ) amounts
      group by what, id having sum(stored) <> coalesce(sum(booked), 0)
      order by array_position(array['invoice', 'purchase', 'client'], what), id limit 100`,
    values: [ctx.coachId],
  })
}
