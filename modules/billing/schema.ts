import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { allowedValues, check, columns, maxLength, sqlIndex, tenantReference } from '#db/columns.ts'
import { tenantPolicy } from '#db/policies.ts'
import { searchColumn } from '#db/search-sql.ts'
import { Client } from '#modules/crm/index.ts'
import {
  productFields,
  purchaseFields,
  type BillingFrequency,
  type PaymentMethod,
  type PaymentType,
  type PurchaseStatus,
} from './fields.ts'

const maxCents = 9_999_999_999

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
    isActive: p.boolean().default(true),
    ...columns.trash,
    ...searchColumn('name'),
    ...columns.version,
    ...columns.timestamps,
  },
  indexes: [sqlIndex('product_newest', '(coach_id, created_at desc, id desc) where deleted_at is null')],
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
    check('product_billing_frequency_present', `(payment_type = 'one_time') = (billing_frequency is null)`),
    check('product_version_range', 'version >= 1'),
    check('product_installment_count_present', `(payment_type = 'installment') = (installment_count is not null)`),
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
    ...columns.tenant,
    client: () => tenantReference(Client, 'client_id', 'no action').nullable(),
    product: () => tenantReference(Product, 'product_id', 'no action').nullable(),
    productName: p.text(),
    /** Cents. */
    amount: p.bigint('number'),
    status: p.text().$type<PurchaseStatus>(),
    paymentMethod: p.text().$type<PaymentMethod>(),
    stripePaymentIntentId: p.text().nullable(),
    notes: p.text().nullable(),
    purchasedAt: p.datetime(3),
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
  ],
  checks: [
    check('purchase_product_name_length', maxLength('product_name', 255)),
    check('purchase_amount_range', `amount >= 0 and amount <= ${maxCents}`),
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
