import { z } from 'zod'
import { instant, line, optional, requiredLine, text, timezone } from '#app/lib/zod-types.ts'
import { appointmentStatuses } from './statuses.ts'

// The words of part-2 §5.
export const endsTooEarly = 'End time must be after start time.'
export const nobodyChosen = 'Please select either a client or prospect for the appointment'
const bothChosen = 'Choose either a client or a prospect, not both'

const idOf = (message: string) => z.int(message).positive(message).nullable()
const status = z.enum(appointmentStatuses, `Choose one of ${appointmentStatuses.join(', ')}`)
const meetingUrl = optional(
  line(2000).refine(
    (value) => /^https:\/\/[^\s/]/i.test(value) && URL.canParse(value),
    'Use an address that begins with https://',
  ),
)

const fields = z.object({
  title: requiredLine('Title is required'),
  description: optional(text()),
  startTime: instant('Start time is required'),
  endTime: instant('End time is required'),
  clientId: idOf('Choose a client'),
  prospectId: idOf('Choose a prospect'),
  appointmentTypeId: idOf('Choose an appointment type'),
  status,
  meetingUrl,
  timezone: optional(timezone()).describe('Of the clock that the times were chosen by; left out, that of the coach.'),
})

/** An appointment as it is sent: with a client or with a prospect. */
export const NewAppointment = fields
  .extend({
    clientId: fields.shape.clientId.default(null),
    prospectId: fields.shape.prospectId.default(null),
    appointmentTypeId: fields.shape.appointmentTypeId.default(null),
    status: status.default('scheduled'),
  })
  .superRefine(({ clientId, prospectId, startTime, endTime }, ctx) => {
    if (endTime <= startTime) ctx.addIssue({ code: 'custom', path: ['endTime'], message: endsTooEarly })
    if (clientId === null && prospectId === null)
      ctx.addIssue({ code: 'custom', path: ['clientId'], message: nobodyChosen })
    if (clientId !== null && prospectId !== null)
      ctx.addIssue({ code: 'custom', path: ['prospectId'], message: bothChosen })
  })
export type NewAppointment = z.output<typeof NewAppointment>

/** What is left out stays as it is. A client or a prospect takes the other's place. */
export const AppointmentEdit = fields.partial().superRefine(({ clientId, prospectId }, ctx) => {
  if (typeof clientId === 'number' && typeof prospectId === 'number')
    ctx.addIssue({ code: 'custom', path: ['prospectId'], message: bothChosen })
})
export type AppointmentEdit = z.output<typeof AppointmentEdit>

/** `notes` are light markup: they become an interaction of the client. */
export const Completion = z.object({ notes: optional(text()) })

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
    ctx.addIssue({ code: 'custom', message: nobodyChosen })
    return z.NEVER
  }),
)

/** '' for none, the id of a type, or `new:Coaching` for one that is yet to be added. */
const type = z.preprocess(
  (value) => value ?? '',
  line(260).transform((value, ctx) => {
    if (value === '') return null
    if (/^[1-9]\d{0,14}$/.test(value)) return { id: Number(value), name: '' }
    const name = value.startsWith('new:') ? AppointmentTypeFields.safeParse({ name: value.slice(4) }) : null
    if (name?.success) return { id: null, name: name.data.name }
    ctx.addIssue({ code: 'custom', message: 'Choose an appointment type' })
    return z.NEVER
  }),
)

/** An appointment as its dialogs send it: days and times of the coach's own clock. Without `endDate` it ends on the day that it begins. */
const onClock = z.object({
  title: fields.shape.title,
  attendee,
  type,
  date: day('Date is required'),
  startTime: time('Start time is required'),
  endDate: optional(day('')),
  endTime: time('End time is required'),
  meetingUrl,
  description: fields.shape.description,
  status: status.default('scheduled'),
})
const inOrder = ({ date, startTime, endDate, endTime }: z.output<typeof onClock>, ctx: z.RefinementCtx) => {
  if (`${endDate ?? date} ${endTime}` <= `${date} ${startTime}`)
    ctx.addIssue({ code: 'custom', path: ['endTime'], message: endsTooEarly })
}
export const AppointmentForm = onClock.superRefine(inOrder)
export type AppointmentForm = z.output<typeof onClock>
/** With the version that it showed. */
export const AppointmentEditForm = onClock.extend({ version }).superRefine(inOrder)

/** A move on the grid, as Undo takes it back. */
export const MoveForm = z.object({ startTime: fields.shape.startTime, endTime: fields.shape.endTime })
