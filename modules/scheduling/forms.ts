import { z } from 'zod'
import { isoInstant, singleLine, emptyAsNull, requiredLine, multiLine, timezone } from '#app/lib/zod-types.ts'
import { appointmentStatuses } from './statuses.ts'

// Texts of part-2 §5.
export const endsBeforeStart = 'End time must be after start time.'
export const attendeeRequired = 'Please select either a client or prospect for the appointment'
const oneAttendeeOnly = 'Choose either a client or a prospect, not both'

const nullableId = (message: string) => z.int(message).positive(message).nullable()
const status = z.enum(appointmentStatuses, `Choose one of ${appointmentStatuses.join(', ')}`)
const meetingUrl = emptyAsNull(
  singleLine(2000).refine(
    (value) => /^https:\/\/[^\s/]/i.test(value) && URL.canParse(value),
    'Use an address that begins with https://',
  ),
)

const fields = z.object({
  title: requiredLine('Title is required'),
  description: emptyAsNull(multiLine()),
  startTime: isoInstant('Start time is required'),
  endTime: isoInstant('End time is required'),
  clientId: nullableId('Choose a client'),
  prospectId: nullableId('Choose a prospect'),
  appointmentTypeId: nullableId('Choose an appointment type'),
  status,
  meetingUrl,
  timezone: emptyAsNull(timezone()).describe('In which the times were chosen. Default: the time zone of the coach.'),
})

/** Either with a client or with a prospect. */
export const NewAppointment = fields
  .extend({
    clientId: fields.shape.clientId.default(null),
    prospectId: fields.shape.prospectId.default(null),
    appointmentTypeId: fields.shape.appointmentTypeId.default(null),
    status: status.default('scheduled'),
  })
  .superRefine(({ clientId, prospectId, startTime, endTime }, ctx) => {
    if (endTime <= startTime) ctx.addIssue({ code: 'custom', path: ['endTime'], message: endsBeforeStart })
    if (clientId === null && prospectId === null)
      ctx.addIssue({ code: 'custom', path: ['clientId'], message: attendeeRequired })
    if (clientId !== null && prospectId !== null)
      ctx.addIssue({ code: 'custom', path: ['prospectId'], message: oneAttendeeOnly })
  })
export type NewAppointment = z.output<typeof NewAppointment>

/** Missing fields stay unchanged. A client replaces the prospect, and the other way round. */
export const AppointmentEdit = fields.partial().superRefine(({ clientId, prospectId }, ctx) => {
  if (typeof clientId === 'number' && typeof prospectId === 'number')
    ctx.addIssue({ code: 'custom', path: ['prospectId'], message: oneAttendeeOnly })
})
export type AppointmentEdit = z.output<typeof AppointmentEdit>

/** `notes` (light markup) become an interaction of the client. */
export const Completion = z.object({ notes: emptyAsNull(multiLine()) })

export const AppointmentTypeFields = z.object({ name: requiredLine('Name is required') })
export const AppointmentTypeEdit = AppointmentTypeFields.partial()

const version = z.preprocess(
  (value) => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : 0),
  z.int(),
)
const day = (required: string) =>
  z.preprocess(
    (value) => value ?? '',
    z
      .string()
      .refine((value) => value !== '', required)
      .refine(
        (value) =>
          value === '' || (z.iso.date().safeParse(value).success && value >= '1900-01-02' && value <= '2200-12-30'),
        'Use a date from 1900 to 2200',
      ),
  )
const time = (required: string) =>
  z.preprocess(
    (value) => value ?? '',
    z
      .string()
      .refine((value) => value !== '', required)
      .refine((value) => value === '' || /^([01]\d|2[0-3]):[0-5]\d$|^24:00$/.test(value), 'Use a time such as 09:30'),
  )

/** `client-7`, `prospect-7` */
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
    const name = value.startsWith('new:') ? AppointmentTypeFields.safeParse({ name: value.slice(4) }) : null
    if (name?.success) return { id: null, name: name.data.name }
    ctx.addIssue({ code: 'custom', message: 'Choose an appointment type' })
    return z.NEVER
  }),
)

/** The dialogs' form, in local days and times of the coach. Without `endDate` it ends on the day on which it starts. */
const localFields = z.object({
  title: fields.shape.title,
  attendee,
  type,
  date: day('Date is required'),
  startTime: time('Start time is required'),
  endDate: emptyAsNull(day('')),
  endTime: time('End time is required'),
  meetingUrl,
  description: fields.shape.description,
  status: status.default('scheduled'),
})
const checkOrder = ({ date, startTime, endDate, endTime }: z.output<typeof localFields>, ctx: z.RefinementCtx) => {
  if (`${endDate ?? date} ${endTime}` <= `${date} ${startTime}`)
    ctx.addIssue({ code: 'custom', path: ['endTime'], message: endsBeforeStart })
}
export const AppointmentForm = localFields.superRefine(checkOrder)
export type AppointmentForm = z.output<typeof localFields>
/** `version` is the one that the form was opened with. */
export const AppointmentEditForm = localFields.extend({ version }).superRefine(checkOrder)

/** Undoes a move on the calendar. */
export const MoveForm = z.object({ startTime: fields.shape.startTime, endTime: fields.shape.endTime })
