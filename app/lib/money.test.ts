import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cents, dollars, price } from './zod-types.ts'
import { centsToDecimal, formatCents } from './money.ts'

const amounts = fc.integer({ min: 0, max: 9_999_999_999 })

describe('an amount', () => {
  test('is the same in cents and in dollars', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(cents().parse(amount)).toBe(amount)
        expect(cents().parse(centsToDecimal(amount))).toBe(amount)
        expect(dollars().parse(centsToDecimal(amount))).toBe(amount)
      }),
    )
  })

  test('below zero has one sign, in front', () => {
    expect([formatCents(-15_050), formatCents(-50), centsToDecimal(-15_050)]).toEqual(['−$150.50', '−$0.50', '-150.50'])
  })

  test.each([
    0.5,
    150.25,
    -1,
    1e12,
    Number.NaN,
    '150',
    '',
    ' ',
    '-1.00',
    '1.234',
    '1e3',
    '١٥٠.٠٠',
    '10000000000.00',
    true,
    null,
    [],
    {},
  ])('rejects %j, because its unit or size is unknown', (value) => {
    expect(cents().safeParse(value).success).toBe(false)
  })

  test('is formatted exactly, however large, and parsed back', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (amount) => {
        const digits = String(amount).padStart(3, '0')
        expect(formatCents(amount).replaceAll(/[$,]/g, '')).toBe(`${digits.slice(0, -2)}.${digits.slice(-2)}`)
        expect(formatCents(amount, { cents: 'needed' })).toBe(formatCents(amount).replace(/\.00$/, ''))
      }),
    )
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(dollars().parse(formatCents(amount))).toBe(amount)
      }),
    )
    expect([49, 50, 150, 149].map((amount) => formatCents(amount, { cents: 'never' }))).toEqual([
      '$0',
      '$1',
      '$2',
      '$1',
    ])
  })

  test.each([
    ['1,620', 162_000],
    ['1,620.5', 162_050],
    ['$ 12', 1200],
    ['99,999,999.99', 9_999_999_999],
    ['0', 0],
  ])('of a form, %j is accepted', (typed, amount) => {
    expect(dollars().parse(typed)).toBe(amount)
  })

  test.each([
    '12,50',
    '1,62',
    '1.620,00',
    '16,20.00',
    '1,6200',
    ',5',
    '-5',
    '1e3',
    '0x10',
    '100,000,000.00',
    '½',
    ' ',
    '',
  ])('of a form, %j is rejected rather than guessed', (typed) => {
    expect(dollars().safeParse(typed).success).toBe(false)
  })

  test('of a form is exactly the number that was typed', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\$?[0-9,.]{1,14}$/), (typed) => {
        const read = dollars().safeParse(typed)
        if (read.success)
          expect(formatCents(read.data).replaceAll(/[$,]/g, '')).toBe(
            typed
              .replaceAll(/[$,]/g, '')
              .replace(/^0+(?=\d)/, '')
              .replace(/^(\d+)(\.\d?)?$/, (_, whole, part = '.') => `${whole}${part.padEnd(3, '0')}`),
          )
      }),
    )
  })

  test.each([
    [dollars(), ['100,000,000.00', '99999999999', '123456789012345678901234567890', '100000000.00']],
    [cents(), [10_000_000_000, '100000000.00', '123456789012345678901234567890.00']],
  ])('that is too large names the maximum', (amount, sent) => {
    for (const one of sent)
      expect(amount.safeParse(one).error?.issues.map(({ message }) => message)).toEqual([
        'This amount is too large. The most is $99,999,999.99.',
      ])
  })

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
  ])('%j becomes %s', (sent, kept) => {
    expect(price().parse(sent)).toBe(kept)
  })

  test.each([-1, 1.234, '1,5', 'free', 100_000_000, 1e21, Number.NaN, true, {}])('rejects %j', (value) => {
    expect(price().safeParse(value).success).toBe(false)
  })

  test('says that it is missing', () => {
    for (const missing of [undefined, null, '', ' '])
      expect(price().safeParse(missing).error?.issues[0]?.message).toBe('Price is required')
  })
})
