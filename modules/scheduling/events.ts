import { z } from 'zod'
import { defineEvent } from '#modules/core/events.ts'

const appointmentPayload = z.object({ appointmentId: z.int() })

export const appointmentCreated = defineEvent('scheduling.appointment-created', appointmentPayload)
export const appointmentUpdated = defineEvent('scheduling.appointment-updated', appointmentPayload)
/** Once, unless the completion is reverted in between. */
export const sessionCompleted = defineEvent('scheduling.session-completed', appointmentPayload)
/** It was moved to the trash. */
export const appointmentDeleted = defineEvent('scheduling.appointment-deleted', appointmentPayload)
/** Many were added, or moved to the trash, by an import or its undoing. At most 500 ids. */
export const appointmentsChanged = defineEvent(
  'scheduling.appointments-changed',
  z.object({ appointmentIds: z.array(z.int()) }),
)
export const appointmentRestored = defineEvent('scheduling.appointment-restored', appointmentPayload)
