import { z } from 'zod'
import { cents, centsAsDecimal, dollars, price } from '#app/lib/money.ts'
import { optional, requiredLine, text } from '#app/lib/text.ts'

export const paymentTypes = ['one_time', 'installment', 'recurring'] as const
export const billingFrequencies = ['weekly', 'monthly'] as const
export const purchaseStatuses = ['completed', 'pending', 'failed', 'refunded', 'cancelled'] as const
export const paymentMethods = ['cash', 'credit_card', 'bank_transfer', 'paypal', 'stripe', 'manual', 'other'] as const
export type PaymentType = (typeof paymentTypes)[number]
export type BillingFrequency = (typeof billingFrequencies)[number]
export type PurchaseStatus = (typeof purchaseStatuses)[number]
export type PaymentMethod = (typeof paymentMethods)[number]

const count = z.preprocess(
  (value) => (typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : value === '' ? null : value),
  z.int('Enter a whole number').min(1, 'Enter at least 1').max(1000, 'Enter at most 1,000').nullable(),
)

const productFields = {
  name: requiredLine('Name is required'),
  description: optional(text()),
  price: price(),
  paymentType: z.enum(paymentTypes, 'Choose one-time, installment or recurring'),
  billingFrequency: optional(z.enum(billingFrequencies, 'Choose weekly or monthly')),
  installmentCount: count,
  duration: count,
  isActive: z.boolean(),
}

/** A product as it is sent. `duration` is another name of `installmentCount` (part-2 §5). */
export const NewProduct = z.object({
  ...productFields,
  paymentType: productFields.paymentType.default('one_time'),
  billingFrequency: productFields.billingFrequency.optional(),
  installmentCount: count.optional(),
  duration: count.optional(),
  isActive: z.boolean().default(true),
})
export const ProductEdit = z.object(productFields).partial()
export type NewProduct = z.output<typeof NewProduct>
export type ProductEdit = z.output<typeof ProductEdit>

const id = (message: string) => z.int(message).positive(message)
const time = z.iso
  .datetime({ offset: true, message: 'Send a time with Z or an offset' })
  .transform((value) => new Date(value))
  .refine((value) => value.getUTCFullYear() >= 1900 && value.getUTCFullYear() <= 2200, 'Use a date from 1900 to 2200')

/** A purchase as the API takes it: `amount` in cents, or dollars as a text with a point. */
export const NewPurchase = z.object({
  clientId: id('Please select a client'),
  productId: id('Please select a product'),
  amount: cents(),
  status: z.enum(purchaseStatuses, 'Status is required').default('completed'),
  paymentMethod: z.enum(paymentMethods, 'Payment method is required'),
  notes: optional(text()),
  purchaseDate: time.nullish(),
})
export const PurchaseEdit = z
  .object({
    status: z.enum(purchaseStatuses, 'Choose a status'),
    paymentMethod: z.enum(paymentMethods, 'Choose a payment method'),
    notes: optional(text()),
    purchaseDate: time,
  })
  .partial()
export type NewPurchase = z.output<typeof NewPurchase>
export type PurchaseEdit = z.output<typeof PurchaseEdit>

/** A product as its dialog sends it: the price as people type amounts. */
export const ProductForm = NewProduct.extend({
  price: dollars('Price is required').transform(centsAsDecimal),
  isActive: z.enum(['active', 'hidden'], 'Choose active or hidden').transform((value) => value === 'active'),
})
const version = z.preprocess((value) => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : 0), z.int())
export const ProductEditForm = ProductForm.extend({ version })

const chosen = (message: string) =>
  z.preprocess((value) => (typeof value === 'string' && /^[1-9]\d{0,15}$/.test(value) ? Number(value) : undefined), z.int(message))

const date = (required = 'Date is required') =>
  z.preprocess(
    (value) => value ?? '',
    z
      .string()
      .min(1, required)
      .refine((value) => value === '' || (z.iso.date().safeParse(value).success && value >= '1900' && value < '2201'), 'Use a date from 1900 to 2200'),
  )

/** A purchase as the dialog of a client sends it: the amount in dollars. Source: part-1 §5. */
export const PurchaseForm = z.object({
  productId: chosen('Please select a product'),
  amount: dollars(),
  paymentMethod: z.enum(paymentMethods, 'Payment method is required'),
  status: z.enum(purchaseStatuses, 'Status is required'),
  notes: optional(text()),
})

/** The second form of part-1 §5, on the page of all purchases: the client is chosen too, and the day. */
export const SaleForm = PurchaseForm.extend({
  clientId: chosen('Client is required'),
  productId: chosen('Product is required'),
  status: z.enum(purchaseStatuses, 'Status is required').default('completed'),
  date: date(),
})
export type NewSale = z.output<typeof SaleForm>

/** A purchase as its edit dialog sends it, with the version that it showed. */
export const PurchaseEditForm = z.object({
  status: z.enum(purchaseStatuses, 'Status is required'),
  paymentMethod: z.enum(paymentMethods, 'Payment method is required'),
  date: date(),
  notes: optional(text()),
  version,
})
export type PurchaseEditForm = z.output<typeof PurchaseEditForm>
