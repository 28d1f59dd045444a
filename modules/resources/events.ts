import { z } from 'zod'
import { defineEvent } from '#modules/core/events.ts'

const payload = z.object({ resourceId: z.int() })

export const resourceCreated = defineEvent('resources.resource-created', payload)
export const resourceUpdated = defineEvent('resources.resource-updated', payload)
/** Moved to the trash. */
export const resourceDeleted = defineEvent('resources.resource-deleted', payload)
export const resourceRestored = defineEvent('resources.resource-restored', payload)
