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
