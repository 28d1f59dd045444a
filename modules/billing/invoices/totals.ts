import { isWholeCurrency } from '#app/lib/currencies.ts'

/** The input of an invoice's amounts. Money in cents; percents and quantities as decimal texts. */
export type TotalsInput = {
  lines: { quantity: string; unitPrice: number; taxRate: string }[]
  /** Percent of the subtotal, such as '10' or '12.5'. */
  discountPercent?: string | null
  discountAmount?: number | null
  pricesIncludeTax: boolean
  /** USD unless given. In a currency without a smaller unit all amounts are whole. */
  currency?: string
}

/** `net`: without tax. The rates in descending order. */
export type TaxLine = { rate: string; net: number; tax: number }

export type Totals = {
  /** Quantity times unit price of each line. */
  amounts: number[]
  subtotal: number
  discount: number
  taxes: TaxLine[]
  /** The part without tax. */
  untaxed: number
  tax: number
  total: number
}

/**
 * The amounts of an invoice in whole cents. Each line, the discount and the tax of each rate are rounded half up, once.
 * The discount is spread over the rates in proportion, to the cent. A discount is never more than the subtotal.
 */
export function computeTotals({ currency = 'usd', ...input }: TotalsInput): Totals {
  if (!isWholeCurrency(currency)) return computeInUnits(input)
  const toUnits = (amount: number) => Math.round(amount / 100)
  const totals = computeInUnits({
    ...input,
    lines: input.lines.map((line) => ({ ...line, unitPrice: toUnits(line.unitPrice) })),
    discountAmount: input.discountAmount == null ? null : toUnits(input.discountAmount),
  })
  return {
    amounts: totals.amounts.map((amount) => amount * 100),
    subtotal: totals.subtotal * 100,
    discount: totals.discount * 100,
    taxes: totals.taxes.map(({ rate, net, tax }) => ({ rate, net: net * 100, tax: tax * 100 })),
    untaxed: totals.untaxed * 100,
    tax: totals.tax * 100,
    total: totals.total * 100,
  }
}

/** The same with all amounts in the smallest unit of the currency. */
function computeInUnits({
  lines,
  discountPercent,
  discountAmount,
  pricesIncludeTax,
}: Omit<TotalsInput, 'currency'>): Totals {
  const amounts = lines.map(({ quantity, unitPrice }) => divide(parseDecimal(quantity, 2) * BigInt(unitPrice), 100n))
  const subtotal = sum(amounts)
  const wanted =
    discountPercent == null
      ? BigInt(discountAmount ?? 0)
      : divide(subtotal * parseDecimal(discountPercent, 3), 100n * 1000n)
  const discount = wanted > subtotal ? subtotal : wanted

  const bases = new Map<bigint, bigint>()
  for (const [index, { taxRate }] of lines.entries()) {
    const rate = parseDecimal(taxRate, 3)
    bases.set(rate, (bases.get(rate) ?? 0n) + amounts[index]!)
  }
  const rates = [...bases.keys()].sort((a, b) => Number(b - a))
  const discounts = spread(
    discount,
    rates.map((rate) => bases.get(rate)!),
  )
  const taxes = rates.map((rate, index) => {
    const base = bases.get(rate)! - discounts[index]!
    const tax = divide(base * rate, pricesIncludeTax ? 100_000n + rate : 100_000n)
    return { rate: formatRate(rate), net: Number(pricesIncludeTax ? base - tax : base), tax: Number(tax) }
  })
  const tax = taxes.reduce((total, line) => total + line.tax, 0)
  const net = taxes.reduce((total, line) => total + line.net, 0)
  return {
    amounts: amounts.map(Number),
    subtotal: Number(subtotal),
    discount: Number(discount),
    taxes: taxes.filter(({ rate }) => rate !== '0'),
    untaxed: taxes.find(({ rate }) => rate === '0')?.net ?? 0,
    tax,
    total: net + tax,
  }
}

/**
 * `parts` amounts that add up to `total` exactly: all the same, and the cents that remain are in the first one. Source:
 * integrations.md "Instalments".
 */
export function splitEvenly(total: number, parts: number): number[] {
  const each = Math.floor(total / parts)
  return Array.from({ length: parts }, (_, index) => (index ? each : total - each * (parts - 1)))
}

/** Shares of `total` in proportion to `weights`; the cents that remain go to the largest remainders. */
export function spread(total: bigint, weights: bigint[]): bigint[] {
  const all = sum(weights)
  if (all === 0n) return weights.map(() => 0n)
  const shares = weights.map((weight) => (total * weight) / all)
  const byRemainder = weights
    .map((weight, index) => ({ index, remainder: (total * weight) % all }))
    .sort((a, b) => Number(b.remainder - a.remainder) || a.index - b.index)
  for (let left = Number(total - sum(shares)), next = 0; left > 0; left--, next++)
    shares[byRemainder[next]!.index]! += 1n
  return shares
}

/** Half up. Both are 0 or more. */
const divide = (amount: bigint, by: bigint): bigint => (2n * amount + by) / (2n * by)

const sum = (amounts: bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

/** '12.5' with 3 decimals is 12500n. The text is checked already. */
function parseDecimal(text: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
}

/** 19000n is '19', 8875n is '8.875'. */
function formatRate(rate: bigint): string {
  const fraction = String(rate % 1000n)
    .padStart(3, '0')
    .replace(/0+$/, '')
  return `${rate / 1000n}${fraction && `.${fraction}`}`
}
