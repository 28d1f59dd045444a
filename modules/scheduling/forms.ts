import { z } from 'zod'
import { date, emptyAsNull, multiLine, requiredLine, singleLine } from '#app/lib/zod-types.ts'
import { appointmentStatuses, sessionNotesFields } from './fields.ts'
import { appointment, appointmentType } from './records.ts'
import { ById } from '../core/form-actions.server.ts'

// Texts of part-2 §5.
export const endsBeforeStart = 'End time must be after start time.'
export const attendeeRequired = 'Please select either a client or prospect for the appointment'
const oneAttendeeOnly = 'Choose either a client or a prospect, not both'

const meetingUrl = emptyAsNull(
  singleLine(2000).refine(
    (value) => /^https:\/\/[^\s/]/i.test(value) && URL.canParse(value),
    'Use an address that begins with https://',
  ),
)

/** Input of the API. Either with a client or with a prospect. */
export const NewAppointment = appointment.create
  .extend({ meetingUrl })
  .superRefine(({ clientId, prospectId, startTime, endTime }, ctx) => {
    if (endTime <= startTime) ctx.addIssue({ code: 'custom', path: ['endTime'], message: endsBeforeStart })
    if (clientId === null && prospectId === null)
      ctx.addIssue({ code: 'custom', path: ['clientId'], message: attendeeRequired })
    if (clientId !== null && prospectId !== null)
      ctx.addIssue({ code: 'custom', path: ['prospectId'], message: oneAttendeeOnly })
  })
export type NewAppointment = z.output<typeof NewAppointment>

/** A client replaces the prospect, and the other way round. */
export const AppointmentEdit = appointment.update
  .extend({ meetingUrl: meetingUrl.optional() })
  .superRefine(({ clientId, prospectId }, ctx) => {
    if (typeof clientId === 'number' && typeof prospectId === 'number')
      ctx.addIssue({ code: 'custom', path: ['prospectId'], message: oneAttendeeOnly })
  })
export type AppointmentEdit = z.output<typeof AppointmentEdit>

/** `notes` (light markup) become an interaction of the client. */
export const Completion = z.object({ notes: emptyAsNull(multiLine()) })
export const CompletionForm = Completion.extend(ById.shape)
export const SessionNotesForm = ById.extend({
  notes: multiLine().refine((value) => value.trim() !== '', sessionNotesFields.notes.required),
})

export const AppointmentTypeInput = appointmentType.create
export const AppointmentTypeEdit = appointmentType.update
export const AppointmentTypeEditForm = appointmentType.create.extend(ById.shape)

const day = date({ min: '1900-01-02', max: '2200-12-30' })
const time = (required: string) =>
  requiredLine(required).refine(
    (value) => value === '' || /^([01]\d|2[0-3]):[0-5]\d$|^24:00$/.test(value),
    'Use a time such as 09:30',
  )

/** 'client-7' or 'prospect-7'. */
const attendee = z.preprocess(
  (value) => value ?? '',
  z.string().transform((value, ctx) => {
    const [, kind, id] = /^(client|prospect)-([1-9]\d{0,14})$/.exec(value) ?? []
    if (kind)
      return { clientId: kind === 'client' ? Number(id) : null, prospectId: kind === 'prospect' ? Number(id) : null }
    ctx.addIssue({ code: 'custom', message: attendeeRequired })
    return z.NEVER
  }),
)

/** '' for none, the id of a type, or `new:Coaching` to add one. */
const type = z.preprocess(
  (value) => value ?? '',
  singleLine(260).transform((value, ctx) => {
    if (value === '') return null
    if (/^[1-9]\d{0,14}$/.test(value)) return { id: Number(value), name: '' }
    const name = value.startsWith('new:') ? AppointmentTypeInput.safeParse({ name: value.slice(4) }) : null
    if (name?.success) return { id: null, name: name.data.name }
    ctx.addIssue({ code: 'custom', message: 'Choose an appointment type' })
    return z.NEVER
  }),
)

/** The dialogs' form, in local days and times of the coach. Without `endDate` it ends on the day on which it starts. */
const localFields = appointment.form
  .omit({ clientId: true, prospectId: true, appointmentTypeId: true, timezone: true })
  .extend({
    attendee,
    type,
    date: day,
    startTime: time('Start time is required'),
    endDate: emptyAsNull(day),
    endTime: time('End time is required'),
    meetingUrl,
  })
const checkOrder = (
  { date: start, startTime, endDate, endTime }: Pick<AppointmentForm, 'date' | 'startTime' | 'endDate' | 'endTime'>,
  ctx: z.RefinementCtx,
) => {
  if (`${endDate ?? start} ${endTime}` <= `${start} ${startTime}`)
    ctx.addIssue({ code: 'custom', path: ['endTime'], message: endsBeforeStart })
}
export const AppointmentForm = localFields.superRefine(checkOrder)
export type AppointmentForm = z.output<typeof localFields>
/** `version` is the one that the form was opened with. */
export const AppointmentEditForm = localFields
  .extend(appointment.editForm.pick({ id: true, version: true }).shape)
  .superRefine(checkOrder)

/** Undoes a move on the calendar. */
export const MoveForm = appointment.create.pick({ startTime: true, endTime: true }).extend(ById.shape)

/** `was`: the status before, for Undo. */
const status = z.enum(appointmentStatuses)
export const StatusForm = ById.extend({ status, was: status.optional().catch(undefined) })
