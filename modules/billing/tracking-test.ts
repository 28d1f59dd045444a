import { AppError } from '#app/lib/errors.ts'
import { dollars } from '#app/lib/zod-types.ts'

/** The public purchase tracker keeps its purchases in the URL and saves nothing. Source: part-2 §2. */
export const sampleClient = 'Sample Client'
export const sampleProducts = [
  { id: 1, name: 'Discovery Session', price: '90.00' },
  { id: 2, name: 'Coaching Package, 6 sessions', price: '960.00' },
  { id: 3, name: 'Monthly Retainer', price: '420.00' },
]
/** `amount`: cents. */
export type TrackedPurchase = { productId: number; amount: number }

const maxPurchases = 50

/** Reads '2x96000_1x9000', latest first, and leaves out what is invalid. */
export function parseTrackedPurchases(param: string | null): TrackedPurchase[] {
  return (param ?? '')
    .split('_')
    .slice(0, maxPurchases)
    .flatMap((text) => {
      const [, productId, amount] = /^(\d)x(\d{1,10})$/.exec(text) ?? []
      const isValid = sampleProducts.some(({ id }) => String(id) === productId) && Number(amount) > 0
      return isValid ? [{ productId: Number(productId), amount: Number(amount) }] : []
    })
}

export function trackerHref(purchases: TrackedPurchase[]): string {
  const param = purchases.slice(0, maxPurchases).map(({ productId, amount }) => `${productId}x${amount}`)
  return param.length ? `/test-purchase?purchases=${param.join('_')}` : '/test-purchase'
}

/** Reads the tracker's form. Throws validation_failed. Source: part-1 §5. */
export function parseTrackedPurchase({ productId, amount }: { productId: string; amount: string }): TrackedPurchase {
  const product = sampleProducts.find(({ id }) => String(id) === productId)
  if (!product || amount.trim() === '') throw incompleteError()
  const cents = dollars().safeParse(amount)
  // Only a positive number gets the message about its digits.
  if (cents.success ? cents.data <= 0 : !(Number(amount) > 0)) throw incompleteError()
  if (!cents.success) throw new AppError('validation_failed', cents.error.issues[0]!.message, { field: 'amount' })
  return { productId: product.id, amount: cents.data }
}

const incompleteError = () => new AppError('validation_failed', 'Please select a product and enter an amount')
