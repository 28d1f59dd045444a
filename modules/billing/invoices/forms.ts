import { z } from 'zod'
import { currencies } from '#app/lib/currencies.ts'
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
  optionalFormId,
  price,
  requiredLine,
  singleLine,
  version,
} from '#app/lib/zod-types.ts'
import { purchaseFields, type PaymentMethod } from '../fields.ts'
import { parseReminderDays, reminderDaysMessage } from '../reminders/days.ts'
import { maxInvoiceLines } from './fields.ts'
import { isBlankLine, isPercent, isQuantity, lineName, listRows, readLine, readShare, readSource } from './line-form.ts'

const methods = Object.keys(purchaseFields.paymentMethod.choices) as [PaymentMethod, ...PaymentMethod[]]

/** A decimal as a text, from a number or a text. */
const decimal = (isValid: (value: string) => boolean, message: string) =>
  z.preprocess(
    (value) => (typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : value),
    z.string(message).refine(isValid, message),
  )

/** Percent from 0 to 100 with at most three decimals, as a text. */
export const percent = () => decimal(isPercent, 'Enter a percentage from 0 to 100')
export const quantity = () => decimal(isQuantity, 'Enter a quantity such as 1 or 1.5')

export type Discount = { percent: string } | { amount: number }

/** A part of the subtotal as a text ('12.5%'), or an amount as `cents` takes it. */
export const discount = () =>
  z
    .union([z.number(), z.string()], 'Enter a discount such as 10% or 50.00')
    .transform((value, ctx) => toDiscountInput(value, cents(), ctx))

function toDiscountInput(value: number | string, amount: z.ZodType<number>, ctx: z.RefinementCtx): Discount {
  const share = typeof value === 'string' ? readShare(value) : null
  const parsed = share === null ? amount.safeParse(value) : percent().safeParse(share)
  if (parsed.success) return typeof parsed.data === 'string' ? { percent: parsed.data } : { amount: parsed.data }
  ctx.addIssue({ code: 'custom', message: parsed.error.issues[0]!.message })
  return z.NEVER
}

/** `unitPrice`: cents, or dollars as a text with a decimal point. */
export const InvoiceLine = z.object({
  description: requiredLine('Description is required', 500),
  quantity: quantity().default('1'),
  unitPrice: cents('Price is required'),
  taxRate: percent().default('0'),
  productId: id('Product not found').nullish(),
  /** A completed session of the client. */
  appointmentId: id('Session not found').nullish(),
})

export const InvoiceLines = z
  .array(InvoiceLine)
  .min(1, 'Add at least one line')
  .max(maxInvoiceLines, `Use at most ${maxInvoiceLines} lines`)

/**
 * Input of the API: a new invoice. `draft`: it gets no number yet. `dueDate` defaults to the payment terms of the
 * coach.
 */
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
  currency: choice(currencies as [string, ...string[]]).optional(),
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
 * `amount`: cents; all that is left to pay unless given. `paidAt`: now unless given. `sendReceipt`: no unless given,
 * but a payment at a provider (`externalId`) has one.
 */
export const ReceivedPayment = z.object({
  amount: cents().optional(),
  method: choice(methods).default('other'),
  paidAt: isoInstant().optional(),
  sendReceipt: z.boolean().optional().describe('Email the client a receipt'),
})
export type ReceivedPayment = z.output<typeof ReceivedPayment> & { externalId?: string }

/** `amount`: cents; all that was paid and not refunded unless given. `method`: as it was paid, if that was online. */
export const Refund = z.object({ amount: cents().optional(), method: choice(methods).optional() })
export type Refund = z.output<typeof Refund>

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

/** A row of the editor: its price in dollars. */
const LineForm = z.object({
  description: InvoiceLine.shape.description,
  quantity: quantity(),
  price: dollars('Price is required'),
  tax: percent(),
})

