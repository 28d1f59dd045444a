import { clientFilters, joinClient } from '#modules/crm/index.ts'
import { onEvent, type AutomationTrigger } from '../core/automations.ts'
import { paymentReceived } from './events.ts'
import { balanceSql } from './invoices/records.ts'
import { listProducts } from './queries/products.ts'

const invoices: Pick<AutomationTrigger, 'permission' | 'people' | 'filters' | 'placeholders'> = {
  permission: 'billing:invoice:read',
  people: ['client'],
  filters: [
    {
      name: 'product',
      label: 'The invoice has the product',
      values: `array(select l.product_id::text from invoice_line l
        where l.coach_id = $1 and l.invoice_id = i.id and l.product_id is not null)`,
      options: async (ctx) =>
        (await listProducts(ctx, { rows: 500 })).map(({ id, name }) => ({ value: String(id), label: name })),
    },
    ...clientFilters,
  ],
  placeholders: {
    'invoice number': { label: 'Such as INV-0012', sql: 'i.number' },
    'invoice total': {
      label: 'The amount with its currency',
      sql: `to_char(i.total / 100.0, 'FM999,999,990.00') || ' ' || upper(i.currency)`,
    },
    'due date': { label: 'The day until which it is to be paid', sql: 'i.due_date::text', as: 'date' },
  },
}

const rows = (condition: string) => ({
  from: `from invoice i ${joinClient('i')}
    where i.coach_id = $1 and i.kind = 'invoice' and i.state not in ('draft', 'void') and i.total > 0
      and c.id is not null and c.deleted_at is null and ${condition}`,
  title: `i.number || ' · ' || i.description`,
  to: `'/payments?dialog=invoice&invoice=' || i.id`,
  clientId: 'i.client_id',
  prospectId: 'null::bigint',
  name: 'c.name',
  email: 'c.email',
  timezone: 'c.timezone',
})

/** The beginning of the day after the due date, in the coach's time zone. */
const overdueAt = `((i.due_date + 1)::timestamp at time zone (select t.timezone from account t where t.id = $1))`

export const automationTriggers: AutomationTrigger[] = [
  {
    ...invoices,
    name: 'billing.invoice-paid',
    label: 'an invoice is paid',
    order: 30,
    on: onEvent(paymentReceived, ({ invoiceId, isPaid }) =>
      isPaid ? { where: 'i.id = $2', values: [invoiceId] } : null,
    ),
    rows: () => ({ ...rows('i.paid_at is not null'), key: 'i.id::text', at: 'i.paid_at' }),
  },
  {
    ...invoices,
    name: 'billing.invoice-overdue',
    label: 'an invoice is overdue',
    order: 40,
    rows: () => ({
      ...rows(`i.due_date is not null and i.credited < i.total and (i.paid_at is null or i.paid_at >= ${overdueAt})`),
      key: `i.id || ' ' || i.due_date`,
      at: overdueAt,
      stillTrue: `${balanceSql()} > 0`,
    }),
  },
]
