// The public interface for other modules.
export * from './events.ts'
export * from './hooks.ts'
export { Appointment, AppointmentType } from './schema.ts'
export { AppointmentOut, type AppointmentRecord } from './records.ts'
export { AppointmentEdit, NewAppointment } from './forms.ts'
export { placeLabels } from './booking/places.ts'
export { groupSeriesMessages } from './messages/group.ts'
export {
  getAppointment,
  countSummaries,
  getAppointmentDetails,
  listAppointments,
  listRecentSessions,
  type AppointmentDetails,
  type SummaryCounts,
} from './queries/appointments.ts'
export { formatDateTimeRange } from './format.ts'
export {
  attendeeNameSql,
  completedSessionsSql,
  isSessionInTrash,
  isSessionVisible,
  joinSession,
  sessionIdsOfClient,
  sessionTitleSql,
} from './joins.ts'
export { isProspectInTrash, joinProspect } from './prospects.ts'
export { setRecordingState, type RecordingState } from './services/recordings.ts'
export { lockAppointment } from './services/appointments.ts'
export { clearGoogleEvents, replaceOtherTimes, setGoogleEvent, type OtherTime } from './services/other-calendars.ts'
export {
  createAppointment,
  completeSession,
  updateAppointment,
} from './services/appointments.ts'
export { listSlots, refusalLabels, type RefusalReason, type Slot } from './availability/slots.ts'
export { getAppointmentType, listAppointmentTypes } from './queries/types.ts'
export { getAvailability, getSlots } from './queries/availability.ts'
export { bookSlot, holdSlot, moveBooking, releaseHold } from './services/bookings.ts'
