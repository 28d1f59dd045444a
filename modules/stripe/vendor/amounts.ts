// Stripe counts in the smallest unit of a currency. Our books count hundredths, whichever the currency (decision 0056).

/** Currencies without a smaller unit at Stripe. */
const zeroDecimal = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))
/** Currencies of a thousand parts. Stripe takes multiples of ten. */
const threeDecimal = new Set('bhd jod kwd omr tnd'.split(' '))

/** Throws RangeError for hundredths of a currency that has none. */
export function toMinorUnits(hundredths: number, currency: string): number {
  if (threeDecimal.has(currency)) return hundredths * 10
  if (!zeroDecimal.has(currency)) return hundredths
  if (hundredths % 100) throw new RangeError(`${currency} has no smaller unit`)
  return hundredths / 100
}

export function fromMinorUnits(amount: number, currency: string): number {
  if (threeDecimal.has(currency)) return Math.round(amount / 10)
  return zeroDecimal.has(currency) ? amount * 100 : amount
}
