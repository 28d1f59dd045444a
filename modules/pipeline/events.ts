import { z } from 'zod'
import { defineEvent } from '#modules/core/events.ts'

const prospectPayload = z.object({ prospectId: z.int() })

export const prospectCreated = defineEvent('pipeline.prospect-created', prospectPayload)
/** `fields`: the changed fields by their API names. */
export const prospectUpdated = defineEvent(
  'pipeline.prospect-updated',
  prospectPayload.extend({ fields: z.array(z.string()) }),
)
/** `from`: the stage that it left, or null if that stage is erased. */
export const prospectMoved = defineEvent(
  'pipeline.prospect-moved',
  prospectPayload.extend({ from: z.int().nullable(), to: z.int() }),
)
export const prospectConverted = defineEvent(
  'pipeline.prospect-converted',
  prospectPayload.extend({ clientId: z.int() }),
)
/** It was moved to the trash. */
export const prospectDeleted = defineEvent('pipeline.prospect-deleted', prospectPayload)
export const prospectRestored = defineEvent('pipeline.prospect-restored', prospectPayload)
