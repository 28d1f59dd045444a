import { AppError } from '#app/lib/errors.ts'
import { dollars } from '#app/lib/money.ts'

// The purchase tracker that anybody may try: what was recorded stands in the address, and nowhere else.

export const sampleClient = 'Sample Client'
export const sampleProducts = [
  { id: 1, name: 'Discovery Session', price: '90.00' },
  { id: 2, name: 'Coaching Package, 6 sessions', price: '960.00' },
  { id: 3, name: 'Monthly Retainer', price: '420.00' },
]
/** `amount` is cents. */
export type Tried = { product: number; amount: number }

const most = 50

/** Reads '2x96000_1x9000', latest first. What isn't known is left out. */
export function triedIn(address: string | null): Tried[] {
  return (address ?? '')
    .split('_')
    .slice(0, most)
    .flatMap((part) => {
      const [, product, amount] = /^(\d)x(\d{1,10})$/.exec(part) ?? []
      return sampleProducts.some(({ id }) => String(id) === product) && Number(amount) > 0
        ? [{ product: Number(product), amount: Number(amount) }]
        : []
    })
}

export function trackerAddress(tried: Tried[]): string {
  return tried.length
    ? `/test-purchase?tried=${tried
        .slice(0, most)
        .map(({ product, amount }) => `${product}x${amount}`)
        .join('_')}`
    : '/test-purchase'
}

/** What the form says was bought. Throws validation_failed. Source: part-1 §5. */
export function triedPurchase({ productId, amount }: { productId: string; amount: string }): Tried {
  const product = sampleProducts.find(({ id }) => String(id) === productId)
  if (!product || amount.trim() === '') throw incomplete()
  const read = dollars().safeParse(amount)
  // What is no number at all has nothing to say about its digits.
  if (read.success ? read.data <= 0 : !(Number(amount) > 0)) throw incomplete()
  if (!read.success) throw new AppError('validation_failed', read.error.issues[0]!.message, { field: 'amount' })
  return { product: product.id, amount: read.data }
}

const incomplete = () => new AppError('validation_failed', 'Please select a product and enter an amount')
