import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { atMost, oneOf, searched, tenantColumns, tenantPolicy, timestamps } from '#db/columns.ts'
import { Client } from '#modules/crm/index.ts'
import {
  productFields,
  purchaseFields,
  type BillingFrequency,
  type PaymentMethod,
  type PaymentType,
  type PurchaseStatus,
} from './fields.ts'

const check = (name: string, expression: string) => ({ name, expression })
const maxCents = 9_999_999_999

/** Something that the coach sells. */
export const Product = defineEntity({
  name: 'Product',
  tableName: 'product',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...tenantColumns,
    name: p.text(),
    description: p.text().nullable(),
    price: p.decimal('string').precision(10).scale(2),
    paymentType: p.text().$type<PaymentType>().default('one_time'),
    billingFrequency: p.text().$type<BillingFrequency>().nullable(),
    installmentCount: p.integer().nullable(),
    isActive: p.boolean().default(true),
    deletedAt: p.datetime(3).nullable(),
    ...searched('name'),
    /** Counts the edits, so that the second of two open tabs is told. */
    version: p.integer().default(1),
    ...timestamps,
  },
  indexes: [
    {
      name: 'product_newest',
      expression: (_columns, table, name) =>
        `create index "${name}" on "${table.name}" (coach_id, created_at desc, id desc) where deleted_at is null`,
    },
  ],
  checks: [
    check('product_name_length', `name <> '' and ${atMost('name', 255)}`),
    check('product_description_length', atMost('description', 50_000)),
    check('product_price_range', 'price >= 0'),
    check('product_payment_type_known', oneOf('payment_type', Object.keys(productFields.paymentType.choices))),
    check(
      'product_billing_frequency_known',
      oneOf('billing_frequency', Object.keys(productFields.billingFrequency.choices)),
    ),
    check('product_installment_count_range', 'installment_count >= 1 and installment_count <= 1000'),
    check('product_billing_fits', `(payment_type = 'one_time') = (billing_frequency is null)`),
    check('product_version_range', 'version >= 1'),
    check('product_installments_fit', `(payment_type = 'installment') = (installment_count is not null)`),
  ],
  ...tenantPolicy('product'),
})
export type ProductRow = InferEntity<typeof Product>

/** A sale to a client. It keeps the product's name, and stays in the books when the client or the product goes. */
export const Purchase = defineEntity({
  name: 'Purchase',
  tableName: 'purchase',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...tenantColumns,
    client: () =>
      p
        .manyToOne(Client)
        .ref()
        .nullable()
        .joinColumns('coach_id', 'client_id')
        .ownColumns('client_id')
        .updateRule('no action')
        .deleteRule('set null (client_id)'),
    product: () =>
      p
        .manyToOne(Product)
        .ref()
        .nullable()
        .joinColumns('coach_id', 'product_id')
        .ownColumns('product_id')
        .updateRule('no action')
        .deleteRule('set null (product_id)'),
    productName: p.text(),
    /** Cents. */
    amount: p.bigint('number'),
    status: p.text().$type<PurchaseStatus>(),
    paymentMethod: p.text().$type<PaymentMethod>(),
    stripePaymentIntentId: p.text().nullable(),
    notes: p.text().nullable(),
    purchasedAt: p.datetime(3),
    deletedAt: p.datetime(3).nullable(),
    /** Counts the edits, so that the second of two open tabs is told. */
    version: p.integer().default(1),
    ...searched(`product_name || chr(10) || coalesce(notes, '')`),
    ...timestamps,
  },
  indexes: [
    {
      name: 'purchase_newest',
      expression: (_columns, table, name) =>
        `create index "${name}" on "${table.name}" (coach_id, created_at desc, id desc) where deleted_at is null`,
    },
    {
      name: 'purchase_of_client',
      expression: (_columns, table, name) =>
        `create index "${name}" on "${table.name}" (coach_id, client_id, created_at desc, id desc) where deleted_at is null`,
    },
    {
      name: 'purchase_by_date',
      expression: (_columns, table, name) =>
        `create index "${name}" on "${table.name}" (coach_id, purchased_at desc, id desc) where deleted_at is null`,
    },
    {
      name: 'purchase_revenue',
      expression: (_columns, table, name) =>
        `create index "${name}" on "${table.name}" (coach_id, purchased_at) where deleted_at is null and status = 'completed'`,
    },
  ],
  checks: [
    check('purchase_product_name_length', atMost('product_name', 255)),
    check('purchase_amount_range', `amount >= 0 and amount <= ${maxCents}`),
    check('purchase_status_known', oneOf('status', Object.keys(purchaseFields.status.choices))),
    check('purchase_payment_method_known', oneOf('payment_method', Object.keys(purchaseFields.paymentMethod.choices))),
    check('purchase_notes_length', atMost('notes', 50_000)),
    check('purchase_version_range', 'version >= 1'),
  ],
  ...tenantPolicy('purchase'),
})
export type PurchaseRow = InferEntity<typeof Purchase>
