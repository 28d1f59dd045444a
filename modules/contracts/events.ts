import { z } from 'zod'
import { defineEvent } from '#modules/core/events.ts'

const templatePayload = z.object({ contractTemplateId: z.int() })

export const templateCreated = defineEvent('contracts.template-created', templatePayload)
export const templateUpdated = defineEvent('contracts.template-updated', templatePayload)
/** Moved to the trash. */
export const templateDeleted = defineEvent('contracts.template-deleted', templatePayload)
export const templateRestored = defineEvent('contracts.template-restored', templatePayload)

const payload = z.object({ contractId: z.int() })

export const contractCreated = defineEvent('contracts.contract-created', payload)
export const contractUpdated = defineEvent('contracts.contract-updated', payload)
/** A draft was moved to the trash. */
export const contractDeleted = defineEvent('contracts.contract-deleted', payload)
export const contractRestored = defineEvent('contracts.contract-restored', payload)
export const contractSent = defineEvent('contracts.contract-sent', payload)
/** By the client, for the first time. */
export const contractViewed = defineEvent('contracts.contract-viewed', payload)
export const contractSigned = defineEvent(
  'contracts.contract-signed',
  payload.extend({ party: z.enum(['client', 'coach']) }),
)
/** Both have signed. */
export const contractCompleted = defineEvent('contracts.contract-completed', payload)
export const contractDeclined = defineEvent('contracts.contract-declined', payload)
export const contractVoided = defineEvent('contracts.contract-voided', payload)
export const contractExpired = defineEvent('contracts.contract-expired', payload)
