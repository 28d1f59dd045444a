import { defineHook } from '#modules/core/hooks.ts'

/** Throws not_found unless the product exists. Runs before a client is created with a product. */
export const assertProduct = defineHook<{ productId: number }>('crm.assert-product')
/** Records the purchase of the product chosen for a new client. */
export const sellProduct = defineHook<{ clientId: number; productId: number }>('crm.sell-product')

/** Run when a client gets a product: once for a sale that is paid in parts. `price`: cents. */
export const productSold = defineHook<ProductSale>('crm.product-sold')
export type ProductSale = { clientId: number; productId: number; productName: string; price: number }

/** Moves what a module keeps for the prospect to the client that the prospect became. */
export const reassignProspect = defineHook<Conversion>('crm.reassign-prospect', { keepsData: true })
/** Moves what a module keeps for the client back to the prospect, when the conversion is undone. */
export const reassignClient = defineHook<Conversion>('crm.reassign-client', { keepsData: true })

export type Conversion = { prospectId: number; clientId: number }
