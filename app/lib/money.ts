import { isWholeCurrency } from './currencies.ts'

/** The largest amount that is accepted: $99,999,999.99. */
export const maxCents = 9_999_999_999

type CentsMode = { cents?: 'always' | 'never' | 'needed' }

/** "$1,234.50" or "−$1,234.50" from cents. `never` is for headlines: "$1,235"; `needed` omits ".00". */
export const formatCents = (amount: number, options?: CentsMode): string => formatMoney(amount, 'usd', options)

/** Hundredths of a currency: "€1,234.50", "¥1,500", "CHF 20.00". A currency without a smaller unit is rounded. */
export function formatMoney(amount: number, currency: string, { cents: mode = 'always' }: CentsMode = {}): string {
  const cents = Math.abs(amount) % 100
  const isWhole = mode === 'never' || isWholeCurrency(currency)
  // Format the parts separately: large sums are inexact as floating point.
  const whole = (Math.abs(amount) - cents) / 100 + (isWhole && cents >= 50 ? 1 : 0)
  const text = `${amount < 0 ? '−' : ''}${getSymbol(currency)}${wholeFormat.format(whole)}`
  return isWhole || (mode === 'needed' && cents === 0) ? text : `${text}.${String(cents).padStart(2, '0')}`
}

const wholeFormat = new Intl.NumberFormat('en-US')
const symbols = new Map<string, string>()

/** '$', '€', 'CHF ' with a no-break space: the part before an amount. */
function getSymbol(currency: string): string {
  const known = symbols.get(currency)
  if (known !== undefined) return known
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  const symbol = format.format(0).replace(/0.*$/, '')
  symbols.set(currency, symbol)
  return symbol
}

/** "150.00" from cents, as form fields have it. */
export function centsToDecimal(amount: number): string {
  const cents = Math.abs(amount)
  return `${amount < 0 ? '-' : ''}${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}

/** "150.00", or "1500" in a currency without a smaller unit: an amount as a form field has it. */
export const formatInput = (amount: number, currency: string): string =>
  isWholeCurrency(currency) && amount % 100 === 0 ? String(amount / 100) : centsToDecimal(amount)

/** `formatInput` for the amounts of a form. */
export const inputFormat =
  (currency: string) =>
  (amount: number): string =>
    formatInput(amount, currency)

/** Cents from decimal dollars ("150.00" → 15000), or null if `text` doesn't match `pattern`. Avoids floating point. */
export function decimalToCents(text: string, pattern: RegExp): number | null {
  if (!pattern.test(text)) return null
  const [dollars = '', cents = ''] = text.split('.')
  return Number(dollars) * 100 + Number(cents.padEnd(2, '0'))
}

/** An amount as people type it, with or without cents ("1,620", "$12.50"), in cents; null for anything else. */
export const parseDollars = (text: string): number | null =>
  decimalToCents(stripGrouping(text.trim().replace(/^\$\s?/, '')), /^\d+(\.\d{1,2})?$/)

/**
 * "1,620.00" → "1620.00". Leaves other commas, so that "12,50" (a decimal comma) is rejected and never read as 1,250.
 */
function stripGrouping(text: string): string {
  return /^\d{1,3}(,\d{3})+(\.|$)/.test(text) ? text.replaceAll(',', '') : text
}
