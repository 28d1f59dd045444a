import { z } from 'zod'
import { defineEvent } from '#modules/core/events.ts'

const ofAppointment = z.object({ appointmentId: z.int() })

export const appointmentAdded = defineEvent('scheduling.appointment-added', ofAppointment)
/** Other times, other people, or other words. */
export const appointmentEdited = defineEvent('scheduling.appointment-edited', ofAppointment)
/** The session was held, and is marked so: once, until that is taken back. */
export const sessionCompleted = defineEvent('scheduling.session-completed', ofAppointment)
/** Into the trash. */
export const appointmentDeleted = defineEvent('scheduling.appointment-deleted', ofAppointment)
export const appointmentRestored = defineEvent('scheduling.appointment-restored', ofAppointment)
