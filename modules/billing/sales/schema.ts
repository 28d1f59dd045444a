import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { maxCents } from '#app/lib/money.ts'
import { allowedValues, check, columns, maxLength, sqlIndex, tenantReference } from '#db/columns.ts'
import { tenantPolicy } from '#db/policies.ts'
import { Client } from '#modules/crm/index.ts'
import { Invoice, Product } from '../schema.ts'
import { saleSources, saleStates, type SaleSource, type SaleState } from './fields.ts'

/** A product that is offered to one person, who pays it online. It is no purchase and no invoice until it is paid. */
export const Sale = defineEntity({
  name: 'Sale',
  tableName: 'sale',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    product: () => tenantReference(Product, 'product_id', 'no action').nullable(),
    /** The client of a payment link, or the one who has paid. */
    client: () => tenantReference(Client, 'client_id', 'no action').nullable(),
    productName: p.text(),
    /** Cents, with the tax in it. */
    amount: p.bigint('number'),
    currency: p.text(),
    sessionCount: p.integer().nullable(),
    buyerName: p.text().nullable(),
    buyerEmail: p.text().nullable(),
    source: p.text().$type<SaleSource>(),
    state: p.text().$type<SaleState>().default('open'),
    /** The one that it was paid with. */
    invoice: () => tenantReference(Invoice, 'invoice_id', 'no action').nullable(),
    /** When its link was last emailed to the client. */
    sentAt: p.datetime(3).nullable(),
    paidAt: p.datetime(3).nullable(),
    ...columns.version,
    ...columns.timestamps,
  },
  indexes: [
    sqlIndex('sale_client', '(coach_id, client_id) where client_id is not null'),
    sqlIndex('sale_product', '(coach_id, product_id) where product_id is not null'),
    sqlIndex('sale_invoice', '(coach_id, invoice_id) where invoice_id is not null'),
    sqlIndex('sale_unpaid', "(coach_id, created_at) where state <> 'paid'"),
  ],
  checks: [
    check('sale_product_name_length', `product_name <> '' and ${maxLength('product_name', 255)}`),
    check('sale_amount_range', `amount >= 1 and amount <= ${maxCents}`),
    check('sale_currency_format', `currency ~ '^[a-z]{3}$'`),
    check('sale_session_count_range', 'session_count >= 1 and session_count <= 1000'),
    check('sale_buyer_name_length', maxLength('buyer_name', 255)),
    check('sale_buyer_email_length', maxLength('buyer_email', 254)),
    check('sale_source_allowed', allowedValues('source', saleSources)),
    check('sale_state_allowed', allowedValues('state', saleStates)),
    check('sale_invoice_present', `(state = 'paid') = (invoice_id is not null)`),
    check('sale_version_range', 'version >= 1'),
  ],
  ...tenantPolicy('sale'),
})
export type SaleRow = InferEntity<typeof Sale>
