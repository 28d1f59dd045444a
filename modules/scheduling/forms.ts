import { z } from 'zod'
import { toSlug } from '#app/lib/slug.ts'
import { date, emptyAsNull, formId, multiLine, requiredLine, singleLine, version } from '#app/lib/zod-types.ts'
import { maxDate, minDate, readRanges } from './availability/hours.ts'
import { linkLifetimes } from './booking-links/fields.ts'
import { costs, maxQuestions, questionKinds, weekdayFields, type Cost, type Question } from './booking-fields.ts'
import { appointmentStatuses, sessionNotesFields } from './fields.ts'
import { ReminderMinutes, ReminderTimes } from './messages/forms.ts'
import { oneEndOnly, Recurrence, repeat, repeatCount, repeatWeekdays, scope } from './recurrence/forms.ts'
import { listOccurrences } from './recurrence/rule.ts'
import { appointment, appointmentType, schedule, sessionAgenda } from './records.ts'
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
  .extend({
    meetingUrl,
    notify: z.boolean().default(false).describe('Email the attendee now, at each change, and before the start.'),
  })
  .superRefine(({ clientId, prospectId, startTime, endTime }, ctx) => {
    if (endTime <= startTime) ctx.addIssue({ code: 'custom', path: ['endTime'], message: endsBeforeStart })
    if (clientId === null && prospectId === null)
      ctx.addIssue({ code: 'custom', path: ['clientId'], message: attendeeRequired })
    if (clientId !== null && prospectId !== null)
      ctx.addIssue({ code: 'custom', path: ['prospectId'], message: oneAttendeeOnly })
  })
export type NewAppointment = z.output<typeof NewAppointment>

/** Input of the API: an appointment, or with `recurrence` the first of a series. */
export const NewAppointments = NewAppointment.safeExtend({
  recurrence: Recurrence.nullable()
    .default(null)
    .describe('Repeats it at the same local time: every `interval` weeks or months, until a date or for a number.'),
})
export type NewAppointments = z.output<typeof NewAppointments>

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

export const AgendaEdit = sessionAgenda.update
export type AgendaEdit = z.output<typeof AgendaEdit>
/** The page names the session. */
export const AgendaForm = sessionAgenda.form.extend({ version: version() })
export const SessionNotesForm = ById.extend({
  notes: multiLine().refine((value) => value.trim() !== '', sessionNotesFields.notes.required),
})

