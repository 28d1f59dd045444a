import { z } from 'zod'
import { decimalToCents, maxCents, parseDollars } from './money.ts'
import { maxTagLength, maxTags, parseTags, withoutRepeats } from './tags.ts'
import { parseId } from './url.ts'

// The types of values in forms and in the API. Server only: zod stays out of the browser.

// Control characters, except tab and line feed.
const controlCharacter = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/

const cleanText = z.string('Enter some text').superRefine((value, ctx) => {
  if (!value.isWellFormed() || controlCharacter.test(value))
    ctx.addIssue({ code: 'custom', message: 'This text contains an unsupported character' })
})

// A string has one or two units for each code point: count only when that decides.
const isAtMost = (max: number) => (value: string) =>
  value.length <= max || (value.length <= 2 * max && [...value].length <= max)
const tooLong = (max: number) => ({ message: `Use at most ${max.toLocaleString('en-US')} characters` })

/** One line, trimmed, of at most `max` code points. */
export const singleLine = (max = 255) =>
  cleanText
    .transform((value) => value.trim())
    .refine((value) => !value.includes('\n') && !value.includes('\t'), 'Use a single line')
    .refine(isAtMost(max), tooLong(max))
    .meta({ maxLength: max })

/** One line that must not be blank. `required` is the message if it is. */
export const requiredLine = (required: string, max = 255) =>
  z.preprocess(
    (value) => value ?? '',
    singleLine(max).refine((value) => value !== '', required),
  )

/** Text of at most `max` code points, stored unchanged. */
export const multiLine = (max = 50_000) => cleanText.refine(isAtMost(max), tooLong(max)).meta({ maxLength: max })

/** Text that must not be blank, without the space around it. `required` is the message if it is. */
export const requiredText = (required: string, max = 50_000) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? value.replaceAll('\r\n', '\n').trim() : (value ?? '')),
    multiLine(max).refine((value) => value !== '', required),
  )

/** An e-mail address of at most 254 code points, trimmed. */
export const email = (required = 'Email is required') =>
  z.preprocess(
    (value) => value ?? '',
    cleanText
      .transform((value) => value.trim())
      .refine((value) => value !== '', required)
      .refine(
        (value) => value === '' || /^[^\s@<>(),;:"[\]\\]+@[^\s@<>(),;:"[\]\\]+\.[^\s@.<>(),;:"[\]\\]+$/u.test(value),
        'Enter a valid email address',
      )
      .refine(isAtMost(254), tooLong(254))
      .meta({ format: 'email', maxLength: 254 }),
  )

/** Null if the value is missing, null or blank, otherwise the output of `schema`. */
export const emptyAsNull = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (isEmpty(value) ? null : value), schema.nullable())

/** 0 if the value is missing, null or blank, otherwise the output of `schema`. */
export const emptyAsZero = <S extends z.ZodType<number>>(schema: S) =>
  z.preprocess((value) => (isEmpty(value) ? 0 : value), schema)

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

/** One tag. */
export const tag = () => singleLine(maxTagLength).refine((value) => !value.includes(','), 'A tag can’t have a comma')

/** Tags, each once. */
export const tags = () =>
  z
    .array(tag(), 'Send a list of tags')
    .transform(withoutRepeats)
    .refine((list) => list.length <= maxTags, `Use at most ${maxTags} tags`)
    .meta({ maxItems: maxTags })

/** Tags in a form, separated by commas. */
export const tagsText = () => singleLine(5000).transform(parseTags).pipe(tags())

/** One of `values`. */
export const choice = <const V extends readonly [string, ...string[]]>(values: V) =>
  z.enum(values, `Choose one of ${values.join(', ')}`)

/** An integer from 0 to `max`. */
export const wholeNumber = (max: number) => {
  const message = `Enter a whole number from 0 to ${max.toLocaleString('en-US')}`
  return z
    .number(message)
    .refine((value) => Number.isInteger(value) && value >= 0 && value <= max, message)
    .meta({ type: 'integer', minimum: 0, maximum: max })
}

/** The id of a record in JSON. */
export const id = (message: string) => z.int(message).positive(message)

/** The id of a record in a form. `required` is the message if it is missing or malformed. */
export const formId = (required: string) => z.preprocess((value) => parseId(value) || undefined, z.int(required))

/** The id of a record in a form, or null if it is missing or malformed. */
export const optionalFormId = () => z.preprocess((value) => parseId(value) || null, z.int().nullable())

/** The version of the record that a form was opened with. A malformed one is 0, which no record has. */
export const version = () => z.preprocess(parseId, z.int())

