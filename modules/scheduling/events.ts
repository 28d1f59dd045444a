import { z } from 'zod'
import { defineEvent } from '#modules/core/events.ts'

const appointmentPayload = z.object({ appointmentId: z.int() })

export const appointmentAdded = defineEvent('scheduling.appointment-added', appointmentPayload)
export const appointmentEdited = defineEvent('scheduling.appointment-edited', appointmentPayload)
/** Once, unless the completion is reverted in between. */
export const sessionCompleted = defineEvent('scheduling.session-completed', appointmentPayload)
/** It was moved to the trash. */
export const appointmentDeleted = defineEvent('scheduling.appointment-deleted', appointmentPayload)
export const appointmentRestored = defineEvent('scheduling.appointment-restored', appointmentPayload)
