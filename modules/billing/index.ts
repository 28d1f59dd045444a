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
  beginSubscription,
  offerSubscription,
  refundSources,
  sendRefund,
  type InvoiceNotice,
  type OnlinePayment,
  type PaymentPlan,
  type RefundSource,
} from './payment-provider.ts'
export { splitEvenly } from './invoices/totals.ts'
export { listBuyerPermissions } from './sales/permissions.ts'
export { openSaleLink } from './sales/online-sale.server.ts'
export { getSaleUrl } from './sales/sale-link.ts'
export { getSale, type SaleRecord } from './sales/queries.ts'
export { assertRoomForBuyer, completeSale, findOrAddBuyer, keepSale, lockSaleBalance } from './sales/sales.ts'
export { Sale } from './sales/schema.ts'
export { getInvoice } from './queries/invoices.ts'
export { findClientEmail } from './queries/recipients.ts'
export { moneySinceMerge } from './services/merge-undo.ts'
export { recordSubscriptionPayment } from './services/subscription-payments.ts'
export {
  cancelOnlineRefund,
  lockBalance,
  recordDispute,
  recordOnlinePayment,
  recordOnlineRefund,
  reverseOnlineRefund,
} from './services/online-payments.ts'
