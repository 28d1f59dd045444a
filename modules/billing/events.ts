import { z } from 'zod'
import { defineEvent } from '#modules/core/events.ts'

const productEvent = z.object({ productId: z.int() })

export const productCreated = defineEvent('billing.product-created', productEvent)
/** `fields`: the changed fields, named as in the API. */
export const productUpdated = defineEvent(
  'billing.product-updated',
  productEvent.extend({ fields: z.array(z.string()) }),
)
/** Moved to the trash. */
export const productDeleted = defineEvent('billing.product-deleted', productEvent)
export const productRestored = defineEvent('billing.product-restored', productEvent)

const purchaseEvent = z.object({ purchaseId: z.int() })

export const purchaseCreated = defineEvent('billing.purchase-created', purchaseEvent)
/** `fields`: the changed fields, named as in the API. */
export const purchaseUpdated = defineEvent(
  'billing.purchase-updated',
  purchaseEvent.extend({ fields: z.array(z.string()) }),
)
/** Moved to the trash. */
export const purchaseDeleted = defineEvent('billing.purchase-deleted', purchaseEvent)
export const purchaseRestored = defineEvent('billing.purchase-restored', purchaseEvent)

/** A sale can't be paid any more: it was withdrawn, or the client of its link is in the trash. */
export const saleWithdrawn = defineEvent('billing.sale-withdrawn', z.object({ saleId: z.int() }))

const invoiceEvent = z.object({ invoiceId: z.int() })

/** A draft was created, or an invoice issued at once. */
export const invoiceCreated = defineEvent('billing.invoice-created', invoiceEvent)
/** Got its number. */
export const invoiceIssued = defineEvent('billing.invoice-issued', invoiceEvent)
export const invoiceUpdated = defineEvent('billing.invoice-updated', invoiceEvent)
/** `amount`: cents. `isPaid`: nothing is left to pay. */
export const paymentReceived = defineEvent(
  'billing.payment-received',
  invoiceEvent.extend({ amount: z.int(), isPaid: z.boolean() }),
)
export const paymentRefunded = defineEvent('billing.payment-refunded', invoiceEvent.extend({ amount: z.int() }))
export const invoiceVoided = defineEvent('billing.invoice-voided', invoiceEvent)
/** A draft was moved to the trash. */
export const invoiceDeleted = defineEvent('billing.invoice-deleted', invoiceEvent)
export const invoiceRestored = defineEvent('billing.invoice-restored', invoiceEvent)
