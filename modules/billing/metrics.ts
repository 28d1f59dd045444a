import { joinClient } from '#modules/crm/index.ts'
import type { Metric, MetricGroup, MetricRows } from '../core/metrics.ts'

const permission = 'billing:invoice:read'

/** The product of each invoice that sells just one. */
const soldByInvoice = `left join (
    select invoice_id, case when count(distinct name) = 1 then max(name) end as name from (
      select l.invoice_id, s.name from invoice_line l join product s on s.coach_id = $1 and s.id = l.product_id
      where l.coach_id = $1
      union all select u.invoice_id, u.product_name from purchase u where u.coach_id = $1 and u.invoice_id is not null
    ) line group by invoice_id
  ) sold on sold.invoice_id = e.invoice_id`

const entries = (only?: string): MetricRows => ({
  ...(only ? { only } : {}),
  from: `from ledger_entry e ${joinClient('e')}
      left join invoice i on i.coach_id = $1 and i.id = e.invoice_id
      left join purchase p on p.coach_id = $1 and p.id = e.purchase_id
      ${soldByInvoice}
    where e.coach_id = $1 and e.occurred_at >= $2 and e.occurred_at < $3`,
  id: 'e.id',
  at: 'e.occurred_at',
  value: 'e.amount',
  title: `coalesce(p.product_name, i.number || ' · ' || i.description, 'Payment')`,
  detail: `concat_ws(', ', coalesce(i.bill_to_name, c.name), case e.kind when 'payment' then 'payment'
    when 'refund' then 'refund' when 'dispute' then 'taken back by the bank' else 'correction' end)`,
  to: `case when i.id is not null then '/payments?dialog=invoice&invoice=' || i.id
    when p.deleted_at is null then '/purchases?dialog=edit-purchase&purchase=' || p.id
    else '/history/purchase/' || p.id end`,
})

const groups: MetricGroup[] = [
  {
    name: 'product',
    label: 'Product',
    key: `coalesce(p.product_name, sold.name, '')`,
    title: `coalesce(p.product_name, sold.name, 'Other invoices')`,
  },
  {
    name: 'client',
    label: 'Client',
    key: `coalesce(e.client_id::text, '')`,
    title: `coalesce(c.name, 'Clients who were erased')`,
  },
]

/** Money of the ledger, by the day on which it moved. */
export const metrics: Metric[] = [
  {
    name: 'revenue',
    section: 'revenue',
    order: 10,
    label: 'Revenue',
    definition: 'Payments received in the period, less refunds, disputes and corrections, on the day the money moved.',
    unit: 'money',
    addsUpByDay: true,
    groups,
    listsGroups: true,
    chart: 'time',
    permission,
    rows: () => entries(),
  },
  {
    name: 'payments',
    section: 'revenue',
    order: 20,
    label: 'Payments received',
    definition: 'All payments in the period, before anything went back.',
    unit: 'money',
    addsUpByDay: true,
    groups,
    permission,
    rows: () => entries(`e.kind = 'payment'`),
  },
  {
    name: 'refunds',
    section: 'revenue',
    order: 30,
    label: 'Refunds and corrections',
    definition: 'What went back in the period: refunds, disputes that the bank took back, and corrections.',
    unit: 'money',
    addsUpByDay: true,
    groups,
    permission,
    rows: () => entries(`e.kind <> 'payment'`),
  },
  {
    name: 'paying-clients',
    section: 'revenue',
    order: 40,
    label: 'Paying clients',
    definition: 'Clients who paid more in the period than went back to them.',
    unit: 'count',
    permission,
    rows: () => ({
      from: `from (
          select client_id, max(occurred_at) as last_at, count(*) as entries from ledger_entry
          where coach_id = $1 and occurred_at >= $2 and occurred_at < $3 and client_id is not null
          group by client_id having sum(amount) > 0
        ) e ${joinClient('e')} where true`,
      id: 'e.client_id',
      at: 'e.last_at',
      value: '1',
      title: 'c.name',
      detail: `e.entries || case e.entries when 1 then ' payment or refund' else ' payments and refunds' end`,
      to: `case when c.deleted_at is null then '/clients/' || c.id else '/history/client/' || c.id end`,
    }),
  },
]