/** A part of a URL. Other text is converted: 'Discovery call' to 'discovery-call'. */
const slug = emptyAsNull(
  singleLine(60)
    .transform(toSlug)
    .refine((value) => value !== '', 'Use letters and digits'),
)
const color = emptyAsNull(singleLine(7).refine((value) => /^#[0-9a-f]{6}$/i.test(value), 'Use a color such as #3B82F6'))
const durations = z
  .array(
    z.int('Enter whole minutes').min(5, 'Enter at least 5').max(1440, 'Enter at most 1,440'),
    'Send a list of minutes',
  )
  .min(1, 'Enter a duration')
  .max(6, 'Enter at most 6 durations')
  .transform((values) => [...new Set(values)])
const QuestionInput = z
  .object({
    id: singleLine(40).optional(),
    label: requiredLine('Enter the question'),
    kind: z.enum(Object.keys(questionKinds) as [keyof typeof questionKinds], 'Choose one of short, long, choice'),
    required: z.boolean().default(false),
    options: z.array(requiredLine('Enter the option')).max(20, 'Use at most 20 options').default([]),
  })
  .refine(({ kind, options }) => kind !== 'choice' || options.length > 0, { path: ['options'], error: 'Add an option' })
const questions = z
  .array(QuestionInput, 'Send a list of questions')
  .max(20, 'Use at most 20 questions')
  .transform((list) => list.map((question, index) => ({ ...question, id: question.id || `q${index + 1}` })))

/** `null` is as the coach's settings say, `[]` none. */
const reminderMinutes = ReminderMinutes.nullable()

export const AppointmentTypeInput = appointmentType.create.extend({
  slug,
  color,
  reminderMinutes: reminderMinutes.default(null),
  durations: durations.default([60]),
  questions: questions.default([]),
})
export type AppointmentTypeInput = z.output<typeof AppointmentTypeInput>
/** A price replaces the product, and the other way round. */
export const AppointmentTypeEdit = appointmentType.update.extend({
  slug: slug.optional(),
  color: color.optional(),
  reminderMinutes: reminderMinutes.optional(),
  durations: durations.optional(),
  questions: questions.optional(),
})
export type AppointmentTypeEdit = z.output<typeof AppointmentTypeEdit>
/** The dialogs in the settings. */
export const AppointmentTypeNameForm = appointmentType.form.pick({ name: true })
export const AppointmentTypeEditForm = AppointmentTypeNameForm.extend(ById.shape)

const clock = z.string('Use a time such as 09:30').transform((value, ctx) => {
  const [, hours, minutes] = /^([01]\d|2[0-3]|24):([0-5]\d)$/.exec(value) ?? []
  const minute = Number(hours) * 60 + Number(minutes)
  if (minute <= 1440) return minute
  ctx.addIssue({ code: 'custom', message: 'Use a time such as 09:30' })
  return z.NEVER
})
const range = { start: clock, end: clock }
const isInOrder = ({ start, end }: { start: number; end: number }) => end > start
const rangeOrder = { path: ['end'], error: 'The end must be after the start' }

const WeeklyHours = z
  .array(
    z
      .object({ weekday: z.int().min(0, 'Use 0 (Sunday) to 6').max(6, 'Use 0 (Sunday) to 6'), ...range })
      .refine(isInOrder, rangeOrder),
    'Send a list of hours',
  )
  .max(70, 'Use at most 70 ranges')
export const maxOverrides = 400
const Overrides = z
  .array(
    z.object({
      date: date({ min: minDate, max: maxDate }),
      ranges: z.array(z.object(range).refine(isInOrder, rangeOrder)).max(10, 'Use at most 10 ranges a day').default([]),
    }),
    'Send a list of dates',
  )
  .max(maxOverrides, `Use at most ${maxOverrides} dates`)
  .refine((list) => new Set(list.map((one) => one.date)).size === list.length, 'Send each date once')

/** Input of the API. Times are minutes in the output. */
export const ScheduleInput = schedule.create.extend({
  isDefault: z.boolean().default(false).describe('Used by types without a schedule. The first schedule always is.'),
  hours: WeeklyHours.default([]),
  overrides: Overrides.default([]),
})
export type ScheduleInput = z.output<typeof ScheduleInput>
export const ScheduleEdit = schedule.update.extend({
  isDefault: z.literal(true, 'Make another schedule the default instead').optional(),
  hours: WeeklyHours.optional(),
  overrides: Overrides.optional(),
})
export type ScheduleEdit = z.output<typeof ScheduleEdit>

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

/** The form of a personal link. */
export const LinkForm = z
  .object({ attendee, type: formId('Choose an appointment type'), expires: z.enum(['never', 'week', 'month']) })
  .transform(({ attendee: person, type: appointmentTypeId, expires }) => ({
    ...person,
    appointmentTypeId,
    days: linkLifetimes[expires],
  }))

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
/** `notify`: a checkbox. */
export const AppointmentForm = localFields
  .extend({
    notify: z
      .string()
      .optional()
      .transform((value) => value === 'on'),
    repeat,
    repeatWeekdays,
    repeatCount,
    repeatUntil: emptyAsNull(day),
  })
  .superRefine(checkOrder)
  .transform(
    ({ repeat: frequency, repeatWeekdays: weekdays, repeatCount: count, repeatUntil: until, ...input }, ctx) => {
      if (!frequency) return { ...input, recurrence: null }
      // The weekdays of a monthly series are not shown.
      const days = frequency.unit === 'week' ? { weekdays } : {}
      const recurrence = { ...frequency, ...days, count: count ?? undefined, until: until ?? undefined }
      const listed =
        (count === null) === (until === null) ? { problem: oneEndOnly } : listOccurrences(input.date, recurrence)
      if ('problem' in listed) {
        const path = [until === null ? 'repeatCount' : 'repeatUntil']
        ctx.addIssue({ code: 'custom', path, message: listed.problem })
      }
      return { ...input, recurrence }
    },
  )
export type AppointmentForm = z.output<typeof localFields>
/** `version` is the one that the form was opened with. */
export const AppointmentEditForm = localFields
  .extend({ ...appointment.editForm.pick({ id: true, version: true }).shape, scope })
  .superRefine(checkOrder)
export const DeleteForm = ById.extend({ scope })

/** Undoes a move on the calendar. */
export const MoveForm = appointment.create.pick({ startTime: true, endTime: true }).extend(ById.shape)

/** `was`: the status before, for Undo. */
const status = z.enum(appointmentStatuses)
export const StatusForm = ById.extend({ status, was: status.optional().catch(undefined) })

const rangesText = z.preprocess(
  (value) => value ?? '',
  singleLine(200).transform((value, ctx) => {
    const read = readRanges(value)
    if ('ranges' in read) return read.ranges
    ctx.addIssue({ code: 'custom', message: read.problem })
    return z.NEVER
  }),
)
const weekdayTexts = z.object(
  Object.fromEntries(weekdayFields.map((name) => [name, rangesText])) as Record<
    (typeof weekdayFields)[number],
    typeof rangesText
  >,
)
const collectHours = ({ sunday, monday, tuesday, wednesday, thursday, friday, saturday, ...fields }: WeekdayTexts) => ({
  ...fields,
  hours: [sunday, monday, tuesday, wednesday, thursday, friday, saturday].flatMap((ranges, weekday) =>
    ranges.map((range) => ({ weekday, ...range })),
  ),
})
type WeekdayTexts = z.output<typeof ScheduleFormFields>
const ScheduleFormFields = schedule.form.extend(weekdayTexts.shape)

export const NewScheduleName = schedule.form.pick({ name: true })

/** The form of the availability page. */
export const ScheduleForm = ScheduleFormFields.transform((input) => ({
  ...collectHours(input),
  isDefault: false,
  overrides: [],
}))
const editing = schedule.editForm.pick({ id: true, version: true }).shape
export const ScheduleEditForm = ScheduleFormFields.extend(editing).transform(({ id, version, ...input }) => ({
  id,
  version,
  ...collectHours(input),
}))

/** Without hours the date is a day off. */
export const OverrideForm = ById.extend({
  date: date({ min: minDate, max: maxDate }),
  hours: rangesText,
})
export const RemoveOverrideForm = ById.extend({ date: date({ min: minDate, max: maxDate }) })

const durationsText = requiredLine('Enter a duration', 60).transform((value, ctx) => {
  const parsed = durations.safeParse(
    value
      .split(/[\s,;]+/)
      .filter(Boolean)
      .map(Number),
  )
  if (parsed.success) return parsed.data
  ctx.addIssue({ code: 'custom', message: 'Write up to 6 numbers from 5 to 1,440, such as 30, 60' })
  return z.NEVER
})
/** Nothing: as the coach's settings say. */
const reminderMinutesText = emptyAsNull(ReminderTimes)
const optionalLine = (max: number) => emptyAsNull(singleLine(max))

/** The booking rules of a type. A question without text is removed. */
export const TypeForm = appointmentType.form
  .extend(ById.shape)
  .extend({ slug, color, durations: durationsText, reminderMinutes: reminderMinutesText })
  .extend({ cost: z.enum(Object.keys(costs) as [Cost, ...Cost[]], 'Choose what it costs').optional() })
  .extend({ version: version() })
  .catchall(z.unknown())
  .transform(({ id, version: seen, ...input }, ctx) => {
    const questions: Question[] = []
    const fields = Object.fromEntries(
      Object.keys(appointmentType.form.shape).map((name) => [name, input[name as keyof typeof input]]),
    ) as z.output<typeof appointmentType.form>
    const { priceCents, productId, missing } = readCost(input.cost, fields)
    if (missing) ctx.addIssue({ code: 'custom', ...missing })
    for (let index = 0; index < maxQuestions; index++) {
      const label = optionalLine(255).safeParse(input[`label${index}`])
      const options = optionalLine(1000).safeParse(input[`options${index}`])
      const kind = String(input[`kind${index}`] ?? 'short')
      if (!label.success)
        ctx.addIssue({ code: 'custom', path: [`label${index}`], message: 'Use at most 255 characters' })
      if (!label.success || !label.data) continue
      const question = QuestionInput.safeParse({
        id: `q${index + 1}`,
        label: label.data,
        kind,
        required: input[`required${index}`] === 'yes',
        options: kind === 'choice' ? splitOptions(options.data ?? '') : [],
      })
      if (question.success) questions.push({ ...question.data, id: `q${questions.length + 1}` })
      else
        ctx.addIssue({
          code: 'custom',
          path: [`${question.error.issues[0]!.path[0] === 'options' ? 'options' : 'label'}${index}`],
          message: question.error.issues[0]!.message,
        })
    }
    const { durations: minutes, reminderMinutes: reminders } = input
    const lists = { durations: minutes, reminderMinutes: reminders, questions }
    return { id, version: seen, ...fields, priceCents, productId, ...lists }
  })

type CostInput = { priceCents: number | null; productId: number | null }
type Missing = { path: string[]; message: string } | null

/** The inputs of other choices are hidden: what is in them doesn't count. */
function readCost(cost: Cost | undefined, { priceCents, productId }: CostInput): CostInput & { missing: Missing } {
  if (cost === 'none' || cost === 'free')
    return { priceCents: cost === 'free' ? 0 : null, productId: null, missing: null }
  if (cost === 'product') {
    const missing = productId === null ? { path: ['productId'], message: 'Choose a product' } : null
    return { priceCents: null, productId, missing }
  }
  const missing = cost === 'price' && priceCents === null ? { path: ['priceCents'], message: 'Enter a price' } : null
  return { priceCents, productId: null, missing }
}

const splitOptions = (text: string): string[] =>
  text
    .split(',')
    .map((option) => option.trim())
    .filter(Boolean)
