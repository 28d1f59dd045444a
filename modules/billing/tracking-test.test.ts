import { expect, test } from 'vitest'
import { AppError } from '#app/lib/errors.ts'
import { parseTrackedPurchase } from './tracking-test.ts'

const sentence = (productId: string, amount: string): string | null => {
  try {
    parseTrackedPurchase({ productId, amount })
    return null
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.message
  }
}

test('without a product or with an amount of 0 the tracker asks for both', () => {
  for (const [productId, amount] of [
    ['', '5'],
    ['9', '5'],
    ['1', ''],
    ['1', ' '],
    ['1', '0'],
    ['1', '0.00'],
    ['1', '-5'],
    ['1', '-0.001'],
    ['1', 'abc'],
    ['1', 'NaN'],
  ] as const) {
    expect([amount, sentence(productId, amount)]).toEqual([amount, 'Please select a product and enter an amount'])
  }
  expect(sentence('1', '400.5')).toBeNull()
  expect(sentence('1', '1.005')).not.toBeNull()
  expect(sentence('1', '1.005')).not.toBe('Please select a product and enter an amount')
})
