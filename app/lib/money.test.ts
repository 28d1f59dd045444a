import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cents, centsAsDecimal, dollars, price } from './money.ts'

const amounts = fc.integer({ min: 0, max: 9_999_999_999 })

describe('an amount', () => {
  test('is the same in cents and in dollars, whatever it is', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(cents().parse(amount)).toBe(amount)
        expect(cents().parse(centsAsDecimal(amount))).toBe(amount)
        expect(dollars().parse(centsAsDecimal(amount))).toBe(amount)
      }),
    )
  })

  test.each([0.5, 150.25, -1, 1e12, Number.NaN, '150', '', ' ', '-1.00', '1.234', '1e3', '١٥٠.٠٠', '10000000000.00', true, null, [], {}])(
    'refuses %j, because its unit or its size can not be known',
    (value) => {
      expect(cents().safeParse(value).success).toBe(false)
    },
  )

  test('says that it is missing', () => {
    expect(cents('Amount is required').safeParse(undefined).error?.issues[0]?.message).toBe('Amount is required')
    expect(cents('Amount is required').safeParse('').error?.issues[0]?.message).toBe('Amount is required')
  })
})

describe('a price', () => {
  test.each([
    [150, '150.00'],
    ['150', '150.00'],
    [19.9, '19.90'],
    ['0', '0.00'],
    ['007.5', '7.50'],
    ['99999999.99', '99999999.99'],
    [0.1, '0.10'],
  ])('%j is kept as %s', (sent, kept) => {
    expect(price().parse(sent)).toBe(kept)
  })

  test.each([-1, 1.234, '1,5', 'free', 100_000_000, 1e21, Number.NaN, true, {}])('refuses %j', (value) => {
    expect(price().safeParse(value).success).toBe(false)
  })

  test('says that it is missing', () => {
    for (const missing of [undefined, null, '', ' ']) expect(price().safeParse(missing).error?.issues[0]?.message).toBe('Price is required')
  })
})
