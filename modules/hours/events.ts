import { z } from 'zod'
import { defineEvent } from '#modules/core/events.ts'

const payload = z.object({ entryId: z.int() })

export const entryCreated = defineEvent('hours.entry-created', payload)
export const entryUpdated = defineEvent('hours.entry-updated', payload)
/** Moved to the trash. */
export const entryDeleted = defineEvent('hours.entry-deleted', payload)
export const entryRestored = defineEvent('hours.entry-restored', payload)
