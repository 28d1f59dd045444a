/** The largest amount that is accepted: $99,999,999.99. */
export const maxCents = 9_999_999_999

/** "$1,234.50" or "−$1,234.50" from cents. `never` is for headlines: "$1,235"; `needed` omits ".00". */
export function formatCents(
  amount: number,
  { cents: mode = 'always' }: { cents?: 'always' | 'never' | 'needed' } = {},
): string {
  const cents = Math.abs(amount) % 100
  // Format dollars and cents separately: large sums are inexact as floating point dollars.
  const whole = (Math.abs(amount) - cents) / 100 + (mode === 'never' && cents >= 50 ? 1 : 0)
  const dollars = `${amount < 0 ? '−' : ''}$${dollarFormat.format(whole)}`
  return mode === 'never' || (mode === 'needed' && cents === 0)
    ? dollars
    : `${dollars}.${String(cents).padStart(2, '0')}`
}

const dollarFormat = new Intl.NumberFormat('en-US')

/** "150.00" from cents, as form fields have it. */
export function centsToDecimal(amount: number): string {
  const cents = Math.abs(amount)
  return `${amount < 0 ? '-' : ''}${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}

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
