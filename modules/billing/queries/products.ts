import { authorize, type Ctx } from '#tenants/context.ts'
import type { Place } from '#tenants/paging.ts'
import { productNotFound, productRecordSql, type ProductRecord } from '../record.ts'

/** Products that are not in the trash, newest first. */
export async function productsNewestFirst(ctx: Ctx, { rows = null, after = null }: { rows?: number | null; after?: Place | null } = {}): Promise<ProductRecord[]> {
  authorize(ctx, 'billing:product:read')
  const values: unknown[] = []
  const use = (value: unknown) => `$${values.push(value)}`
  const text = `select ${productRecordSql} from product where deleted_at is null${
    after ? ` and (created_at, id) < (${use(after.at)}::timestamptz, ${use(after.id)}::bigint)` : ''
  } order by product.created_at desc, product.id desc${rows === null ? '' : ` limit ${use(rows)}`}`
  return ctx.rows<ProductRecord>({ name: `billing.products${after ? '-after' : ''}${rows === null ? '' : '-limit'}`, text, values })
}

/** One product that is not in the trash. Throws not_found. */
export async function productOf(ctx: Ctx, id: number): Promise<ProductRecord> {
  authorize(ctx, 'billing:product:read')
  const [product] = await ctx.rows<ProductRecord>({
    name: 'billing.product',
    text: `select ${productRecordSql} from product where id = $1 and deleted_at is null`,
    values: [id],
  })
  if (!product) throw productNotFound()
  return product
}

/** Products as their page shows them: with the version that the dialog sends back. */
export async function productsOnScreen(ctx: Ctx): Promise<(ProductRecord & { version: number })[]> {
  authorize(ctx, 'billing:product:read')
  return ctx.rows({
    name: 'billing.products-on-screen',
    text: `select ${productRecordSql}, version from product where deleted_at is null order by is_active desc, created_at desc, id desc`,
  })
}

/** What can be sold now: id, name and price of the products that aren't hidden, newest first. */
export async function productsForSale(ctx: Ctx): Promise<Pick<ProductRecord, 'id' | 'name' | 'price'>[]> {
  authorize(ctx, 'billing:product:read')
  return ctx.rows({
    name: 'billing.for-sale',
    text: 'select id, name, price::text as price from product where deleted_at is null and is_active order by created_at desc, id desc',
  })
}
