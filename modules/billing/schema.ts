import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { allowedValues, check, columns, maxLength, sqlIndex, tenantReference } from '#db/columns.ts'
import { currentClient, tenantPolicy } from '#db/policies.ts'
import { searchColumn } from '#db/search-sql.ts'
import { Client } from '#modules/crm/index.ts'
import {
  productFields,
  purchaseFields,
  type BillingFrequency,
  type OnlineSale,
  type PaymentMethod,
  type PaymentType,
  type PurchaseStatus,
} from './fields.ts'
import { maxCents } from '#app/lib/money.ts'
import { invoiceKinds, invoiceStates, type InvoiceKind, type InvoiceState } from './invoices/fields.ts'
import { ledgerKinds, type LedgerKind } from './ledger/kinds.ts'

/** Something that the coach sells. */
export const Product = defineEntity({
  name: 'Product',
  tableName: 'product',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    name: p.text(),
    description: p.text().nullable(),
    price: p.decimal('string').precision(10).scale(2),
    paymentType: p.text().$type<PaymentType>().default('one_time'),
    billingFrequency: p.text().$type<BillingFrequency>().nullable(),
    installmentCount: p.integer().nullable(),
    /** The sessions that a purchase includes; null: it is no package. */
    sessionCount: p.integer().nullable(),
    isActive: p.boolean().default(true),
    onlineSale: p.text().$type<OnlineSale>().default('none'),
    /** The last part of its address, chosen when it is first sold online. */
    slug: p.text().nullable(),
    ...columns.trash,
    ...searchColumn('name'),
    ...columns.version,
    ...columns.timestamps,
  },
  indexes: [
    sqlIndex('product_newest', '(coach_id, created_at desc, id desc) where deleted_at is null'),
    sqlIndex('product_slug_key', '(coach_id, slug) where slug is not null', { unique: true }),
  ],
  checks: [
    check('product_name_length', `name <> '' and ${maxLength('name', 255)}`),
    check('product_description_length', maxLength('description', 50_000)),
    check('product_price_range', 'price >= 0'),
    check(
      'product_payment_type_allowed',
      allowedValues('payment_type', Object.keys(productFields.paymentType.choices)),
    ),
    check(
      'product_billing_frequency_allowed',
      allowedValues('billing_frequency', Object.keys(productFields.billingFrequency.choices)),
    ),
    check('product_installment_count_range', 'installment_count >= 1 and installment_count <= 1000'),
    check('product_session_count_range', 'session_count >= 1 and session_count <= 1000'),
    check('product_billing_frequency_present', `(payment_type = 'one_time') = (billing_frequency is null)`),
    check('product_online_sale_allowed', allowedValues('online_sale', Object.keys(productFields.onlineSale.choices))),
    check('product_slug_format', `slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and ${maxLength('slug', 80)}`),
    check('product_slug_present', `online_sale = 'none' or slug is not null`),
    check('product_version_range', 'version >= 1'),
    check('product_installment_count_present', `(payment_type = 'installment') = (installment_count is not null)`),
  ],
  ...tenantPolicy('product'),
})
export type ProductRow = InferEntity<typeof Product>

