import { localDate, noonIn } from '#app/lib/time.ts'
import { matchesSearch } from '#db/search-sql.ts'
import { joinClient, listClientIdsMatching } from '#modules/crm/index.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { listNewest, type Filter, type Page } from '#tenants/api/list-newest.ts'
import type { InvoiceStatus } from '../invoices/fields.ts'
import {
  balanceSql,
  invoiceLineSelect,
  invoiceRecord,
  invoiceSelect,
  invoiceStatusSql,
  paymentRecord,
  paymentSelect,
  type InvoiceLineRecord,
  type InvoiceRecord,
  type PaymentRecord,
} from '../invoices/records.ts'
import { pageSize, type PaymentListState } from '../list-state.ts'

const issued = `i.kind = 'invoice' and i.state <> 'draft' and i.deleted_at is null`

/** Issued invoices, newest first. Includes those of deleted clients. */
export async function listPayments(
  ctx: Ctx,
  { clientId, ...page }: Page & { clientId?: number | undefined } = {},
): Promise<PaymentRecord[]> {
  authorize(ctx, 'billing:invoice:read')
  const rows = await listNewest<PaymentRecord>(ctx, {
    name: 'billing.payments',
    select: paymentSelect,
    from: 'invoice i',
    time: 'i.created_at',
    id: 'i.id',
    where: { issued, client: clientId !== undefined && (['i.client_id = ?', clientId] satisfies Filter) },
    ...page,
  })
  return rows.map((row) => withDueInstant(ctx, row))
}

/** Throws not_found, also for a draft and a credit note. */
export async function getPayment(ctx: Ctx, id: number): Promise<PaymentRecord> {
  authorize(ctx, 'billing:invoice:read')
  const [row] = await ctx.query<PaymentRecord>({
    name: 'billing.payment',
    text: `select ${paymentSelect} from invoice i where i.coach_id = $1 and i.id = $2 and ${issued}`,
    values: [ctx.coachId, id],
  })
  if (!row) throw paymentRecord.notFound()
  return withDueInstant(ctx, row)
}

/** A due date is the noon of its day in the coach's time zone. Source: api.md "Times". */
const withDueInstant = ({ account }: Ctx, row: PaymentRecord): PaymentRecord =>
  row.dueDate === null ? row : { ...row, dueDate: noonIn(row.dueDate, account.timezone).toISOString() }

/** Invoices, drafts and credit notes, newest first. */
export async function listInvoices(
  ctx: Ctx,
  { clientId, ...page }: Page & { clientId?: number | undefined } = {},
): Promise<InvoiceRecord[]> {
  authorize(ctx, 'billing:invoice:read')
  const invoices = await listNewest<InvoiceRecord>(ctx, {
    name: 'billing.invoices',
    select: invoiceSelect('$2'),
    values: [localDate(ctx.now(), ctx.account.timezone)],
    from: `invoice i ${joinClient('i')}`,
    time: 'i.created_at',
    id: 'i.id',
    where: {
      notDeleted: 'i.deleted_at is null',
      client: clientId !== undefined && (['i.client_id = ?', clientId] satisfies Filter),
    },
    ...page,
  })
  const lines = await listLines(
    ctx,
    invoices.map(({ id }) => id),
  )
  return invoices.map((invoice) => ({ ...invoice, lines: lines.get(invoice.id) ?? [] }))
}

/** Throws not_found, also for a draft in the trash. */
export async function getInvoice(ctx: Ctx, id: number): Promise<InvoiceRecord> {
  const { version: _, ...invoice } = await getInvoiceForEdit(ctx, id)
  return invoice
}

