import { isPayable } from '#app/lib/currencies.ts'
import { parseDollars } from '#app/lib/money.ts'
import { maxInvoiceLines } from './fields.ts'
import { computeTotals, type Totals } from './totals.ts'

// The lines of an invoice as a form has them: one flat name for each input, `price7` is the unit price of row 7. A row
// keeps its number: a removed one leaves a gap.

/** The texts of a row. `source`: where it comes from, `product-3` or `session-8`. */
export type LineTexts = { description: string; quantity: string; price: string; tax: string; source: string }
export const lineInputs = ['description', 'quantity', 'price', 'tax', 'source'] as const
export type LineInput = (typeof lineInputs)[number]

export const lineName = (input: LineInput, row: number): string =>
  input === 'description' ? `line${row}` : input + row

type FormTexts = Readonly<Record<string, unknown>>
const text = (form: FormTexts, name: string): string => {
  const value = form[name]
  return typeof value === 'string' ? value.trim() : ''
}

/** The numbers of the rows in a form, in ascending order. */
export function listRows(form: FormTexts): number[] {
  return Object.keys(form)
    .flatMap((name) => /^line(\d{1,4})$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)
}

export const readLine = (form: FormTexts, row: number): LineTexts =>
  Object.fromEntries(lineInputs.map((input) => [input, text(form, lineName(input, row))])) as LineTexts

/** A row that nobody filled in: it has at most a quantity and a tax rate. */
export const isBlankLine = ({ description, price }: LineTexts): boolean => !description && !price

/** The rows that are filled in, as a text to compare. */
export const describeLines = (form: FormTexts): string =>
  JSON.stringify(
    listRows(form)
      .map((row) => readLine(form, row))
      .filter((line) => !isBlankLine(line))
      .map((line) => lineInputs.map((input) => line[input])),
  )

/** The inputs of `lines`, as rows from 0. */
export const toLineInputs = (lines: LineTexts[]): Record<string, string> =>
  Object.fromEntries(lines.flatMap((line, row) => lineInputs.map((input) => [lineName(input, row), line[input]])))

/** 'product-3' as its id; null for another source. */
export function readSource(source: string, kind: 'product' | 'session'): number | null {
  const [, found, id] = /^(product|session)-(\d{1,15})$/.exec(source) ?? []
  return found === kind ? Number(id) : null
}

/** A decimal text with at most so many decimals, not more than `max`. */
const isDecimal = (value: string, decimals: number, max: number): boolean =>
  new RegExp(`^\\d{1,5}(\\.\\d{1,${decimals}})?$`).test(value) && Number(value) <= max
export const isPercent = (value: string): boolean => isDecimal(value, 3, 100)
export const isQuantity = (value: string): boolean => isDecimal(value, 2, 99_999.99) && Number(value) > 0

/** The percent of '12.5%'; null for another text. */
export const readShare = (value: string): string | null => /^(.+?)\s?%$/.exec(value.trim())?.[1] ?? null

/** The amount of each row, and the totals of all rows that are complete. `incomplete`: whether others are filled in. */
export type Preview = { totals: Totals; amounts: Map<number, number>; incomplete: boolean }

/** The totals that the server will store, of the rows and the discount that are valid. */
export function previewTotals(form: FormTexts, currency: string): Preview {
  const filled = listRows(form)
    .map((row) => ({ row, ...readLine(form, row) }))
    .filter((line) => !isBlankLine(line))
  const valid = filled.flatMap(({ row, quantity, price, tax }) => {
    const unitPrice = parseDollars(price)
    return unitPrice !== null && isPayable(unitPrice, currency) && isQuantity(quantity) && isPercent(tax)
      ? [{ row, quantity, unitPrice, taxRate: tax }]
      : []
  })
  const lines = valid.slice(0, maxInvoiceLines)
  const totals = computeTotals({
    lines,
    ...readDiscount(form),
    pricesIncludeTax: form.taxMode === 'included',
    currency,
  })
  return {
    totals,
    amounts: new Map(lines.map(({ row }, index) => [row, totals.amounts[index]!])),
    incomplete: lines.length < filled.length,
  }
}

function readDiscount(form: FormTexts): { discountPercent: string } | { discountAmount: number | null } {
  const discount = text(form, 'discount')
  const share = readShare(discount)
  if (share === null) return { discountAmount: parseDollars(discount) }
  return isPercent(share) ? { discountPercent: share } : { discountAmount: null }
}
