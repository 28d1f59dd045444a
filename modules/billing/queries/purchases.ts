import type { Query } from '#db/reads.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { Place } from '#tenants/paging.ts'
import { purchaseNotFound, purchaseRecordSql, type PurchaseRecord } from '../record.ts'

/** Purchases, newest first, those of deleted clients too: they stay in the books. */
export async function purchasesNewestFirst(
  ctx: Ctx,
  { clientId, rows = null, after = null }: { clientId?: number | undefined; rows?: number | null; after?: Place | null },
): Promise<PurchaseRecord[]> {
  authorize(ctx, 'billing:purchase:read')
  const values: unknown[] = []
  const use = (value: unknown) => `$${values.push(value)}`
  const text = `select ${purchaseRecordSql} from purchase where deleted_at is null${clientId === undefined ? '' : ` and client_id = ${use(clientId)}`}${
    after ? ` and (created_at, id) < (${use(after.at)}::timestamptz, ${use(after.id)}::bigint)` : ''
  } order by purchase.created_at desc, purchase.id desc${rows === null ? '' : ` limit ${use(rows)}`}`
  const name = `billing.purchases${clientId === undefined ? '' : '-client'}${after ? '-after' : ''}${rows === null ? '' : '-limit'}`
  return ctx.rows<PurchaseRecord>({ name, text, values })
}

/** One purchase that is not in the trash. Throws not_found. */
export async function purchaseOf(ctx: Ctx, id: number): Promise<PurchaseRecord> {
  authorize(ctx, 'billing:purchase:read')
  const [purchase] = await ctx.rows<PurchaseRecord>({
    name: 'billing.purchase',
    text: `select ${purchaseRecordSql} from purchase where id = $1 and deleted_at is null`,
    values: [id],
  })
  if (!purchase) throw purchaseNotFound()
  return purchase
}

/** Cents of the completed purchases of the month that holds `now` in the coach's time zone. */
export function revenueQuery({ account, now }: Pick<Ctx, 'account' | 'now'>): Query {
  return {
    name: 'billing.revenue',
    text: `select coalesce(sum(amount), 0)::bigint as value from purchase where deleted_at is null and status = 'completed'
      and purchased_at >= date_trunc('month', $1::timestamptz at time zone $2) at time zone $2
      and purchased_at < (date_trunc('month', $1::timestamptz at time zone $2) + interval '1 month') at time zone $2`,
    values: [now(), account.timezone],
  }
}

/** The product that each of these clients bought last. */
export async function latestProducts(ctx: Ctx, clientIds: number[]): Promise<{ clientId: number; productName: string }[]> {
  authorize(ctx, 'billing:purchase:read')
  return ctx.rows({
    name: 'billing.latest-products',
    text: `select distinct on (client_id) client_id as "clientId", product_name as "productName" from purchase
      where deleted_at is null and client_id = any($1::bigint[]) order by client_id, purchased_at desc, id desc`,
    values: [clientIds],
  })
}
