import { defineHook } from '#modules/core/hooks.ts'

/** Throws not_found unless the product exists. Runs before a client is created with a product. */
export const assertProduct = defineHook<{ productId: number }>('crm.assert-product')
/** Records the purchase of the product chosen for a new client. */
export const sellProduct = defineHook<{ clientId: number; productId: number }>('crm.sell-product')
