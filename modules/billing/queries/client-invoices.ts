import { localDate } from '#app/lib/time.ts'
import { requireClient, type Ctx } from '#tenants/context.ts'
import { balanceSql, invoiceStatusSql } from '../invoices/records.ts'
import type { InvoiceStatus } from '../invoices/fields.ts'

/** Amounts in cents. */
export type ClientInvoice = {
  id: number
  number: string
  description: string
  status: InvoiceStatus
  currency: string
  total: number
  balance: number
  dueDate: string | null
  issueDate: string
}

const own = `i.coach_id = $1 and i.client_id = $2 and i.kind = 'invoice' and i.state not in ('draft', 'void')`

const openFirstDue = `and ${balanceSql()} > 0 order by i.due_date nulls last, i.id`

/**
 * The invoices of the client in the portal, newest first. `isOpen`: those with something left to pay, the first due
 * first.
 */
export async function listOwnInvoices(
  ctx: Ctx,
  rows: number,
  { isOpen }: { isOpen: boolean },
): Promise<ClientInvoice[]> {
  const client = requireClient(ctx, 'client:invoice:read')
  return ctx.query<ClientInvoice>({
    name: `billing.own-invoices${isOpen ? '-open' : ''}`,
    text: `select i.id, i.number, i.description, ${invoiceStatusSql('$3')} as status, i.currency, i.total,
        ${balanceSql()} as balance, i.due_date::text as "dueDate", i.issue_date::text as "issueDate"
      from invoice i where ${own} ${isOpen ? openFirstDue : 'order by i.created_at desc, i.id desc'} limit $4`,
    values: [ctx.coachId, client.id, localDate(ctx.now(), ctx.account.timezone), rows],
  })
}
