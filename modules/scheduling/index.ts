// What other modules may call.
export * from './events.ts'
export { Appointment } from './schema.ts'
export type { AppointmentRecord } from './output.ts'
export { AppointmentEdit, NewAppointment } from './forms.ts'
export { appointmentOf, appointmentsByStart } from './queries/appointments.ts'
export { addAppointment, completeSession, editAppointment } from './services/appointments.ts'
