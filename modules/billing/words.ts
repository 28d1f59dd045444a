import type { BillingFrequency, PaymentMethod, PaymentType, PurchaseStatus } from './forms.ts'

// The words that screens use for what is stored.

export const paymentTypeWords: Record<PaymentType, string> = { one_time: 'One-time', installment: 'Installments', recurring: 'Recurring' }
export const frequencyWords: Record<BillingFrequency, string> = { monthly: 'Monthly', weekly: 'Weekly' }
export const methodWords: Record<PaymentMethod, string> = {
  cash: 'Cash',
  credit_card: 'Credit card',
  bank_transfer: 'Bank transfer',
  paypal: 'PayPal',
  stripe: 'Stripe',
  manual: 'Manual',
  other: 'Other',
}
/** A method's words within a sentence: names keep their capitals. */
export const insideSentence = (words: string): string => (['PayPal', 'Stripe'].includes(words) ? words : words.toLowerCase())
/** The methods that a form offers for a new purchase; `manual` is what other screens record. */
export const newMethodChoices = (['cash', 'credit_card', 'bank_transfer', 'paypal', 'stripe', 'other'] as const).map((value) => ({ value, label: methodWords[value] }))
export const methodChoices = (Object.keys(methodWords) as PaymentMethod[]).map((value) => ({ value, label: methodWords[value] }))
export const statusWords: Record<PurchaseStatus, string> = { completed: 'Completed', pending: 'Pending', failed: 'Failed', refunded: 'Refunded', cancelled: 'Cancelled' }
export const newStatusChoices = (['completed', 'pending', 'failed', 'refunded'] as const).map((value) => ({ value, label: statusWords[value] }))
export const statusChoices = (Object.keys(statusWords) as PurchaseStatus[]).map((value) => ({ value, label: statusWords[value] }))

/** '6 monthly installments of $600.00', 'Weekly', 'One-time'. A price that doesn't divide evenly has no one part to name. */
export function termsOf(product: { price: string; paymentType: PaymentType; billingFrequency: BillingFrequency | null; installmentCount: number | null }): string {
  const { price, paymentType, billingFrequency, installmentCount } = product
  if (paymentType === 'one_time' || !billingFrequency) return paymentTypeWords.one_time
  if (paymentType === 'recurring') return frequencyWords[billingFrequency]
  const count = installmentCount ?? 1
  if (count === 1) return `1 ${billingFrequency} installment`
  const part = Number(price.replace('.', '')) / count
  const each = `${Math.trunc(part / 100)}.${String(part % 100).padStart(2, '0')}`
  return `${count} ${billingFrequency} installments${Number.isInteger(part) ? ` of ${priceWords(each)}` : ''}`
}

/** "$1,620.00" of a price text. */
export function priceWords(price: string): string {
  const [whole = '0', part = '00'] = price.split('.')
  return `$${Number(whole).toLocaleString('en-US')}.${part}`
}

/** 'March 2026' of '2026-03'. */
export function monthWords(month: string): string {
  return new Date(`${month}-01T12:00:00Z`).toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
}
