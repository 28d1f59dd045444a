import { z } from 'zod'
import {
  cents,
  choice,
  date,
  dollars,
  emptyAsNull,
  formId,
  id,
  isoInstant,
  multiLine,
  price,
  requiredLine,
} from '#app/lib/zod-types.ts'
import { purchaseFields, type PaymentMethod } from '../fields.ts'
import { maxInvoiceLines } from './fields.ts'

const methods = Object.keys(purchaseFields.paymentMethod.choices) as [PaymentMethod, ...PaymentMethod[]]

/** A decimal as a text: a number or a text with at most so many decimals. */
const decimal = (decimals: number, message: string) =>
  z.preprocess(
    (value) => (typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : value),
    z.string(message).regex(new RegExp(`^\\d{1,5}(\\.\\d{1,${decimals}})?$`), message),
  )

/** Percent from 0 to 100 with at most three decimals, as a text. */
export const percent = () => {
  const message = 'Enter a percentage from 0 to 100'
  return decimal(3, message).refine((value) => Number(value) <= 100, message)
}
export const quantity = () => {
  const message = 'Enter a quantity such as 1 or 1.5'
  return decimal(2, message).refine((value) => Number(value) > 0, message)
}

export type Discount = { percent: string } | { amount: number }

/** A part of the subtotal as a text ('12.5%'), or an amount as `cents` takes it. */
export const discount = () =>
  z.union([z.number(), z.string()], 'Enter a discount such as 10% or 50.00').transform((value, ctx): Discount => {
    const share = typeof value === 'string' && /^(.+?)\s?%$/.exec(value.trim())
    const parsed = share ? percent().safeParse(share[1]) : cents().safeParse(value)
    if (parsed.success) return typeof parsed.data === 'string' ? { percent: parsed.data } : { amount: parsed.data }
    ctx.addIssue({ code: 'custom', message: parsed.error.issues[0]!.message })
    return z.NEVER
  })

/** `unitPrice`: cents, or dollars as a text with a decimal point. */
export const InvoiceLine = z.object({
  description: requiredLine('Description is required', 500),
  quantity: quantity().default('1'),
  unitPrice: cents('Price is required'),
  taxRate: percent().default('0'),
  productId: id('Product not found').nullish(),
})

export const InvoiceLines = z
  .array(InvoiceLine)
  .min(1, 'Add at least one line')
  .max(maxInvoiceLines, `Use at most ${maxInvoiceLines} lines`)

/** Input of the API: a new invoice. `draft`: it gets no number yet. `dueDate` defaults to the payment terms of the coach. */
export const NewInvoice = z.object({
  clientId: id('Client is required'),
  description: requiredLine('Description is required', 255),
  notes: emptyAsNull(multiLine(2000)).default(null),
  dueDate: isoInstant().nullish(),
  pricesIncludeTax: z.boolean().optional(),
  discount: discount().nullish(),
  lines: InvoiceLines,
  draft: z.boolean().default(false),
  /** Pending purchases that this invoice asks for. */
  purchaseIds: z.array(id('Purchase not found')).max(maxInvoiceLines).default([]),
})
export type NewInvoice = z.output<typeof NewInvoice>

export const InvoiceEdit = NewInvoice.omit({ draft: true, purchaseIds: true, clientId: true }).partial()
export type InvoiceEdit = z.output<typeof InvoiceEdit>

/** Input of POST /api/payments: an invoice with one line. Source: api.md. */
export const NewPayment = z.object({
  clientId: z.int('Client is required').positive('Client is required'),
  amount: price('Amount is required'),
  description: requiredLine('Description is required', 255),
  dueDate: isoInstant().nullish(),
  currency: z.literal('usd', 'Only usd is supported so far').optional(),
})
export type NewPayment = z.output<typeof NewPayment>

export const PaymentEdit = z
  .object({
    status: choice(['completed', 'failed', 'pending']),
    description: requiredLine('Description is required', 255),
    dueDate: isoInstant().nullable(),
  })
  .partial()
export type PaymentEdit = z.output<typeof PaymentEdit>

/**
 * `amount`: cents; all that is left to pay unless given. `paidAt`: now unless given. `sendReceipt`: no unless given, but a payment
 * at a provider (`externalId`) has one.
 */
export const ReceivedPayment = z.object({
  amount: cents().optional(),
  method: choice(methods).default('other'),
  paidAt: isoInstant().optional(),
  sendReceipt: z.boolean().optional().describe('Email the client a receipt'),
})
export type ReceivedPayment = z.output<typeof ReceivedPayment> & { externalId?: string }

/** `amount`: cents; all that was paid and not refunded unless given. */
export const Refund = z.object({ amount: cents().optional(), method: choice(methods).default('other') })
export type Refund = z.output<typeof Refund> & { externalId?: string }

/** `amount`: cents with tax; all that isn't credited yet unless given. */
export const NewCreditNote = z.object({
  amount: cents().optional(),
  description: requiredLine('Description is required', 255).optional(),
})

/** The dialog Create Invoice: one line, in dollars. Source: part-2 §5. */
export const CreateInvoiceForm = z.object({
  clientId: formId('Client is required'),
  amount: dollars('Amount is required'),
  description: requiredLine('Description is required', 255),
  dueDate: emptyAsNull(date()),
  notes: emptyAsNull(multiLine(2000)),
})
export type CreateInvoiceForm = z.output<typeof CreateInvoiceForm>

const invoiceId = { id: formId('This form is incomplete.') }
const method = choice(methods)

/** `receipt`: a checkbox. */
export const PaymentForm = z.object({
  ...invoiceId,
  amount: dollars('Amount is required'),
  method,
  date: date(),
  receipt: z.literal('yes').optional(),
})
export const RefundForm = z.object({ ...invoiceId, amount: dollars('Amount is required'), method })
export const CreditNoteForm = z.object({
  ...invoiceId,
  amount: dollars('Amount is required'),
  description: requiredLine('Description is required', 255),
})
