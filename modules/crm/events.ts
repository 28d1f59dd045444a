import { z } from 'zod'
import { defineEvent } from '#modules/core/events.ts'

const clientEvent = z.object({ clientId: z.int() })

export const clientCreated = defineEvent('crm.client-created', clientEvent)
/** `fields`: the changed fields by their API names. */
export const clientUpdated = defineEvent('crm.client-updated', clientEvent.extend({ fields: z.array(z.string()) }))
export const clientArchived = defineEvent('crm.client-archived', clientEvent)
export const clientUnarchived = defineEvent('crm.client-unarchived', clientEvent)
/** Moved to the trash with everything that belongs to the client. */
export const clientDeleted = defineEvent('crm.client-deleted', clientEvent)
export const clientRestored = defineEvent('crm.client-restored', clientEvent)
/** Permanently deleted. Modules must remove the client's name from records they keep. */
export const clientErased = defineEvent('crm.client-erased', clientEvent)
/** The records of `mergedClientId` went to `clientId`. The former is in the trash: `clientDeleted` is published, too. */
export const clientsMerged = defineEvent('crm.clients-merged', clientEvent.extend({ mergedClientId: z.int() }))

const interactionEvent = clientEvent.extend({ interactionId: z.int() })

export const interactionCreated = defineEvent('crm.interaction-created', interactionEvent)
export const interactionUpdated = defineEvent('crm.interaction-updated', interactionEvent)
export const interactionDeleted = defineEvent('crm.interaction-deleted', interactionEvent)
export const interactionRestored = defineEvent('crm.interaction-restored', interactionEvent)
