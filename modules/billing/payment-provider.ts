import { defineHook } from '#modules/core/hooks.ts'

// Billing and the module that takes online payments, which may be missing.

/**
 * Sends money of an online payment back to the client. It is on its way until the module reports what became of it.
 * `amount`: cents, no more than was paid online and not sent back.
 */
export const sendRefund = defineHook<{ invoiceId: number; amount: number }>('billing.send-refund', { keepsData: true })

/**
 * Offers a product that is paid in installments or again and again. `onOffered` gets the path of the client's page on
 * the coach's host, which says what is charged when, and leads to the payment. Throws conflict while it can't be paid
 * by card.
 */
export const offerSubscription = defineHook<{
  clientId: number
  productId: number
  onOffered: (path: string) => void
}>('billing.offer-subscription')

/**
 * Offers such a product to a visitor who wants to buy it. `onBegun` gets the path that leads to the payment. Throws
 * conflict while it can't be paid by card.
 */
export const beginSubscription = defineHook<{
  productId: number
  buyer: { name: string; email: string }
  onBegun: (path: string) => void
}>('billing.begin-subscription')

/**
 * How such a product is paid (slot `sale.plan`). `parts`: the charges, which add up to `total`; the first ones of many,
 * with the rest in `more`. Without an end there is no total.
 */
export type PaymentPlan = {
  parts: { when: string; amount: string }[]
  more: string | null
  total: string | null
  first: string
  note: string | null
}

/**
 * For the client's page of an invoice (slot `invoice.payment`). `action`: the address of the form that leads to the
 * payment; null while a payment is on its way.
 */
export type OnlinePayment = { action: string | null }

/** For the coach (slot `invoice.notice`): how the online payments of an invoice stand. */
export type InvoiceNotice = { tone: 'info' | 'warning' | 'danger'; text: string }

/**
 * Why money goes back: by the coach's wish, noted on the invoice (`invoice`); because it was more than was left to pay
 * (`excess`); or by the coach's wish at the provider (`dashboard`).
 */
export const refundSources = ['invoice', 'excess', 'dashboard'] as const
export type RefundSource = (typeof refundSources)[number]
