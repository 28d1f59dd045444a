import { z } from 'zod'

// Everything but tab and line feed below space, DEL and the C1 controls.
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/
const length = (value: string): number => [...value].length

const clean = z.string('Enter some text').superRefine((value, ctx) => {
  if (!value.isWellFormed()) ctx.addIssue({ code: 'custom', message: 'This text has a broken character' })
  else if (control.test(value)) ctx.addIssue({ code: 'custom', message: 'This text has a control character' })
})

const atMost = (max: number) => (value: string) => length(value) <= max
const tooLong = (max: number) => ({ message: `Use at most ${max.toLocaleString('en-US')} characters` })

/** One line, trimmed at both ends, of at most `max` code points. */
export const line = (max = 255) =>
  clean
    .transform((value) => value.trim())
    .refine((value) => !value.includes('\n') && !value.includes('\t'), 'Use a single line')
    .refine(atMost(max), tooLong(max))
    .meta({ maxLength: max })

/** One line that must not be blank; `message` says so. */
export const requiredLine = (message: string, max = 255) =>
  z.preprocess(
    (value) => value ?? '',
    line(max).refine((value) => value !== '', message),
  )

/** Free text of at most `max` code points, kept as it is. */
export const text = (max = 50_000) => clean.refine(atMost(max), tooLong(max)).meta({ maxLength: max })

/** An e-mail address as people write them, at most 254 code points, trimmed. */
export const email = (required = 'Email is required') =>
  z.preprocess(
    (value) => value ?? '',
    clean
      .transform((value) => value.trim())
      .refine((value) => value !== '', required)
      .refine(
        (value) => value === '' || /^[^\s@<>(),;:"[\]\\]+@[^\s@<>(),;:"[\]\\]+\.[^\s@.<>(),;:"[\]\\]+$/u.test(value),
        'Enter a valid email address',
      )
      .refine(atMost(254), tooLong(254))
      .meta({ format: 'email', maxLength: 254 }),
  )

/** Left out, null, or blank: null. Otherwise what `schema` makes of it. */
export const optional = <S extends z.ZodType>(schema: S) =>
  z.preprocess(
    (value) =>
      value === undefined || value === null || (typeof value === 'string' && value.trim() === '') ? null : value,
    schema.nullable(),
  )

/** ISO 8601 as zod knows it, seconds and minutes of the offset written out: '2026-03-10T10:00Z' and '…+02' say the same. */
const writtenOut = (value: unknown): unknown =>
  typeof value !== 'string'
    ? value
    : value
        .replace(/T(\d\d:\d\d)(?=[Z+-])/, 'T$1:00')
        .replace(/(T.*[+-]\d\d)(?::?(\d\d))?$/, (_, head: string, minutes = '00') => `${head}:${minutes}`)

/** An instant with `Z` or an offset, from 1900 to 2200; what isn't there is refused with `required`. */
export const instant = (required?: string) =>
  z.preprocess(
    (value) => writtenOut(value ?? (required === undefined ? value : '')),
    z.iso
      .datetime({
        offset: true,
        error: ({ input }) => (input === '' && required !== undefined ? required : 'Send a time with Z or an offset'),
      })
      .transform((value) => new Date(value))
      .refine(
        (value) => value.getUTCFullYear() >= 1900 && value.getUTCFullYear() <= 2200,
        'Use a date from 1900 to 2200',
      ),
  )

/** A time zone that this platform knows by its IANA name. */
export const timezone = () => line().refine(isTimezone, 'Choose a time zone from the list')

export function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    // Offsets such as +02:00 are accepted by Intl, but are no zone.
    return /^[A-Za-z]/.test(name)
  } catch {
    return false
  }
}