/** A calendar date in a form ('2026-03-14'), from `min` to `max`. */
export const date = ({ required = 'Date is required', min = '1900-01-01', max = '2200-12-31' } = {}) =>
  z.preprocess(
    (value) => value ?? '',
    z
      .string()
      .refine((value) => value !== '', required)
      .refine(
        (value) => value === '' || (z.iso.date().safeParse(value).success && value >= min && value <= max),
        'Use a date from 1900 to 2200',
      ),
  )

/** An instant with `Z` or an offset, from 1900 to 2200. `required` is the message if it is missing. */
export const isoInstant = (required?: string) =>
  z.preprocess(
    (value) => normalizeIso(value ?? (required === undefined ? value : '')),
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

const maxInstantLength = 40

/**
 * Adds the seconds and the minutes of the offset that zod requires: '2026-03-10T10:00Z' and '…+02' are valid ISO 8601
 * too. Leaves longer texts alone: on them the pattern would take quadratic time.
 */
const normalizeIso = (value: unknown): unknown =>
  typeof value !== 'string' || value.length > maxInstantLength
    ? value
    : value
        .replace(/T(\d\d:\d\d)(?=[Z+-])/, 'T$1:00')
        .replace(/(T.*[+-]\d\d)(?::?(\d\d))?$/, (_, head: string, minutes = '00') => `${head}:${minutes}`)

const amountTooLarge = 'This amount is too large. The most is $99,999,999.99.'

/**
 * An amount of money in JSON; the output is cents. An integer is cents, a string with a decimal point is dollars
 * ("150.00" → 15000). Fractions and strings without a point are rejected, because their unit is ambiguous. Source:
 * api.md "Money".
 */
export const cents = (required = 'Amount is required') =>
  z
    .union([z.number(), z.string()], required)
    .transform((value, ctx) => {
      const amount = typeof value === 'number' ? toWholeCents(value) : decimalToCents(value, /^\d+\.\d{1,2}$/)
      if (amount !== null) return amount
      ctx.addIssue({ code: 'custom', message: describeInvalidAmount(value, required) })
      return z.NEVER
    })
    .refine((amount) => amount <= maxCents, amountTooLarge)

function describeInvalidAmount(value: number | string, required: string): string {
  if (typeof value === 'string' && value.trim() === '') return required
  if (Number(value) < 0) return 'Use an amount of 0 or more'
  return 'Send whole cents, or dollars with a decimal point such as "150.00"'
}

function toWholeCents(value: number): number | null {
  return Number.isSafeInteger(value) && value >= 0 ? value : null
}

/** An amount of money in a form: dollars, with or without cents. The output is cents. */
export const dollars = (required = 'Amount is required') =>
  z.preprocess(
    (value) => (typeof value === 'string' ? value.trim() : ''),
    z
      .string()
      .min(1, required)
      .transform((value, ctx) => {
        const amount = parseDollars(value)
        if (amount !== null) return amount
        ctx.addIssue({ code: 'custom', message: 'Enter an amount such as 150.00' })
        return z.NEVER
      })
      .refine((amount) => amount <= maxCents, amountTooLarge),
  )

/** A price in dollars: a number or a decimal string. The output is a string with two decimals ("150.00"). */
export const price = (required = 'Price is required') =>
  z.preprocess(
    (value) => (typeof value === 'number' ? String(value) : (value ?? '')),
    z
      .string('Enter a price such as 150.00')
      .transform((value) => value.trim())
      .refine((value) => value !== '', required)
      .refine(
        (value) => value === '' || /^\d{1,8}(\.\d{1,2})?$/.test(value),
        'Enter a price from 0 to 99,999,999.99 with at most two decimals',
      )
      .transform(toTwoDecimals),
  )

function toTwoDecimals(text: string): string {
  const [dollars = '0', cents = ''] = text.split('.')
  return `${dollars.replace(/^0+(?=\d)/, '')}.${cents.padEnd(2, '0')}`
}

/** Old names that browsers know, but Postgres doesn't, or as another zone. */
const legacyTimezones =
  /^(ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST)$|^(SystemV\/|US\/Pacific-New$|Canada\/East-Sask)/i

/** An IANA time zone that browsers and Postgres know. */
export const timezone = () => singleLine().refine(isTimezone, 'Choose a time zone from the list')

let canonicalTimezones: Set<string> | undefined

export function isTimezone(name: string): boolean {
  // Creating a format takes a hundred times as long.
  canonicalTimezones ??= new Set(Intl.supportedValuesOf('timeZone').filter((zone) => !legacyTimezones.test(zone)))
  if (canonicalTimezones.has(name)) return true
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    // Intl accepts offsets such as +02:00, which are not time zones.
    return /^[A-Za-z]/.test(name) && !legacyTimezones.test(name)
  } catch {
    return false
  }
}
