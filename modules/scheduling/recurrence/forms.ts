import { z } from 'zod'
import { date, emptyAsNull } from '#app/lib/zod-types.ts'
import { maxDate, minDate } from '../availability/hours.ts'
import { repeatChoices, scopes, type Scope } from '../fields.ts'
import { maxOccurrences, tooFewOccurrences, tooManyOccurrences, type Frequency } from './rule.ts'

/** Input of the API. */
export const Recurrence = z
  .object({
    unit: z.enum(['week', 'month'], 'Choose one of week, month'),
    interval: z.int('Enter a whole number').min(1, 'Enter at least 1').max(52, 'Enter at most 52').default(1),
    count: z
      .int('Enter a whole number')
      .min(2, tooFewOccurrences)
      .max(maxOccurrences, tooManyOccurrences)
      .optional()
      .describe('The number of appointments.'),
    weekdays: z
      .array(z.int().min(0).max(6))
      .max(7)
      .optional()
      .describe('Of a weekly series: the days besides that of the first appointment; 0 is Sunday.'),
    until: date({ min: minDate, max: maxDate }).optional().describe('The last possible date.'),
  })
  .refine(({ count, until }) => (count === undefined) !== (until === undefined), {
    path: ['until'],
    error: 'Send either count or until',
  })
  .refine(({ unit, weekdays = [] }) => unit === 'week' || !weekdays.length, {
    path: ['weekdays'],
    error: 'Only a weekly series has weekdays',
  })

/** Which sessions of a series a change is for: this one, this and the later ones, or all that are to come. */
export const scope = z
  .enum(Object.keys(scopes) as [Scope, ...Scope[]], 'Choose one of this, following, all')
  .default('this')
export const ScopeParams = z.object({
  scope: scope.describe('Of a series: only this one, this and the following ones, or all that are to come.'),
})

/** '' for never, or 'week-2'. */
export const repeat = z
  .preprocess(
    (value) => value || null,
    z.enum(Object.keys(repeatChoices) as [string, ...string[]], 'Choose how often').nullable(),
  )
  .transform((value) => {
    const [unit, interval] = value?.split('-') ?? []
    return unit ? { unit: unit as Frequency['unit'], interval: Number(interval) } : null
  })
/** The checkboxes of a weekly series. */
export const repeatWeekdays = z.preprocess(
  (value) => (value === undefined ? [] : [value].flat()).map(Number),
  z.array(z.int().min(0).max(6)).max(7),
)

export const repeatCount = emptyAsNull(
  z.preprocess(
    (value) => Number(value),
    z.int(tooManyOccurrences).min(2, tooFewOccurrences).max(maxOccurrences, tooManyOccurrences),
  ),
)
export const oneEndOnly = 'Enter either a number or a date'
