import { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { utc } from '#db/reads.ts'
import { billingFrequencies, paymentMethods, paymentTypes, purchaseStatuses } from './forms.ts'

const time = z.iso.datetime()

/** The product of the API. `price` is a decimal text with two places; `duration` is `installmentCount` by its other name. */
export const ProductOut = z.object({
  id: z.int(),
  coachId: z.int(),
  name: z.string(),
  description: z.string().nullable(),
  price: z.string().describe('Dollars with two decimals, such as "150.00"'),
  paymentType: z.enum(paymentTypes),
  billingFrequency: z.enum(billingFrequencies).nullable(),
  installmentCount: z.int().nullable(),
  duration: z.int().nullable(),
  isActive: z.boolean(),
  createdAt: time,
  updatedAt: time,
})
export type ProductRecord = z.infer<typeof ProductOut>

/** The purchase of the API. `amount` is cents; `purchaseDate` is `purchasedAt` by its other name. */
export const PurchaseOut = z.object({
  id: z.int(),
  coachId: z.int(),
  clientId: z.int().nullable(),
  productId: z.int().nullable(),
  productName: z.string(),
  amount: z.int().describe('Cents'),
  status: z.enum(purchaseStatuses),
  paymentMethod: z.enum(paymentMethods),
  stripePaymentIntentId: z.string().nullable(),
  notes: z.string().nullable(),
  createdAt: time,
  purchasedAt: time,
  purchaseDate: time,
})
export type PurchaseRecord = z.infer<typeof PurchaseOut>

/** SQL: a row of `product` as a ProductRecord. */
export const productRecordSql = `id, coach_id as "coachId", name, description, price::text as price, payment_type as "paymentType",
  billing_frequency as "billingFrequency", installment_count as "installmentCount", installment_count as duration, is_active as "isActive",
  ${utc('created_at')} as "createdAt", ${utc('updated_at')} as "updatedAt"`

/** SQL: a row of `purchase` as a PurchaseRecord. */
export const purchaseRecordSql = `id, coach_id as "coachId", client_id as "clientId", product_id as "productId", product_name as "productName", amount, status,
  payment_method as "paymentMethod", stripe_payment_intent_id as "stripePaymentIntentId", notes, ${utc('created_at')} as "createdAt",
  ${utc('purchased_at')} as "purchasedAt", ${utc('purchased_at')} as "purchaseDate"`

/** A purchase as screens list it. `amount` is cents. */
export type ListedPurchase = Pick<PurchaseRecord, 'id' | 'clientId' | 'productName' | 'amount' | 'status' | 'paymentMethod' | 'notes' | 'purchasedAt'>

/** SQL: a row of `purchase` as a ListedPurchase. */
export const listedPurchaseSql = `id, client_id as "clientId", product_name as "productName", amount, status, payment_method as "paymentMethod",
  left(notes, 200) as notes, ${utc('purchased_at')} as "purchasedAt"`

/** How many purchases there are, what they amount to, and how much of it is completed, in cents: added up by the database. */
export type Totals = { count: number; amount: number; completed: number }
export const totalsSql = `count(*) as count, coalesce(sum(amount), 0)::bigint as amount,
  coalesce(sum(amount) filter (where status = 'completed'), 0)::bigint as completed`

export const productNotFound = (): AppError => new AppError('not_found', 'Product not found')
export const purchaseNotFound = (): AppError => new AppError('not_found', 'Purchase not found')