/** How a coach invoices; one row for each coach, created with the first invoice or the first change. */
export const BillingSettings = defineEntity({
  name: 'BillingSettings',
  tableName: 'billing_settings',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    invoicePrefix: p.text().default('INV-'),
    nextNumber: p.integer().default(1),
    /** The last number that the coach chose, for the history. */
    startNumber: p.integer().default(1),
    /** Days from the issue date to the due date. */
    paymentDays: p.integer().default(14),
    taxName: p.text().default('Tax'),
    /** Percent with three decimals, as a text. */
    taxRate: p.decimal('string').precision(6).scale(3).default('0'),
    pricesIncludeTax: p.boolean().default(false),
    taxId: p.text().nullable(),
    legalName: p.text().nullable(),
    address: p.text().nullable(),
    invoiceFooter: p.text().nullable(),
    /** The text in the notes of a new invoice. */
    defaultNotes: p.text().nullable(),
    sendsReminders: p.boolean().default(false),
    /** Days after the due date, ascending. */
    reminderDays: p.array<number>(Number).columnType('int[]').default([3, 7, 14]),
    ...columns.version,
    ...columns.timestamps,
  },
  indexes: [sqlIndex('billing_settings_coach', '(coach_id)', { unique: true })],
  checks: [
    check('billing_settings_invoice_prefix_format', `invoice_prefix ~ '^[A-Za-z0-9/_.-]{0,20}$'`),
    check('billing_settings_next_number_range', 'next_number >= 1'),
    check('billing_settings_start_number_range', 'start_number >= 1'),
    check('billing_settings_payment_days_range', 'payment_days >= 0 and payment_days <= 365'),
    check('billing_settings_tax_name_length', `tax_name <> '' and ${maxLength('tax_name', 40)}`),
    check('billing_settings_tax_rate_range', 'tax_rate >= 0 and tax_rate <= 100'),
    check('billing_settings_tax_id_length', maxLength('tax_id', 60)),
    check('billing_settings_legal_name_length', maxLength('legal_name', 255)),
    check('billing_settings_address_length', maxLength('address', 1000)),
    check('billing_settings_invoice_footer_length', maxLength('invoice_footer', 2000)),
    check('billing_settings_default_notes_length', maxLength('default_notes', 2000)),
    // Otherwise the numbers of two prefixes could be the same: INV-1 and 0001, INV- and 10001.
    check('billing_settings_invoice_prefix_end', `invoice_prefix !~ '[0-9]$'`),
    check(
      'billing_settings_reminder_days',
      'cardinality(reminder_days) >= 1 and cardinality(reminder_days) <= 5' +
        ' and 1 <= all (reminder_days) and 90 >= all (reminder_days)',
    ),
    check('billing_settings_version_range', 'version >= 1'),
  ],
  ...tenantPolicy('billing_settings'),
})
export type BillingSettingsRow = InferEntity<typeof BillingSettings>

/** An invoice or a credit note. Amounts are in cents. Only a draft can change or be deleted. */
export const Invoice = defineEntity({
  name: 'Invoice',
  tableName: 'invoice',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    kind: p.text().$type<InvoiceKind>().default('invoice'),
    state: p.text().$type<InvoiceState>().default('draft'),
    /** Assigned when it is issued, without gaps. */
    number: p.text().nullable(),
    client: () => tenantReference(Client, 'client_id', 'no action').nullable(),
    /** The invoice that a credit note reduces. */
    creditedInvoice: () => tenantReference(Invoice, 'credited_invoice_id', 'no action').nullable(),
    billToName: p.text().nullable(),
    billToEmail: p.text().nullable(),
    billToAddress: p.text().nullable(),
    /** The coach's name, address and tax id when it was issued, one to a line. */
    issuedBy: p.text().nullable(),
    taxName: p.text().nullable(),
    footer: p.text().nullable(),
    currency: p.text(),
    description: p.text(),
    notes: p.text().nullable(),
    issueDate: p.date().nullable(),
    dueDate: p.date().nullable(),
    pricesIncludeTax: p.boolean(),
    discountPercent: p.decimal('string').precision(6).scale(3).nullable(),
    discountAmount: p.bigint('number').nullable(),
    subtotal: p.bigint('number'),
    discount: p.bigint('number'),
    tax: p.bigint('number'),
    total: p.bigint('number'),
    /** The sums of its ledger entries and credit notes. */
    paid: p.bigint('number').defaultRaw('0'),
    refunded: p.bigint('number').defaultRaw('0'),
    credited: p.bigint('number').defaultRaw('0'),
    /** On its way back to the client through a payment provider. */
    refunding: p.bigint('number').defaultRaw('0'),
    stripePaymentIntentId: p.text().nullable(),
    sentAt: p.datetime(3).nullable(),
    /** When nothing was left to pay. */
    paidAt: p.datetime(3).nullable(),
    ...columns.trash,
    ...columns.version,
    ...searchColumn(`coalesce(number, '') || chr(10) || description || chr(10) || coalesce(bill_to_name, '')`),
    ...columns.timestamps,
  },
  indexes: [
    sqlIndex('invoice_number_key', '(coach_id, number) where number is not null', { unique: true }),
    sqlIndex('invoice_newest', '(coach_id, created_at desc, id desc) where deleted_at is null'),
    sqlIndex('invoice_client', '(coach_id, client_id, created_at desc, id desc) where deleted_at is null'),
    sqlIndex(
      'invoice_unpaid',
      "(coach_id, due_date) where state = 'open' and kind = 'invoice' and paid + credited < total",
    ),
  ],
  checks: [
    check('invoice_kind_allowed', allowedValues('kind', invoiceKinds)),
    check('invoice_state_allowed', allowedValues('state', invoiceStates)),
    check('invoice_number_present', `(number is null) = (state = 'draft')`),
    check('invoice_issue_date_present', `(issue_date is null) = (state = 'draft')`),
    check('invoice_credited_invoice_present', `(kind = 'credit_note') = (credited_invoice_id is not null)`),
    check('invoice_trash_for_drafts', `deleted_at is null or state = 'draft'`),
    check('invoice_number_length', maxLength('number', 40)),
    check('invoice_bill_to_name_length', maxLength('bill_to_name', 255)),
    check('invoice_bill_to_email_length', maxLength('bill_to_email', 254)),
    check('invoice_bill_to_address_length', maxLength('bill_to_address', 1000)),
    check('invoice_issued_by_length', maxLength('issued_by', 1500)),
    check('invoice_tax_name_length', maxLength('tax_name', 40)),
    check('invoice_footer_length', maxLength('footer', 2000)),
    check('invoice_currency_format', `currency ~ '^[a-z]{3}$'`),
    check('invoice_description_length', `description <> '' and ${maxLength('description', 255)}`),
    check('invoice_notes_length', maxLength('notes', 2000)),
    check(
      'invoice_discount_range',
      'num_nonnulls(discount_percent, discount_amount) <= 1 and discount_percent >= 0 and discount_percent <= 100' +
        ' and discount_amount >= 0',
    ),
    check(
      'invoice_amounts_range',
      `subtotal >= 0 and discount >= 0 and discount <= subtotal and tax >= 0 and total >= 0 and total <= ${maxCents}`,
    ),
    check('invoice_refunding_range', 'refunding >= 0 and refunded + refunding <= paid'),
    check(
      'invoice_balance',
      'paid >= 0 and refunded >= 0 and credited >= 0 and refunded <= paid and credited <= total' +
        ' and paid - refunded <= total',
    ),
    check('invoice_version_range', 'version >= 1'),
  ],
  ...tenantPolicy('invoice', { clients: { rows: `client_id = ${currentClient} and state <> 'draft'` } }),
})
export type InvoiceRow = InferEntity<typeof Invoice>

