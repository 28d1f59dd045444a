import type { Fields } from '#app/lib/fields.ts'
import { typeNameFields } from './fields.ts'

// Apart from `fields.ts`, so that the calendar doesn't load them.

const minutesOfWeek = 7 * 24 * 60
const minutesOfYear = 365 * 24 * 60

/** Rules of availability. In an appointment type, an empty one means the schedule's. */
const bookingRules = {
  bufferBefore: { kind: 'count', label: 'Minutes free before', min: 0, max: 480 },
  bufferAfter: { kind: 'count', label: 'Minutes free after', min: 0, max: 480 },
  minimumNoticeMinutes: { kind: 'count', label: 'Minimum notice in minutes', min: 0, max: minutesOfYear },
  bookingWindowDays: { kind: 'count', label: 'Days that can be booked ahead', min: 1, max: 730 },
} as const satisfies Fields
const { bufferBefore, bufferAfter, minimumNoticeMinutes, bookingWindowDays } = bookingRules
const countLimits = {
  dailyLimit: { kind: 'count', label: 'Most appointments a day', max: 100, optional: true },
  weeklyLimit: { kind: 'count', label: 'Most appointments a week', max: 500, optional: true },
  slotIntervalMinutes: { kind: 'count', label: 'Minutes between start times', min: 5, max: 720, optional: true },
} as const satisfies Fields

/** A named set of working hours. Its limits count all appointments. */
export const scheduleFields = {
  name: { kind: 'line', label: 'Name', required: 'Name is required' },
  timezone: { kind: 'timezone', label: 'Time zone', optional: true },
  bufferBefore: { ...bufferBefore, default: 0 },
  bufferAfter: { ...bufferAfter, default: 0 },
  minimumNoticeMinutes: { ...minimumNoticeMinutes, default: 240 },
  bookingWindowDays: { ...bookingWindowDays, default: 60 },
  ...countLimits,
} as const satisfies Fields

const ranges = (label: string) => ({ kind: 'line', label, max: 200, optional: true }) as const
/** The form has a text such as '09:00–12:00, 13:00–17:00' for each weekday. */
export const scheduleFormFields = {
  ...scheduleFields,
  monday: ranges('Monday'),
  tuesday: ranges('Tuesday'),
  wednesday: ranges('Wednesday'),
  thursday: ranges('Thursday'),
  friday: ranges('Friday'),
  saturday: ranges('Saturday'),
  sunday: ranges('Sunday'),
} as const satisfies Fields
/** By the number of the weekday. */
export const weekdayFields = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const
export const overrideFields = {
  date: { kind: 'line', label: 'Date' },
  hours: { kind: 'line', label: 'Hours on that date', max: 200, optional: true },
} as const satisfies Fields

export const locationKinds = {
  none: 'Not set',
  video: 'Video call',
  phone: 'Phone',
  in_person: 'In person',
  client_choice: 'The client chooses',
} as const
export const visibilities = { hidden: 'Nobody', link: 'Anyone with the link', public: 'Everyone' } as const
export const newVisitors = { prospect: 'A prospect', client: 'A client' } as const
/** The choices of a type; null: as the coach's settings say. */
export const followUps = { on: 'Sent', off: 'Not sent' } as const
/** How a type has its price, in its form alone. */
export const costs = { none: 'Not shown', free: 'Free', price: 'A price', product: 'A product' } as const
export const payments = { later: 'Not when booking', booking: 'By card when booking' } as const
/** For a session that was paid when booking and is cancelled in time by its attendee. */
export const refundRules = { automatic: 'The payment goes back', manual: 'I decide' } as const
export const confirmations = { instant: 'At once', manual: 'When I confirm it' } as const

