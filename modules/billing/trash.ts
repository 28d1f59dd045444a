import type { RecordKind } from '#modules/core/manifest.ts'
import { product, purchase } from './records.ts'
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
  }),
]
