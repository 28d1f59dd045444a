import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeTotals, splitEvenly } from './totals.ts'

const line = fc.record({
  quantity: fc.integer({ min: 1, max: 99_999 }).map((hundredths) => (hundredths / 100).toFixed(2)),
  unitPrice: fc.integer({ min: 0, max: 1_000_000 }),
  taxRate: fc.constantFrom('0', '7', '8.875', '19', '20'),
})
const invoice = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 20 }),
  discountPercent: fc.option(fc.integer({ min: 0, max: 100 }).map(String)),
  pricesIncludeTax: fc.boolean(),
})

test('the parts of an invoice add up to its total, to the cent', () => {
  fc.assert(
    fc.property(invoice, (input) => {
      const { amounts, subtotal, discount, taxes, tax, total } = computeTotals(input)
      expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(subtotal)
      expect(taxes.reduce((sum, one) => sum + one.tax, 0)).toBe(tax)
      expect(total).toBe(input.pricesIncludeTax ? subtotal - discount : subtotal - discount + tax)
      expect(discount).toBeLessThanOrEqual(subtotal)
    }),
  )
})

test('the tax of each rate is the rounded share of what is taxed at that rate', () => {
  fc.assert(
    fc.property(invoice, (input) => {
      for (const { rate, net, tax } of computeTotals(input).taxes) {
        const exact = input.pricesIncludeTax
          ? ((net + tax) * Number(rate)) / (100 + Number(rate))
          : (net * Number(rate)) / 100
        expect(Math.abs(tax - exact)).toBeLessThanOrEqual(0.5 + 1e-6)
      }
    }),
  )
})

test('tax is added to prices without tax, and contained in prices with tax', () => {
  const lines = [{ quantity: '12', unitPrice: 10_000, taxRate: '19' }]
  expect(computeTotals({ lines, pricesIncludeTax: false })).toMatchObject({
    subtotal: 120_000,
    tax: 22_800,
    total: 142_800,
  })
  expect(computeTotals({ lines, pricesIncludeTax: true })).toMatchObject({
    subtotal: 120_000,
    tax: 19_160,
    total: 120_000,
  })
})

test('a discount reduces each rate in proportion', () => {
  const lines = [
    { quantity: '1', unitPrice: 10_000, taxRate: '20' },
    { quantity: '1', unitPrice: 5000, taxRate: '0' },
  ]
  expect(computeTotals({ lines, discountAmount: 1500, pricesIncludeTax: false })).toMatchObject({
    discount: 1500,
    taxes: [{ rate: '20', net: 9000, tax: 1800 }],
    total: 15_300,
  })
  expect(computeTotals({ lines, discountAmount: 20_000, pricesIncludeTax: false })).toMatchObject({
    discount: 15_000,
    total: 0,
  })
})

test('installments add up to the price, and differ by cents in the first one only', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9_999_999_999 }), fc.integer({ min: 1, max: 1000 }), (total, parts) => {
      const [first = 0, ...others] = splitEvenly(total, parts)
      expect([first, ...others].reduce((sum, part) => sum + part, 0)).toBe(total)
      expect(new Set(others).size).toBeLessThanOrEqual(1)
      expect(first - (others[0] ?? first)).toBeLessThan(parts)
    }),
  )
})