/**
 * The editor of a draft. Rows that nobody filled in are left out. `productId`, `sessionIds`: chosen to be added, for a
 * browser without JavaScript.
 */
export const DraftForm = z
  .object({
    id: formId('This form is incomplete.'),
    version: version(),
    description: requiredLine('Description is required', 255),
    dueDate: emptyAsNull(date()),
    notes: emptyAsNull(multiLine(2000)),
    taxMode: choice(['added', 'included']),
    discount: emptyAsNull(z.string().transform((value, ctx) => toDiscountInput(value, dollars(), ctx))),
    productId: optionalFormId(),
  })
  .catchall(z.unknown())
  .transform(({ id, version, description, dueDate, notes, taxMode, discount, productId, ...rows }, ctx) => {
    const lines = listRows(rows).flatMap((row) => {
      const texts = readLine(rows, row)
      if (isBlankLine(texts)) return []
      const line = LineForm.safeParse(texts)
      for (const { path, message } of line.error?.issues ?? [])
        ctx.addIssue({ code: 'custom', path: [lineName(path[0] as keyof typeof texts, row)], message })
      if (!line.data) return []
      const { price, tax, ...values } = line.data
      const source = {
        productId: readSource(texts.source, 'product'),
        appointmentId: readSource(texts.source, 'session'),
      }
      return [{ ...values, unitPrice: price, taxRate: tax, ...source }]
    })
    const sessionIds = Object.keys(rows).flatMap((name) => Number(/^session(\d{1,15})$/.exec(name)?.[1]) || [])
    return {
      id,
      version,
      productId,
      sessionIds,
      draft: { description, dueDate, notes, discount, pricesIncludeTax: taxMode === 'included', lines },
    }
  })
export type DraftForm = z.output<typeof DraftForm>

/** A whole number as a form sends it. */
function countText(min: number, max: number) {
  const message = `Enter a whole number from ${min} to ${max.toLocaleString('en-US')}`
  return z
    .string(message)
    .transform((value) => value.trim())
    .refine((value) => /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max, message)
    .transform(Number)
}

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

const optionalLine = (max: number) => emptyAsNull(singleLine(max))
const optionalText = (max: number) => emptyAsNull(multiLine(max))

const invoicePrefix = singleLine(20).refine(
  (value) => /^([A-Za-z0-9/_.-]*[A-Za-z/_.-])?$/.test(value),
  'Use letters, digits and / _ . - with no digit at the end, such as INV- or 2026/',
)

export const CurrencyForm = z.object({ currency: choice(currencies as [string, ...string[]]) })

/** The page Billing. `nextNumber`: of the next invoice. */
export const SettingsForm = z
  .object({
    version: version(),
    legalName: optionalLine(255),
    address: optionalText(1000),
    taxId: optionalLine(60),
    taxName: requiredLine('Enter a name such as Tax or VAT', 40),
    taxRate: percent(),
    taxMode: choice(['added', 'included']),
    invoicePrefix,
    nextNumber: countText(1, 9_999_999),
    /** The next number when the form was opened: invoices take numbers in the meantime. */
    seenNumber: countText(1, 9_999_999),
    paymentDays: countText(0, 365),
    defaultNotes: optionalText(2000),
    invoiceFooter: optionalText(2000),
  })
  .transform(({ version, taxMode, seenNumber, nextNumber, ...settings }) => ({
    version,
    settings: {
      ...settings,
      pricesIncludeTax: taxMode === 'included',
      nextNumber: nextNumber === seenNumber ? null : nextNumber,
    },
  }))
export type SettingsEdit = z.output<typeof SettingsForm>['settings']

/** `sends`: a checkbox. */
export const RemindersForm = z.object({
  version: version(),
  sends: z.literal('yes').optional(),
  days: z.string().transform((text, ctx) => {
    const days = parseReminderDays(text)
    if (days) return days
    ctx.addIssue({ code: 'custom', message: reminderDaysMessage })
    return z.NEVER
  }),
})
