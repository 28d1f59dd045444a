const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** '$2,160.00' for 216000 cents. */
export function usd(cents: number): string {
  return dollars.format(cents / 100)
}
