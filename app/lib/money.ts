/** The largest amount that is accepted: $99,999,999.99. */
export const maxCents = 9_999_999_999

/** "$1,234.50" from cents. `never` is for headlines: "$1,235"; `needed` omits ".00". */
export function formatCents(
  amount: number,
  { cents: mode = 'always' }: { cents?: 'always' | 'never' | 'needed' } = {},
): string {
  const cents = amount % 100
  // Format dollars and cents separately: large sums are inexact as floating point dollars.
  const whole = (amount - cents) / 100 + (mode === 'never' && cents >= 50 ? 1 : 0)
  const dollars = `$${dollarFormat.format(whole)}`
  return mode === 'never' || (mode === 'needed' && cents === 0)
    ? dollars
    : `${dollars}.${String(cents).padStart(2, '0')}`
}

const dollarFormat = new Intl.NumberFormat('en-US')

/** "150.00" from cents, as form fields have it. */
export function centsToDecimal(amount: number): string {
  return `${Math.trunc(amount / 100)}.${String(amount % 100).padStart(2, '0')}`
}

/** Cents from decimal dollars ("150.00" → 15000), or null if `text` doesn't match `pattern`. Avoids floating point. */
export function decimalToCents(text: string, pattern: RegExp): number | null {
  if (!pattern.test(text)) return null
  const [dollars = '', cents = ''] = text.split('.')
  return Number(dollars) * 100 + Number(cents.padEnd(2, '0'))
}
