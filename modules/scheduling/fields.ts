import type { Fields } from '#app/lib/fields.ts'

/** The dialog of a type has only its name; `booking-fields.ts` has the others. */
export const typeNameFields = {
  name: { kind: 'line', label: 'Name', required: 'Name is required' },
} as const satisfies Fields

/**
 * To add a field: here, in `schema.ts`, `migrations.ts`, `components/appointment-fields.tsx` and `details-dialog.tsx`.
 */
export const appointmentFields = {
  title: { kind: 'line', label: 'Title', required: 'Title is required' },
  clientId: { kind: 'reference', label: 'Client', to: 'client', required: 'Choose a client', optional: true },
  prospectId: { kind: 'reference', label: 'Prospect', to: 'prospect', required: 'Choose a prospect', optional: true },
  appointmentTypeId: {
    kind: 'reference',
    label: 'Appointment type',
    to: 'appointment_type',
    required: 'Choose an appointment type',
    optional: true,
  },
  startTime: { kind: 'instant', label: 'Start', required: 'Start time is required' },
  endTime: { kind: 'instant', label: 'End', required: 'End time is required' },
  timezone: { kind: 'timezone', label: 'Time zone', optional: true },
  status: {
    kind: 'choice',
    label: 'Status',
    choices: { scheduled: 'Scheduled', confirmed: 'Confirmed', completed: 'Completed', cancelled: 'Cancelled' },
    message: 'Choose one of scheduled, confirmed, completed, cancelled',
    default: 'scheduled',
  },
  meetingUrl: { kind: 'line', label: 'Meeting URL', max: 2000, optional: true },
  description: { kind: 'text', label: 'Description', optional: true },
} as const satisfies Fields

const {
  clientId: _client,
  prospectId: _prospect,
  appointmentTypeId: _type,
  startTime: _start,
  endTime: _end,
  timezone: _timezone,
  ...plainFields
} = appointmentFields
/** The fields that the form has in common with the record. */
export const appointmentPlainFields = plainFields

/** The form has the attendee, the type and the times in its own way. */
export const appointmentFormFields = {
  ...appointmentPlainFields,
  /** 'client-7' or 'prospect-7'. */
  attendee: { kind: 'line', label: 'Client or prospect' },
  /** An id, or 'new:Coaching' to add a type. */
  type: { kind: 'line', label: 'Appointment type' },
  date: { kind: 'line', label: 'Date' },
  startTime: { kind: 'line', label: 'Start time' },
  endDate: { kind: 'line', label: 'End date' },
  endTime: { kind: 'line', label: 'End time' },
} as const satisfies Fields

/** 'week-2': every two weeks. */
export const repeatChoices = Object.fromEntries(
  (['week', 'month'] as const).flatMap((unit) =>
    Array.from({ length: 12 }, (_, index) => [
      `${unit}-${index + 1}`,
      index ? `Every ${index + 1} ${unit}s` : `Every ${unit}`,
    ]),
  ),
)

/** The form for a new appointment. */
export const scheduleFormFields = {
  ...appointmentFormFields,
  repeat: { kind: 'line', label: 'Repeat' },
  repeatWeekdays: { kind: 'line', label: 'Also on' },
  repeatCount: { kind: 'line', label: 'Number of sessions' },
  repeatUntil: { kind: 'line', label: 'Or until' },
} as const satisfies Fields

/** The values that decide about overlaps with other sessions. */
export const overlapFields = [
  'date',
  'startTime',
  'endDate',
  'endTime',
  'repeat',
  'repeatWeekdays',
  'repeatCount',
  'repeatUntil',
  'scope',
] as const

/** Which sessions of a series a change is for. */
export const scopes = {
  this: 'This session',
  following: 'This and the following sessions',
  all: 'All sessions that are to come',
} as const
export type Scope = keyof typeof scopes

export const completionFields = {
  notes: { kind: 'markup', label: 'Session notes', optional: true },
} as const satisfies Fields

export const sessionNotesFields = {
  notes: { kind: 'markup', label: 'Session notes', required: 'Notes are required' },
} as const satisfies Fields

export const statusLabels = appointmentFields.status.choices
export type AppointmentStatus = keyof typeof statusLabels
export const appointmentStatuses = Object.keys(statusLabels) as AppointmentStatus[]

/** How far the search for a session's recording is. */
export const detectionStatuses = ['pending', 'searching', 'found', 'not_found', 'failed'] as const
export type DetectionStatus = (typeof detectionStatuses)[number]
