import type { RecordKind } from '#modules/define.ts'
import { restoreProduct } from './services/products.ts'
import { restorePurchase } from './services/purchases.ts'

export const records: RecordKind[] = [
  {
    kind: 'product',
    label: 'Product',
    permission: { read: 'billing:product:read', write: 'billing:product:write' },
    title: 'r.name',
    to: `'/products?dialog=edit&product=' || r.id`,
    fields: {
      name: 'Name',
      description: 'Description',
      price: 'Price',
      payment_type: 'Payment type',
      billing_frequency: 'Billing frequency',
      installment_count: 'Number of installments',
      is_active: 'Offered for new purchases',
    },
    restore: restoreProduct,
  },
  {
    kind: 'purchase',
    label: 'Purchase',
    permission: { read: 'billing:purchase:read', write: 'billing:purchase:write' },
    title: `r.product_name || ', $' || to_char(r.amount / 100.0, 'FM999,999,990.00')`,
    to: `'/purchases?dialog=edit-purchase&purchase=' || r.id`,
    fields: {
      client_id: { label: 'Client', of: 'client' },
      product_id: { label: 'Product', of: 'product' },
      product_name: 'Name of the product',
      amount: { label: 'Amount', as: 'cents' },
      status: 'Status',
      payment_method: 'Payment method',
      notes: 'Notes',
      purchased_at: { label: 'Date', as: 'time' },
      stripe_payment_intent_id: 'Stripe payment',
    },
    restore: restorePurchase,
  },
]
