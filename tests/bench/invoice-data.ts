import type pg from 'pg'

/** The description of the invoices that a run creates. */
export const createdInvoice = 'Created by the bench'

const invoicesEach = 60

/** Adds 60 invoices of one line to each practice unless there are some, and removes those of the last run. */
export async function prepareInvoices(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query('select from billing_settings limit 1')
  if (!rows.length) {
    await owner.query(settingsSql)
    await owner.query(invoicesSql, [invoicesEach])
    await owner.query(linesSql)
    await owner.query('analyze billing_settings, invoice, invoice_line')
  }
  await owner.query('delete from invoice where description = $1', [createdInvoice])
  await owner.query('update billing_settings set next_number = $1', [invoicesEach + 1])
}

const settingsSql = `
  insert into billing_settings (coach_id, created_at, updated_at) select id, created_at, created_at from account`

const invoicesSql = `
  insert into invoice (coach_id, state, number, client_id, bill_to_name, bill_to_email, currency, description, issue_date,
    due_date, prices_include_tax, subtotal, discount, tax, total, paid, paid_at, created_at, updated_at)
  select coach_id, 'open', 'INV-' || lpad(nth::text, 4, '0'), id, name, email, 'usd', 'Twelve sessions',
    issued::date, issued::date + 14, false, cents, 0, 0, cents, case when nth % 3 > 0 then cents else 0 end,
    case when nth % 3 > 0 then issued + interval '5 days' end, issued, issued
  from (select coach_id, id, name, email, row_number() over (partition by coach_id order by id) as nth from client) c,
    lateral (select timestamptz '2026-01-01' + nth * interval '5 days' as issued, 12500 * (1 + nth % 4) as cents) as i
  where nth <= $1::int`

const linesSql = `
  insert into invoice_line (coach_id, invoice_id, position, description, quantity, unit_price, tax_rate, amount)
  select coach_id, id, 1, description, 1, total, 0, total from invoice`
