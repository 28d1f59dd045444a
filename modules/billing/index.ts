// What other modules may call.
export { Product } from './schema.ts'
export type { ProductRecord } from './records.ts'
export { NewPurchase } from './forms.ts'
export { productOf, productsForSale, productsNewestFirst } from './queries/products.ts'
export { recordPurchase } from './services/purchases.ts'
