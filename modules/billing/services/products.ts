import { authorize, type WriteCtx } from '#tenants/context.ts'
import type { NewProduct, ProductEdit } from '../forms.ts'
import { productOf } from '../queries/products.ts'
import { productNotFound, type ProductRecord } from '../record.ts'
import { Product, type ProductRow } from '../schema.ts'

/** Adds a product. Frequency and number of installments get their defaults where the payment type has them: monthly, 1. */
export async function addProduct(ctx: WriteCtx, input: NewProduct): Promise<ProductRecord> {
  authorize(ctx, 'billing:product:write')
  const now = ctx.now()
  const { name, description, price, isActive } = input
  const product = ctx.em.create(Product, { coachId: ctx.coachId, name, description, price, isActive, ...billing(input), createdAt: now, updatedAt: now })
  await ctx.em.flush()
  return productOf(ctx, product.id)
}

/** Changes the fields that are sent; what the new payment type doesn't have goes. Throws not_found. */
export async function editProduct(ctx: WriteCtx, id: number, input: ProductEdit): Promise<ProductRecord> {
  authorize(ctx, 'billing:product:write')
  const product = await ctx.em.findOne(Product, { coachId: ctx.coachId, id, deletedAt: null })
  if (!product) throw productNotFound()
  const { duration, ...sent } = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as ProductEdit
  if (!Object.keys(input).length) return productOf(ctx, id)
  const { name, description, price, isActive } = { ...fieldsOf(product), ...sent }
  const terms = billing({
    paymentType: sent.paymentType ?? product.paymentType,
    billingFrequency: 'billingFrequency' in sent ? sent.billingFrequency : product.billingFrequency,
    installmentCount: sent.installmentCount ?? duration ?? product.installmentCount,
  })
  ctx.em.assign(product, { name, description, price, isActive, ...terms, updatedAt: ctx.now() })
  await ctx.em.flush()
  return productOf(ctx, id)
}

/** Hides a product; purchases keep its name. Throws not_found, also the second time. */
export async function deleteProduct(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'billing:product:write')
  const deleted = await ctx.em.nativeUpdate(Product, { coachId: ctx.coachId, id, deletedAt: null }, { deletedAt: ctx.now() })
  if (!deleted) throw productNotFound()
}

/** Takes a product out of the trash. Throws not_found. */
export async function restoreProduct(ctx: WriteCtx, id: number): Promise<ProductRecord> {
  authorize(ctx, 'billing:product:write')
  await ctx.em.nativeUpdate(Product, { coachId: ctx.coachId, id, deletedAt: { $ne: null } }, { deletedAt: null })
  return productOf(ctx, id)
}

type Terms = {
  paymentType: ProductRow['paymentType']
  billingFrequency?: ProductRow['billingFrequency'] | undefined
  installmentCount?: number | null | undefined
  duration?: number | null | undefined
}

function billing({ paymentType, billingFrequency, installmentCount, duration }: Terms) {
  return {
    paymentType,
    billingFrequency: paymentType === 'one_time' ? null : (billingFrequency ?? ('monthly' as const)),
    installmentCount: paymentType === 'installment' ? (installmentCount ?? duration ?? 1) : null,
  }
}

const fieldsOf = ({ name, description, price, isActive }: ProductRow) => ({ name, description, price, isActive })
