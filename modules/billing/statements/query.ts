import { addDays, localDate } from '#app/lib/time.ts'
import { getClient } from '#modules/crm/index.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { PaymentMethod } from '../fields.ts'
import type { LedgerKind } from '../ledger/kinds.ts'

/** More than anybody reads; a statement is also printed. */
export const maxStatementRows = 500

export type StatementKind = 'invoice' | 'credit_note' | 'settlement' | LedgerKind

/**
 * Amounts in cents. `charged` and `paid` are below 0 where something is taken back. `balance`: what the client owes
 * then.
 */
export type StatementRow = {
  date: string
  kind: StatementKind
  number: string | null
  description: string
  method: PaymentMethod | null
  charged: number
  paid: number
  balance: number
}

/** `isCut`: there are more rows than `rows` has; the sums are complete. */
export type Statement = {
  client: { id: number; name: string }
  from: string
  to: string
  opening: number
  charged: number
  paid: number
  closing: number
  rows: StatementRow[]
  isCut: boolean
}

/** The period of a statement: dates of the coach's calendar; this year until today unless given. */
export function getPeriod(ctx: Ctx, { from, to }: { from: string | null; to: string | null }) {
  const today = localDate(ctx.now(), ctx.account.timezone)
  const until = to ?? today
  const start = from ?? `${until.slice(0, 4)}-01-01`
  return { from: start > until ? until : start, to: until }
}

/**
 * A client's account in a period. Money without an invoice, that of purchases, is charged and paid at once. A refund of
 * an invoice that was paid isn't asked for again: a settlement takes off what no credit note did. Throws not_found.
 */
export async function getStatement(
  ctx: Ctx,
  clientId: number,
  { from, to }: { from: string; to: string },
): Promise<Statement> {
  authorize(ctx, 'billing:invoice:read')
  const { id, name } = await getClient(ctx, clientId)
  const values = [ctx.coachId, clientId, ctx.account.timezone, from, addDays(to, 1)]
  const [[sums], found] = (await ctx.queryAll([
    {
      name: 'billing.statement-sums',
      text: `${entries} select coalesce(sum(charged - paid) filter (where date < $4), 0)::bigint as opening,
          coalesce(sum(charged) filter (where date >= $4), 0)::bigint as charged,
          coalesce(sum(paid) filter (where date >= $4), 0)::bigint as paid
        from entry where date < $5`,
      values,
    },
    {
      name: 'billing.statement',
      text: `${entries} select date::text, kind, number, description, method, charged, paid from entry
        where date >= $4 and date < $5 order by entry.date, time, array_position('{invoice,payment}', kind), id limit ${maxStatementRows + 1}`,
      values,
    },
  ])) as [[Pick<Statement, 'opening' | 'charged' | 'paid'>], Omit<StatementRow, 'balance'>[]]
  let balance = sums.opening
  const rows = found.slice(0, maxStatementRows).map((row) => ({ ...row, balance: (balance += row.charged - row.paid) }))
  const closing = sums.opening + sums.charged - sums.paid
  return { client: { id, name }, from, to, ...sums, closing, rows, isCut: found.length > maxStatementRows }
}

/** The entries of the client $2; $3 is the time zone, $4 and $5 are the dates from and until. */
const entries = `with own as (
    select id, kind, number, description, total, issue_date, created_at, paid_at, total - credited - paid + refunded as rest
    from invoice where coach_id = $1 and client_id = $2 and state in ('open', 'failed')
  ), entry as (
    select issue_date as date, created_at as time, id, kind, number, description, null::text as method,
      case kind when 'credit_note' then -total else total end as charged, 0::bigint as paid
    from own
    union all
    select local_time(e.occurred_at, $3)::date, e.occurred_at, e.id, e.kind, i.number,
      coalesce(i.description, p.product_name, 'Purchase'), e.method,
      case when e.invoice_id is null then e.amount else 0 end, e.amount
    from ledger_entry e
      left join invoice i on i.coach_id = $1 and i.id = e.invoice_id
      left join purchase p on p.coach_id = $1 and p.id = e.purchase_id
    where e.coach_id = $1 and e.client_id = $2
    union all
    select local_time(r.time, $3)::date, r.time, own.id, 'settlement', number, description, null, -rest, 0
    from own cross join lateral (
      select max(occurred_at) as time from ledger_entry
      where coach_id = $1 and invoice_id = own.id and kind in ('refund', 'dispute')
    ) r
    where own.kind = 'invoice' and own.paid_at is not null and rest > 0 and r.time is not null
  )`