export const InvoiceLine = defineEntity({
  name: 'InvoiceLine',
  tableName: 'invoice_line',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    invoice: () => tenantReference(Invoice, 'invoice_id', 'cascade'),
    /** From 1. */
    position: p.integer(),
    description: p.text(),
    quantity: p.decimal('string').precision(10).scale(2),
    unitPrice: p.bigint('number'),
    /** Percent. */
    taxRate: p.decimal('string').precision(6).scale(3),
    /** Quantity times unit price, rounded. */
    amount: p.bigint('number'),
    product: () => tenantReference(Product, 'product_id', 'no action').nullable(),
    /** The session that it bills, of another module: no foreign key. */
    appointmentId: p.bigint('number').nullable(),
  },
  indexes: [
    sqlIndex('invoice_line_position', '(coach_id, invoice_id, position)', { unique: true }),
    sqlIndex('invoice_line_appointment', '(coach_id, appointment_id) where appointment_id is not null'),
  ],
  checks: [
    check('invoice_line_description_length', `description <> '' and ${maxLength('description', 500)}`),
    check('invoice_line_quantity_range', 'quantity > 0 and quantity <= 99999.99'),
    check('invoice_line_unit_price_range', `unit_price >= 0 and unit_price <= ${maxCents}`),
    check('invoice_line_tax_rate_range', 'tax_rate >= 0 and tax_rate <= 100'),
    check('invoice_line_amount_range', 'amount >= 0'),
  ],
  ...tenantPolicy('invoice_line'),
})

