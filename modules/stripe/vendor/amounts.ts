// Stripe counts in the smallest unit of a currency. Our books count hundredths, whichever the currency (decision 0056).

/** Currencies without a smaller unit at Stripe. */
const zeroDecimal = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))
/** Currencies of a thousand parts. Stripe takes multiples of ten. */
const threeDecimal = new Set('bhd jod kwd omr tnd'.split(' '))

/** The least that Stripe takes in one payment, in hundredths of the currencies for which it names an amount. */
const minimums: [number, string][] = [
  [30, 'gbp'],
  [50, 'usd aud brl cad chf eur inr nzd sgd'],
  [200, 'aed myr pln ron'],
  [250, 'dkk'],
  [300, 'nok sek'],
  [400, 'hkd'],
  [1_000, 'mxn thb'],
  [1_500, 'czk'],
  [5_000, 'jpy'],
  [17_500, 'huf'],
]
const minimumByCurrency = new Map(
  minimums.flatMap(([least, some]) => some.split(' ').map((one) => [one, least] as const)),
)

/** Whether Stripe takes so little in one payment. */
export const isChargeable = (hundredths: number, currency: string): boolean =>
  hundredths >= (minimumByCurrency.get(currency) ?? 1)

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
