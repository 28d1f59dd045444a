export * from './events.ts'
export { Invoice, Product } from './schema.ts'
export type { ProductRecord } from './records.ts'
export { NewPurchase } from './forms.ts'
export { getProduct, listProducts, listProductsForSale } from './queries/products.ts'
export { createPurchase } from './services/purchases.ts'
export { openInvoiceLink } from './invoices/invoice-link.server.ts'
export { getInvoiceUrl, readInvoiceToken } from './invoices/public-link.ts'
export type { InvoiceRecord } from './invoices/records.ts'
export {
  refundSources,
  sendRefund,
  type InvoiceNotice,
  type OnlinePayment,
  type RefundSource,
} from './payment-provider.ts'
export { getInvoice } from './queries/invoices.ts'
export {
  cancelOnlineRefund,
  lockBalance,
  recordDispute,
  recordOnlinePayment,
  recordOnlineRefund,
  reverseOnlineRefund,
} from './services/online-payments.ts'
