import { z } from 'zod'

/** The largest amount that is taken: $99,999,999.99. */
export const maxCents = 9_999_999_999
const tooLarge = 'This amount is too large. The most is $99,999,999.99.'

/**
 * An amount that is sent, in cents: an integer is cents, a text with a decimal point is dollars ("150.00" → 15000).
 * A fractional number or digits without a point are refused, because their unit can't be known. Source: api.md "Money".
 */
export const cents = (required = 'Amount is required') =>
  z
    .union([z.number(), z.string()], required)
    .transform((value, ctx) => {
      const amount = typeof value === 'number' ? wholeCents(value) : centsOf(value, /^\d+\.\d{1,2}$/)
      if (amount !== null) return amount
      const blank = typeof value === 'string' && value.trim() === ''
      ctx.addIssue({
        code: 'custom',
        message: blank ? required : 'Send whole cents, or dollars with a decimal point such as "150.00"',
      })
      return z.NEVER
    })
    .refine((amount) => amount <= maxCents, tooLarge)

/** An amount as a form sends it: dollars, with or without cents. */
export const dollars = (required = 'Amount is required') =>
  z.preprocess(
    (value) => (typeof value === 'string' ? value.trim() : ''),
    z
      .string()
      .min(1, required)
      .transform((value, ctx) => {
        const amount = centsOf(withoutGroups(value.replace(/^\$\s?/, '')), /^\d+(\.\d{1,2})?$/)
        if (amount !== null) return amount
        ctx.addIssue({ code: 'custom', message: 'Enter an amount such as 150.00' })
        return z.NEVER
      })
      .refine((amount) => amount <= maxCents, tooLarge),
  )

/** A price that is sent: a number or a numeric text with at most two decimals. Out: a text with two ("150.00"). */
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
      .transform(twoDecimals),
  )

/** "1,620.00" as "1620.00". A comma elsewhere stays and refuses the text: "12,50" is twelve and a half somewhere, never 1,250. */
function withoutGroups(text: string): string {
  return /^\d{1,3}(,\d{3})+(\.|$)/.test(text) ? text.replaceAll(',', '') : text
}

function wholeCents(value: number): number | null {
  return Number.isSafeInteger(value) && value >= 0 ? value : null
}

/** Never through a binary fraction: the digits before and after the point are two whole numbers. */
function centsOf(text: string, shape: RegExp): number | null {
  if (!shape.test(text)) return null
  const [whole = '', part = ''] = text.split('.')
  return Number(whole) * 100 + Number(part.padEnd(2, '0'))
}

function twoDecimals(text: string): string {
  const [whole = '0', part = ''] = text.split('.')
  return `${whole.replace(/^0+(?=\d)/, '')}.${part.padEnd(2, '0')}`
}

/** "$1,234.50" of cents. `never` for headlines: "$1,235"; `needed` leaves ".00" away. */
export function formatCents(
  amount: number,
  { cents: shown = 'always' }: { cents?: 'always' | 'never' | 'needed' } = {},
): string {
  const part = amount % 100
  // Whole dollars and cents apart: a sum of many amounts is too long for a binary fraction.
  const whole = (amount - part) / 100 + (shown === 'never' && part >= 50 ? 1 : 0)
  const dollars = `$${dollarsFormat.format(whole)}`
  return shown === 'never' || (shown === 'needed' && part === 0)
    ? dollars
    : `${dollars}.${String(part).padStart(2, '0')}`
}

const dollarsFormat = new Intl.NumberFormat('en-US')

/** "150.00" of cents, for a field. */
export function centsAsDecimal(amount: number): string {
  return `${Math.trunc(amount / 100)}.${String(amount % 100).padStart(2, '0')}`
}