/** A sale to a client. It keeps the product's name, and stays in the books when the client or the product goes. */
export const Purchase = defineEntity({
  name: 'Purchase',
  tableName: 'purchase',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    client: () => tenantReference(Client, 'client_id', 'no action').nullable(),
    product: () => tenantReference(Product, 'product_id', 'no action').nullable(),
    productName: p.text(),
    /** Cents. */
    amount: p.bigint('number'),
    /** The sessions that it includes, as the product had then. */
    sessionCount: p.integer().nullable(),
    status: p.text().$type<PurchaseStatus>(),
    paymentMethod: p.text().$type<PaymentMethod>(),
    stripePaymentIntentId: p.text().nullable(),
    notes: p.text().nullable(),
    purchasedAt: p.datetime(3),
    /** The invoice that it is paid by: its payments are that invoice's. */
    invoice: () => tenantReference(Invoice, 'invoice_id', 'no action').nullable(),
    ...columns.trash,
    ...columns.version,
    ...searchColumn(`product_name || chr(10) || coalesce(notes, '')`),
    ...columns.timestamps,
  },
  indexes: [
    sqlIndex('purchase_newest', '(coach_id, created_at desc, id desc) where deleted_at is null'),
    sqlIndex('purchase_client', '(coach_id, client_id, created_at desc, id desc) where deleted_at is null'),
    sqlIndex('purchase_date', '(coach_id, purchased_at desc, id desc) where deleted_at is null'),
    sqlIndex('purchase_revenue', "(coach_id, purchased_at) where deleted_at is null and status = 'completed'"),
    sqlIndex('purchase_invoice', '(coach_id, invoice_id) where invoice_id is not null'),
    sqlIndex('purchase_package', '(coach_id, client_id) where session_count is not null and deleted_at is null'),
  ],
  checks: [
    check('purchase_product_name_length', maxLength('product_name', 255)),
    check('purchase_amount_range', `amount >= 0 and amount <= ${maxCents}`),
    check('purchase_session_count_range', 'session_count >= 1 and session_count <= 1000'),
    check('purchase_status_allowed', allowedValues('status', Object.keys(purchaseFields.status.choices))),
    check(
      'purchase_payment_method_allowed',
      allowedValues('payment_method', Object.keys(purchaseFields.paymentMethod.choices)),
    ),
    check('purchase_notes_length', maxLength('notes', 50_000)),
    check('purchase_version_range', 'version >= 1'),
  ],
  ...tenantPolicy('purchase'),
})
export type PurchaseRow = InferEntity<typeof Purchase>

/**
 * Money that came in (above 0) or went out, in cents. Never changes: a trigger rejects it. All revenue and all totals
 * are sums of these rows.
 */
export const LedgerEntry = defineEntity({
  name: 'LedgerEntry',
  tableName: 'ledger_entry',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    kind: p.text().$type<LedgerKind>(),
    amount: p.bigint('number'),
    currency: p.text(),
    method: p.text().$type<PaymentMethod>(),
    /** When the money moved: the month that it counts in. */
    occurredAt: p.datetime(3),
    client: () => tenantReference(Client, 'client_id', 'no action').nullable(),
    purchase: () => tenantReference(Purchase, 'purchase_id', 'no action').nullable(),
    invoice: () => tenantReference(Invoice, 'invoice_id', 'no action').nullable(),
    /** The id at the payment provider: the same payment is never booked twice. */
    externalId: p.text().nullable(),
    createdAt: p.datetime(3),
  },
  indexes: [
    sqlIndex('ledger_entry_time', '(coach_id, occurred_at desc, id desc) include (amount)'),
    sqlIndex('ledger_entry_client', '(coach_id, client_id, occurred_at desc) where client_id is not null'),
    sqlIndex('ledger_entry_purchase', '(coach_id, purchase_id) where purchase_id is not null'),
    sqlIndex('ledger_entry_invoice', '(coach_id, invoice_id) where invoice_id is not null'),
    sqlIndex('ledger_entry_external_id_key', '(coach_id, external_id) where external_id is not null', { unique: true }),
  ],
  checks: [
    check('ledger_entry_kind_allowed', allowedValues('kind', ledgerKinds)),
    check(
      'ledger_entry_amount_sign',
      `amount <> 0 and (kind = 'payment') <= (amount > 0) and (kind in ('refund', 'dispute')) <= (amount < 0)`,
    ),
    check('ledger_entry_currency_format', `currency ~ '^[a-z]{3}$'`),
    check('ledger_entry_method_allowed', allowedValues('method', Object.keys(purchaseFields.paymentMethod.choices))),
    check('ledger_entry_external_id_length', maxLength('external_id', 255)),
  ],
  ...tenantPolicy('ledger_entry'),
})

const emailNote = {
  primaryKeys: ['coachId' as const, 'id' as const],
  properties: {
    ...columns.tenant,
    ledgerEntry: () => tenantReference(LedgerEntry, 'ledger_entry_id', 'cascade'),
    claimedAt: p.datetime(3),
  },
}

/** An email to the coach about an online payment, which was sent or is being sent. */
export const PaymentEmail = defineEntity({
  name: 'PaymentEmail',
  tableName: 'payment_email',
  ...emailNote,
  indexes: [sqlIndex('payment_email_key', '(coach_id, ledger_entry_id)', { unique: true })],
  ...tenantPolicy('payment_email'),
})

/** A receipt to the client, which was sent or is being sent. */
export const ReceiptEmail = defineEntity({
  name: 'ReceiptEmail',
  tableName: 'receipt_email',
  ...emailNote,
  indexes: [sqlIndex('receipt_email_key', '(coach_id, ledger_entry_id)', { unique: true })],
  ...tenantPolicy('receipt_email'),
})
