import { z } from 'zod'
import { defineEvent } from '#modules/core/events.ts'

const ofClient = z.object({ clientId: z.int() })

export const clientAdded = defineEvent('crm.client-added', ofClient)
/** A new client shall begin with this product: whoever sells refuses one that isn't there. */
export const productWanted = defineEvent('crm.product-wanted', z.object({ productId: z.int() }))
/** A product was chosen with a new client: whoever sells records it in the same transaction. */
export const productChosen = defineEvent('crm.product-chosen', ofClient.extend({ productId: z.int() }))
/** `fields` names what changed, as the API calls it. */
export const clientEdited = defineEvent('crm.client-edited', ofClient.extend({ fields: z.array(z.string()) }))
export const clientArchived = defineEvent('crm.client-archived', ofClient)
export const clientUnarchived = defineEvent('crm.client-unarchived', ofClient)
/** Into the trash: what belongs to the client is hidden with it. */
export const clientDeleted = defineEvent('crm.client-deleted', ofClient)
export const clientRestored = defineEvent('crm.client-restored', ofClient)
/** Gone for good. Whoever keeps something about the client takes the name out of it now. */
export const clientErased = defineEvent('crm.client-erased', ofClient)

const ofInteraction = ofClient.extend({ interactionId: z.int() })

export const interactionAdded = defineEvent('crm.interaction-added', ofInteraction)
export const interactionEdited = defineEvent('crm.interaction-edited', ofInteraction)
export const interactionDeleted = defineEvent('crm.interaction-deleted', ofInteraction)
export const interactionRestored = defineEvent('crm.interaction-restored', ofInteraction)