/** As `getInvoice`, with the version that the edit form sends back. */
export async function getInvoiceForEdit(ctx: Ctx, id: number): Promise<InvoiceRecord & { version: number }> {
  authorize(ctx, 'billing:invoice:read')
  const [invoice] = await ctx.query<InvoiceRecord & { version: number }>({
    name: 'billing.invoice',
    text: `select ${invoiceSelect('$3')}, i.version from invoice i ${joinClient('i')}
      where i.coach_id = $1 and i.id = $2 and i.deleted_at is null`,
    values: [ctx.coachId, id, localDate(ctx.now(), ctx.account.timezone)],
  })
  if (!invoice) throw invoiceRecord.notFound()
  return { ...invoice, lines: (await listLines(ctx, [id])).get(id) ?? [] }
}

/** A row of the page of payments. Amounts in cents, the date of the coach's calendar. */
export type ListedInvoice = Pick<
  InvoiceRecord,
  'id' | 'kind' | 'status' | 'number' | 'clientId' | 'clientName' | 'description' | 'currency' | 'total' | 'balance'
> & { date: string }

/** A page of invoices, drafts and credit notes, newest first, and the number of all that match. */
export async function listInvoicesPage(
  ctx: Ctx,
  { q, status, client, page }: PaymentListState,
): Promise<{ invoices: ListedInvoice[]; count: number }> {
  authorize(ctx, 'billing:invoice:read')
  const { timezone } = ctx.account
  const values: unknown[] = [ctx.coachId, localDate(ctx.now(), timezone)]
  const bind = (value: unknown) => `$${values.push(value)}`
  const conditions = ['i.coach_id = $1', 'i.deleted_at is null', '$2::date is not null']
  if (client) conditions.push(`i.client_id = ${bind(client)}`)
  if (status)
    conditions.push(`i.kind = 'invoice' and ${invoiceStatusSql('$2')} = any(${bind(statusesByFilter[status])})`)
  if (q) {
    const clients = await listClientIdsMatching(ctx, q)
    conditions.push(`(${matchesSearch(bind(q), 'i')} or i.client_id = any(${bind(clients)}::bigint[]))`)
  }
  const key = `${client ? '-client' : ''}${status ? '-status' : ''}${q ? '-q' : ''}`
  const where = `where ${conditions.join(' and ')}`
  const [invoices, [total]] = (await ctx.queryAll([
    {
      name: `billing.invoices-page${key}`,
      text: `select i.id, i.kind, ${invoiceStatusSql('$2')} as status, i.number, i.client_id as "clientId",
          coalesce(i.bill_to_name, c.name) as "clientName", i.description, i.currency, i.total, ${balanceSql()} as balance,
          coalesce(i.issue_date, local_time(i.created_at, ${bind(timezone)})::date)::text as date
        from invoice i ${joinClient('i')} ${where}
        order by i.created_at desc, i.id desc limit ${pageSize} offset ${bind((page - 1) * pageSize)}`,
      values: [...values],
    },
    {
      name: `billing.invoices-count${key}`,
      text: `select count(*) from invoice i ${where}`,
      values: values.slice(0, -2),
    },
  ])) as [ListedInvoice[], [{ count: number }]]
  return { invoices, count: total.count }
}

const statusesByFilter: Record<NonNullable<PaymentListState['status']>, InvoiceStatus[]> = {
  draft: ['draft'],
  unpaid: ['open', 'sent', 'partly_paid', 'overdue', 'failed'],
  overdue: ['overdue'],
  paid: ['paid'],
  refunded: ['refunded', 'credited'],
  void: ['void'],
}

async function listLines(ctx: Ctx, invoiceIds: number[]): Promise<Map<number, InvoiceLineRecord[]>> {
  const rows = invoiceIds.length
    ? await ctx.query<InvoiceLineRecord & { invoiceId: number }>({
        name: 'billing.invoice-lines',
        text: `select invoice_id as "invoiceId", ${invoiceLineSelect} from invoice_line
          where coach_id = $1 and invoice_id = any($2::bigint[]) order by invoice_id, position`,
        values: [ctx.coachId, invoiceIds],
      })
    : []
  const lines = new Map<number, InvoiceLineRecord[]>()
  for (const { invoiceId, ...line } of rows) lines.set(invoiceId, [...(lines.get(invoiceId) ?? []), line])
  return lines
}
