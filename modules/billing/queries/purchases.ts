import { addMonths, dateOf, monthSpan, sameDayBefore } from '#app/lib/time.ts'
import { holds } from '#db/columns.ts'
import { utc, type Query } from '#db/read-pool.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { listNewest, type Filter, type Page } from '#tenants/api/list-newest.ts'
import { pageRows, type ListState } from '../list-state.ts'
import {
  listedPurchaseSql,
  purchase,
  totalsSql,
  type ListedPurchase,
  type PurchaseRecord,
  type Totals,
} from '../records.ts'

const { select } = purchase

/** Purchases, newest first, those of deleted clients too: they stay in the books. */
export async function purchasesNewestFirst(
  ctx: Ctx,
  { clientId, ...page }: Page & { clientId?: number | undefined },
): Promise<PurchaseRecord[]> {
  authorize(ctx, 'billing:purchase:read')
  const where = {
    live: 'deleted_at is null',
    client: clientId !== undefined && (['client_id = ?', clientId] satisfies Filter),
  }
  return listNewest(ctx, { name: 'billing.purchases', select, from: 'purchase', where, ...page })
}

/** A client's purchases by the day of purchase, the latest first. */
export async function purchasesByDate(
  ctx: Ctx,
  { clientId, rows }: { clientId: number; rows: number },
): Promise<PurchaseRecord[]> {
  authorize(ctx, 'billing:purchase:read')
  return ctx.rows<PurchaseRecord>({
    name: 'billing.purchases-by-date',
    text: `select ${select} from purchase where deleted_at is null and client_id = $1 order by purchase.purchased_at desc, purchase.id desc limit $2`,
    values: [clientId, rows],
  })
}

/** One purchase that is not in the trash. Throws not_found. */
export async function purchaseOf(ctx: Ctx, id: number): Promise<PurchaseRecord> {
  authorize(ctx, 'billing:purchase:read')
  const [found] = await ctx.rows<PurchaseRecord>({
    name: 'billing.purchase',
    text: `select ${select} from purchase where id = $1 and deleted_at is null`,
    values: [id],
  })
  if (!found) throw purchase.notFound()
  return found
}

/** A purchase as its dialog shows it, with the version that the dialog sends back; null when it isn't there. */
export async function purchaseOnScreen(ctx: Ctx, id: number): Promise<(PurchaseRecord & { version: number }) | null> {
  authorize(ctx, 'billing:purchase:read')
  const [found] = await ctx.rows<PurchaseRecord & { version: number }>({
    name: 'billing.purchase-on-screen',
    text: `select ${select}, version from purchase where id = $1 and deleted_at is null`,
    values: [id],
  })
  return found ?? null
}

/** A page of what a client bought, the latest first, and the totals of all of it, in one round trip. `rows`: as many at the most; `page` from 1 on. */
export async function purchaseHistory(
  ctx: Ctx,
  clientId: number,
  { rows, page = 1 }: { rows: number; page?: number },
): Promise<{ purchases: ListedPurchase[]; totals: Totals }> {
  authorize(ctx, 'billing:purchase:read')
  const where = 'where deleted_at is null and client_id = $1'
  const [purchases, [totals]] = (await ctx.rowsOf([
    {
      name: 'billing.history',
      text: `select ${listedPurchaseSql} from purchase ${where} order by purchased_at desc, id desc limit $2 offset $3`,
      values: [clientId, rows, (page - 1) * rows],
    },
    { name: 'billing.history-totals', text: `select ${totalsSql} from purchase ${where}`, values: [clientId] },
  ])) as [ListedPurchase[], [Totals]]
  return { purchases, totals }
}

export type PurchaseList = { purchases: ListedPurchase[]; totals: Totals; since: string | null }

/**
 * One page of all purchases as a screen lists them, the totals of all that the filters let through, and when the first was.
 * `clientIds`: those whose name holds `q`.
 */
export async function purchaseList(
  ctx: Ctx,
  { q, month, status, page }: ListState,
  clientIds: number[],
): Promise<PurchaseList> {
  authorize(ctx, 'billing:purchase:read')
  const values: unknown[] = []
  const use = (value: unknown) => `$${values.push(value)}`
  const filters = ['deleted_at is null']
  if (month) {
    const { from, to } = monthSpan(month, ctx.account.timezone)
    filters.push(`purchased_at >= ${use(from)} and purchased_at < ${use(to)}`)
  }
  if (status) filters.push(`status = ${use(status)}`)
  if (q) {
    filters.push(`(${holds(use(q))} or client_id = any(${use(clientIds)}::bigint[]))`)
  }
  const where = `where ${filters.join(' and ')}`
  const name = `billing.list${month ? '-month' : ''}${status ? '-status' : ''}${q ? '-q' : ''}`
  const [purchases, [totals], [first]] = (await ctx.rowsOf([
    {
      name,
      text: `select ${listedPurchaseSql} from purchase ${where} order by purchased_at desc, id desc limit ${pageRows} offset $${values.length + 1}`,
      values: [...values, (page - 1) * pageRows],
    },
    { name: `${name}-totals`, text: `select ${totalsSql} from purchase ${where}`, values },
    {
      name: 'billing.first',
      text: `select ${utc('min(purchased_at)')} as since from purchase where deleted_at is null`,
    },
  ])) as [ListedPurchase[], [Totals], [{ since: string | null }]]
  return { purchases, totals, since: first.since }
}

/** Cents of the completed purchases of the month that holds `now` in the coach's time zone. */
export function revenueQuery({ account, now }: Pick<Ctx, 'account' | 'now'>): Query {
  const { from, to } = monthSpan(dateOf(now(), account.timezone).slice(0, 7), account.timezone)
  return {
    name: 'billing.revenue',
    text: `select coalesce(sum(amount), 0)::bigint as value from purchase
      where deleted_at is null and status = 'completed' and purchased_at >= $1 and purchased_at < $2`,
    values: [from, to],
  }
}

/** As `revenueQuery`, and that of the month before through the same day (`until` its end), in one statement. */
export async function revenueOfTwoMonths(ctx: Ctx): Promise<{ now: number; before: number; until: Date }> {
  authorize(ctx, 'billing:purchase:read')
  const { timezone } = ctx.account
  const month = dateOf(ctx.now(), timezone).slice(0, 7)
  const { from, to } = monthSpan(month, timezone)
  const until = sameDayBefore(ctx.now(), timezone)
  const [revenue] = await ctx.rows<{ now: number; before: number }>({
    name: 'billing.revenue-compared',
    text: `select coalesce(sum(amount) filter (where purchased_at >= $3), 0)::bigint as now, coalesce(sum(amount) filter (where purchased_at < $2), 0)::bigint as before
      from purchase where deleted_at is null and status = 'completed' and purchased_at >= $1 and purchased_at < $4`,
    values: [monthSpan(addMonths(month, -1), timezone).from, until, from, to],
  })
  return { ...revenue!, until }
}

/** The product that each of these clients bought last. */
export async function latestProducts(
  ctx: Ctx,
  clientIds: number[],
): Promise<{ clientId: number; productName: string }[]> {
  authorize(ctx, 'billing:purchase:read')
  return ctx.rows({
    name: 'billing.latest-products',
    text: `select distinct on (client_id) client_id as "clientId", product_name as "productName" from purchase
      where deleted_at is null and client_id = any($1::bigint[]) order by client_id, purchased_at desc, id desc`,
    values: [clientIds],
  })
}
