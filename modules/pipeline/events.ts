import { z } from 'zod'
import { defineEvent } from '#modules/core/events.ts'

const ofProspect = z.object({ prospectId: z.int() })

export const prospectAdded = defineEvent('pipeline.prospect-added', ofProspect)
/** `from` is the stage that it left; null when that is erased. */
export const prospectMoved = defineEvent(
  'pipeline.prospect-moved',
  ofProspect.extend({ from: z.int().nullable(), to: z.int() }),
)
/** Whoever keeps something of the prospect that now is the client's moves it in the same transaction (`during`). */
export const prospectConverted = defineEvent('pipeline.prospect-converted', ofProspect.extend({ clientId: z.int() }))
/** Into the trash. */
export const prospectDeleted = defineEvent('pipeline.prospect-deleted', ofProspect)
export const prospectRestored = defineEvent('pipeline.prospect-restored', ofProspect)
