import { z } from 'zod'
import { defineEvent } from '#modules/events.ts'

const ofAppointment = z.object({ appointmentId: z.int() })

export const appointmentAdded = defineEvent('calendar.appointment-added', ofAppointment)
/** Other times, other people, or other words. */
export const appointmentEdited = defineEvent('calendar.appointment-edited', ofAppointment)
/** The session was held, and is marked so: once, until that is taken back. */
export const sessionCompleted = defineEvent('calendar.session-completed', ofAppointment)
/** Into the trash. */
export const appointmentDeleted = defineEvent('calendar.appointment-deleted', ofAppointment)
export const appointmentRestored = defineEvent('calendar.appointment-restored', ofAppointment)
