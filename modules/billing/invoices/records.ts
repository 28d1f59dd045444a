import { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import { invoiceKinds, invoiceStatuses, paymentStatuses, type InvoiceStatus } from './fields.ts'

const statuses = Object.keys(invoiceStatuses) as [InvoiceStatus, ...InvoiceStatus[]]
const decimal = z.string().describe('With two decimals, such as "150.00"')

/** An issued invoice as the payments of the API show it. Source: api.md. */
export const PaymentOut = z.object({
  id: z.int(),
  coachId: z.int(),
  clientId: z.int().nullable(),
  clientName: z.string().nullable(),
  amount: decimal,
  currency: z.string(),
  status: z.enum(paymentStatuses),
  stripePaymentIntentId: z.string().nullable(),
  description: z.string(),
  invoiceNumber: z.string().nullable(),
  dueDate: z.iso.datetime().nullable(),
  paidAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
})
export type PaymentRecord = z.output<typeof PaymentOut>
/** As it is read: `dueDate` is a date of the coach's calendar. */
export type PaymentRow = PaymentRecord

const cents = z.int().describe('Cents')
const InvoiceLineOut = z.object({
  description: z.string(),
  quantity: z.string(),
  unitPrice: cents,
  taxRate: z.string().describe('Percent'),
  amount: cents,
  productId: z.int().nullable(),
  appointmentId: z.int().nullable().describe('The session that it bills'),
})
export type InvoiceLineRecord = z.output<typeof InvoiceLineOut>

/** An invoice or a credit note with its lines. Amounts in cents, dates of the coach's calendar. */
export const InvoiceOut = z.object({
  id: z.int(),
  coachId: z.int(),
  kind: z.enum(invoiceKinds),
  status: z.enum(statuses),
  number: z.string().nullable(),
  clientId: z.int().nullable(),
  clientName: z.string().nullable(),
  creditedInvoiceId: z.int().nullable(),
  issuedBy: z.string().nullable().describe("The coach's name, address and tax id when it was issued, one to a line"),
  taxName: z.string().nullable(),
  footer: z.string().nullable(),
  currency: z.string(),
  description: z.string(),
  notes: z.string().nullable(),
  issueDate: z.iso.date().nullable(),
  dueDate: z.iso.date().nullable(),
  pricesIncludeTax: z.boolean(),
  discountPercent: z.string().nullable(),
  discountAmount: cents.nullable(),
  subtotal: cents,
  discount: cents,
  tax: cents,
  total: cents,
  paid: cents,
  refunded: cents,
  refunding: cents.describe('On its way back to the client, in cents'),
  credited: cents,
  balance: cents.describe('What is left to pay, in cents'),
  lines: z.array(InvoiceLineOut),
  sentAt: z.iso.datetime().nullable(),
  paidAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type InvoiceRecord = z.output<typeof InvoiceOut>

const identity = `i.id, i.coach_id as "coachId", i.client_id as "clientId", i.currency, i.description,
  ${isoTimestamp('i.paid_at')} as "paidAt", ${isoTimestamp('i.created_at')} as "createdAt"`

/**
 * Selects a PaymentRow from `invoice i`. An issued invoice has the client's name of its day, until the client is
 * erased.
 */
export const paymentSelect = `${identity}, i.bill_to_name as "clientName", (i.total / 100.0)::numeric(12,2)::text as amount,
  case when i.state in ('failed', 'void') then i.state
    when i.paid_at is null then 'pending'
    when i.paid > 0 and i.refunded >= i.paid then 'refunded'
    else 'completed' end as status,
  i.stripe_payment_intent_id as "stripePaymentIntentId", i.number as "invoiceNumber", i.due_date::text as "dueDate"`

/** SQL of the InvoiceStatus of `invoice i`. `today`: the placeholder of the date in the coach's time zone. */
export const invoiceStatusSql = (
  today: string,
): string => `case when i.state in ('draft', 'failed', 'void') then i.state
    when i.paid_at is not null and i.paid > 0 and i.refunded >= i.paid then 'refunded'
    when i.paid_at is not null and i.paid <= i.refunded and i.credited > 0 then 'credited'
    when i.paid_at is not null then 'paid'
    when i.due_date < ${today}::date then 'overdue'
    when i.paid > i.refunded then 'partly_paid'
    when i.sent_at is not null then 'sent'
    else 'open' end`

/**
 * SQL of the amount that is left to pay, in cents. What was refunded before all was paid is asked for again; afterwards
 * a refund ends the matter. `row`: the alias of the invoice.
 */
export const balanceSql = (row = 'i'): string => `case
    when ${row}.kind = 'credit_note' or ${row}.state not in ('open', 'failed') or ${row}.paid_at is not null then 0
    else greatest(${row}.total - ${row}.credited - ${row}.paid + ${row}.refunded, 0) end`

/** Selects an InvoiceRecord but its lines, from `invoice i` and its client `c`. */
export const invoiceSelect = (today: string): string => `${identity},
  coalesce(i.bill_to_name, c.name) as "clientName", i.kind, ${invoiceStatusSql(today)} as status, i.number,
  i.credited_invoice_id as "creditedInvoiceId", i.issued_by as "issuedBy", i.tax_name as "taxName", i.footer, i.notes, i.issue_date::text as "issueDate",
  i.due_date::text as "dueDate", i.prices_include_tax as "pricesIncludeTax",
  trim_scale(i.discount_percent)::text as "discountPercent", i.discount_amount as "discountAmount", i.subtotal,
  i.discount, i.tax, i.total, i.paid, i.refunded, i.refunding, i.credited, ${balanceSql()} as balance,
  ${isoTimestamp('i.sent_at')} as "sentAt", ${isoTimestamp('i.updated_at')} as "updatedAt"`

/** Selects an InvoiceLineRecord. */
export const invoiceLineSelect = `description, trim_scale(quantity)::text as quantity, unit_price as "unitPrice",
  trim_scale(tax_rate)::text as "taxRate", amount, product_id as "productId",
  appointment_id as "appointmentId"`

export const invoiceRecord = {
  notFound: () => new AppError('not_found', 'Invoice not found', { subject: 'invoice' }),
}
/** The API calls an issued invoice a payment. */
export const paymentRecord = {
  notFound: () => new AppError('not_found', 'Payment not found', { subject: 'payment' }),
}
