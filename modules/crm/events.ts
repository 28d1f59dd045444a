import { z } from 'zod'
import { defineEvent } from '#modules/core/events.ts'

const clientEvent = z.object({ clientId: z.int() })

export const clientAdded = defineEvent('crm.client-added', clientEvent)
/** `fields`: the changed fields by their API names. */
export const clientEdited = defineEvent('crm.client-edited', clientEvent.extend({ fields: z.array(z.string()) }))
export const clientArchived = defineEvent('crm.client-archived', clientEvent)
export const clientUnarchived = defineEvent('crm.client-unarchived', clientEvent)
/** Moved to the trash with everything that belongs to the client. */
export const clientDeleted = defineEvent('crm.client-deleted', clientEvent)
export const clientRestored = defineEvent('crm.client-restored', clientEvent)
/** Permanently deleted. Modules must remove the client's name from records they keep. */
export const clientErased = defineEvent('crm.client-erased', clientEvent)

const interactionEvent = clientEvent.extend({ interactionId: z.int() })

export const interactionAdded = defineEvent('crm.interaction-added', interactionEvent)
export const interactionEdited = defineEvent('crm.interaction-edited', interactionEvent)
export const interactionDeleted = defineEvent('crm.interaction-deleted', interactionEvent)
export const interactionRestored = defineEvent('crm.interaction-restored', interactionEvent)
