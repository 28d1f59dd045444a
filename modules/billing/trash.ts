import type { RecordKind } from '#modules/core/manifest.ts'
import { product, purchase } from './records.ts'
import { restoreInvoice } from './services/invoices.ts'
import { restoreProduct } from './services/products.ts'
import { restorePurchase } from './services/purchases.ts'

export const recordKinds: RecordKind[] = [
  product.recordKind({
    permission: 'billing:product',
    title: 'r.name',
    to: `'/products?dialog=edit&product=' || r.id`,
    restore: restoreProduct,
  }),
  purchase.recordKind({
    permission: 'billing:purchase',
    title: `r.product_name || ', $' || to_char(r.amount / 100.0, 'FM999,999,990.00')`,
    to: `'/purchases?dialog=edit-purchase&purchase=' || r.id`,
    restore: restorePurchase,
    fields: { invoice_id: { label: 'Invoice', of: 'invoice' } },
  }),
  {
    kind: 'invoice',
    label: 'Invoice',
    permission: { read: 'billing:invoice:read', write: 'billing:invoice:write' },
    title: `coalesce(r.number, 'Draft') || ', ' || r.description`,
    to: `'/payments?dialog=invoice&invoice=' || r.id`,
    // Only a draft can be deleted.
    hidden: `r.state <> 'draft'`,
    restore: restoreInvoice,
    fields: {
      kind: { label: 'Kind', words: { invoice: 'Invoice', credit_note: 'Credit note' } },
      state: { label: 'State', words: { draft: 'Draft', open: 'Open', failed: 'Failed', void: 'Void' } },
      number: 'Number',
      client_id: { label: 'Client', of: 'client' },
      credited_invoice_id: { label: 'Credit for', of: 'invoice' },
      bill_to_name: 'Bill to',
      bill_to_email: 'Email',
      bill_to_address: 'Address',
      issued_by: 'Issued by',
      tax_name: 'Name of the tax',
      footer: 'Footer',
      currency: 'Currency',
      description: 'Description',
      notes: 'Notes',
      issue_date: 'Issue date',
      due_date: 'Due date',
      prices_include_tax: { label: 'Prices', words: { true: 'Include tax', false: 'Without tax' } },
      discount_percent: 'Discount (%)',
      discount_amount: { label: 'Discount', as: 'cents' },
      subtotal: { label: 'Subtotal', as: 'cents' },
      discount: { label: 'Discount in total', as: 'cents' },
      tax: { label: 'Tax', as: 'cents' },
      total: { label: 'Total', as: 'cents' },
      paid: { label: 'Paid', as: 'cents' },
      refunded: { label: 'Refunded', as: 'cents' },
      credited: { label: 'Credited', as: 'cents' },
      stripe_payment_intent_id: 'Stripe payment',
      sent_at: { label: 'Sent', as: 'time' },
      paid_at: { label: 'Paid on', as: 'time' },
    },
  },
]
