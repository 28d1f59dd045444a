import { AppError } from '#app/lib/errors.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import type { SoldProduct } from '#modules/core/manifest.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { product, type ProductRecord } from '../records.ts'
import type { SaleSource, SaleState } from './fields.ts'

/** `amount`: cents. */
export type SaleRecord = {
  id: number
  productId: number | null
  clientId: number | null
  productName: string
  amount: number
  currency: string
  sessionCount: number | null
  buyerName: string | null
  buyerEmail: string | null
  source: SaleSource
  state: SaleState
  invoiceId: number | null
  createdAt: string
}

const saleColumns = `id, product_id as "productId", client_id as "clientId", product_name as "productName", amount,
  currency, session_count as "sessionCount", buyer_name as "buyerName", buyer_email as "buyerEmail", source, state,
  invoice_id as "invoiceId", ${isoTimestamp('created_at')} as "createdAt"`

/** Throws not_found. */
export async function getSale(ctx: Ctx, id: number): Promise<SaleRecord> {
  authorize(ctx, 'billing:sale:read')
  const [sale] = await ctx.query<SaleRecord>({
    name: 'billing.sale',
    text: `select ${saleColumns} from sale where coach_id = $1 and id = $2`,
    values: [ctx.coachId, id],
  })
  if (!sale) throw new AppError('not_found', 'Sale not found', { subject: 'sale' })
  return sale
}

/** The products on the coach's public page, oldest first: known to everybody, so without a permission. */
export async function listPublicProducts(ctx: Ctx): Promise<ProductRecord[]> {
  return ctx.query<ProductRecord>({
    name: 'billing.public-products',
    text: `select ${product.select} from product
      where coach_id = $1 and deleted_at is null and is_active and online_sale = 'public' order by created_at, id
      limit 200`,
    values: [ctx.coachId],
  })
}

/** A product at its address. Throws not_found for one that isn't sold online. */
export async function getOnlineProduct(ctx: Ctx, slug: string): Promise<ProductRecord> {
  authorize(ctx, 'billing:product:read')
  const [row] = await ctx.query<ProductRecord>({
    name: 'billing.online-product',
    text: `select ${product.select} from product
      where coach_id = $1 and slug = $2 and deleted_at is null and is_active and online_sale <> 'none'`,
    values: [ctx.coachId, slug],
  })
  if (!row) throw product.notFound()
  return row
}

/** The products that a payment link can offer, newest first. */
export async function listLinkProducts(ctx: Ctx): Promise<Pick<ProductRecord, 'id' | 'name' | 'price'>[]> {
  authorize(ctx, 'billing:product:read')
  return ctx.query({
    name: 'billing.link-products',
    text: `select id, name, price::text as price from product
      where coach_id = $1 and deleted_at is null and is_active and payment_type = 'one_time' and price > 0
      order by created_at desc, id desc`,
    values: [ctx.coachId],
  })
}

/** SQL: whether a product can be sold for a session of the calendar. */
const isSoldSql = `deleted_at is null and is_active and payment_type = 'one_time' and price > 0`
const soldProductColumns = `id, name, (price * 100)::float8 as price, session_count as "sessionCount",
  ${isSoldSql} as "isSold", deleted_at is not null as "isInTrash"`

/** Newest first. */
export async function listSoldProducts(ctx: Ctx): Promise<SoldProduct[]> {
  authorize(ctx, 'billing:product:read')
  return ctx.query<SoldProduct>({
    name: 'billing.sold-products',
    text: `select ${soldProductColumns} from product where coach_id = $1 and ${isSoldSql}
      order by created_at desc, id desc`,
    values: [ctx.coachId],
  })
}

/** Finds products by id, also in the trash. Visitors see what a session costs, so without a permission. */
export async function findSoldProducts(ctx: Ctx, ids: number[]): Promise<SoldProduct[]> {
  return ctx.query<SoldProduct>({
    name: 'billing.products-by-id',
    text: `select ${soldProductColumns} from product where coach_id = $1 and id = any($2::bigint[])`,
    values: [ctx.coachId, ids],
  })
}

/** Keeps its price until the transaction ends. Throws conflict if it isn't sold. */
export async function lockSoldProduct(ctx: WriteCtx, id: number): Promise<SoldProduct> {
  const [found] = await ctx.query<SoldProduct>({
    name: 'billing.lock-sold-product',
    text: `select ${soldProductColumns} from product where coach_id = $1 and id = $2 and ${isSoldSql} for share`,
    values: [ctx.coachId, id],
  })
  if (!found) throw new AppError('conflict', 'This is not sold at the moment. Please get in touch instead.')
  return found
}