/** `dailyLimit` and `weeklyLimit` count the appointments of this type. */
export const appointmentTypeFields = {
  ...typeNameFields,
  slug: { kind: 'line', label: 'Address', max: 60, optional: true },
  description: { kind: 'text', label: 'Description', max: 2000, optional: true },
  color: { kind: 'line', label: 'Color', max: 7, optional: true },
  locationKind: {
    kind: 'choice',
    label: 'Location',
    choices: locationKinds,
    message: 'Choose one of none, video, phone, in_person, client_choice',
    default: 'none',
  },
  locationDetail: { kind: 'line', label: 'Link, phone number or address', max: 500, optional: true },
  priceCents: { kind: 'cents', label: 'Price', optional: true },
  productId: { kind: 'reference', label: 'Product', to: 'product', required: 'Choose a product', optional: true },
  payment: {
    kind: 'choice',
    label: 'Paid',
    choices: payments,
    message: 'Choose one of later, booking',
    default: 'later',
  },
  refund: {
    kind: 'choice',
    label: 'Cancelled in time',
    choices: refundRules,
    message: 'Choose one of automatic, manual',
    default: 'automatic',
  },
  visibility: {
    kind: 'choice',
    label: 'Who can book it',
    choices: visibilities,
    message: 'Choose one of hidden, link, public',
    default: 'hidden',
  },
  confirmation: {
    kind: 'choice',
    label: 'Confirmed',
    choices: confirmations,
    message: 'Choose one of instant, manual',
    default: 'instant',
  },
  newVisitor: {
    kind: 'choice',
    label: 'Somebody new becomes',
    choices: newVisitors,
    message: 'Choose one of prospect, client',
    default: 'prospect',
  },
  bufferBefore: { ...bufferBefore, optional: true },
  bufferAfter: { ...bufferAfter, optional: true },
  minimumNoticeMinutes: { ...minimumNoticeMinutes, optional: true },
  bookingWindowDays: { ...bookingWindowDays, optional: true },
  ...countLimits,
  followUp: { kind: 'choice', label: 'Follow-up', choices: followUps, message: 'Choose on or off', optional: true },
  cancellationNoticeMinutes: {
    kind: 'count',
    label: 'Minutes before the start until which it can be cancelled',
    min: 0,
    max: 8 * minutesOfWeek,
    optional: true,
  },
  scheduleId: {
    kind: 'reference',
    label: 'Schedule',
    to: 'availability_schedule',
    required: 'Choose a schedule',
    optional: true,
  },
} as const satisfies Fields

export const questionKinds = { short: 'Short answer', long: 'Long answer', choice: 'Choice' } as const
/** A question on the booking page. `options`: of a choice. */
export type Question = {
  id: string
  label: string
  kind: keyof typeof questionKinds
  required: boolean
  options: string[]
}
/** The question as it was asked, and the visitor's answer. */
export type Answer = { question: string; answer: string }

export const maxQuestions = 20
const isRequired = {
  kind: 'flag',
  label: 'Answer',
  choices: { yes: 'Required', no: 'Optional' },
  message: 'Choose one',
}
/** The fields of one question in the form of a type; `options` are separated by commas. */
const questionFields = (index: number) =>
  ({
    [`label${index}`]: { kind: 'line', label: `Question ${index + 1}`, optional: true },
    [`kind${index}`]: {
      kind: 'choice',
      label: 'Kind',
      choices: questionKinds,
      message: 'Choose a kind',
      default: 'short',
    },
    [`required${index}`]: isRequired,
    [`options${index}`]: { kind: 'line', label: 'Choices, separated by commas', max: 1000, optional: true },
  }) as Fields
/** The form of a type's booking rules, with `questions` questions. */
export const typeFormFields = (questions: number): Fields => ({
  ...appointmentTypeFields,
  durations: { kind: 'line', label: 'Durations in minutes', max: 60, required: 'Enter a duration' },
  cost: { kind: 'choice', label: 'What it costs', choices: costs, message: 'Choose what it costs' },
  reminderMinutes: { kind: 'line', label: 'Reminders before it', max: 100, optional: true },
  ...Object.assign({}, ...Array.from({ length: questions }, (_, index) => questionFields(index))),
})
export type Cost = keyof typeof costs
export type LocationKind = keyof typeof locationKinds
export type Visibility = keyof typeof visibilities
export type FollowUp = keyof typeof followUps
export type Confirmation = keyof typeof confirmations
export type TypePayment = keyof typeof payments
export type RefundRule = keyof typeof refundRules
export type NewVisitor = keyof typeof newVisitors
