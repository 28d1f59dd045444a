import { z } from 'zod'
import { defineEvent } from '#modules/core/events.ts'

const appointmentPayload = z.object({ appointmentId: z.int() })

export const appointmentCreated = defineEvent('scheduling.appointment-created', appointmentPayload)
export const appointmentUpdated = defineEvent('scheduling.appointment-updated', appointmentPayload)
/** Once, unless the completion is reverted in between. */
export const sessionCompleted = defineEvent('scheduling.session-completed', appointmentPayload)
/** It was moved to the trash. */
export const appointmentDeleted = defineEvent('scheduling.appointment-deleted', appointmentPayload)
export const appointmentRestored = defineEvent('scheduling.appointment-restored', appointmentPayload)
