import { addMonths, localDate, monthSpan, sameDayLastMonth } from '#app/lib/time.ts'
import { matchesSearch } from '#db/search-sql.ts'
import { isoTimestamp, type Query } from '#db/read-pool.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { listNewest, type Filter, type Page } from '#tenants/api/list-newest.ts'
import type { PaymentMethod } from '../fields.ts'
import { pageSize, type PurchaseFilters, type PurchaseListState } from '../list-state.ts'
import {
  listedPurchaseSql,
  purchase,
  totalsSql,
  type ListedPurchase,
  type PurchaseRecord,
  type Totals,
} from '../records.ts'

const { select } = purchase

/** Purchases, newest first. Includes those of deleted clients. */
export async function listPurchases(
  ctx: Ctx,
  { clientId, ...page }: Page & { clientId?: number | undefined },
): Promise<PurchaseRecord[]> {
  authorize(ctx, 'billing:purchase:read')
  const where = {
    notDeleted: 'deleted_at is null',
    client: clientId !== undefined && (['client_id = ?', clientId] satisfies Filter),
  }
  return listNewest(ctx, { name: 'billing.purchases', select, from: 'purchase', where, ...page })
}

/** A client's purchases, latest purchase date first. */
export async function listPurchasesByDate(
  ctx: Ctx,
  { clientId, rows }: { clientId: number; rows: number },
): Promise<PurchaseRecord[]> {
  authorize(ctx, 'billing:purchase:read')
  return ctx.query<PurchaseRecord>({
    name: 'billing.purchases-by-date',
    text: `select ${select} from purchase where coach_id = $1 and deleted_at is null and client_id = $2
      order by purchase.purchased_at desc, purchase.id desc limit $3`,
    values: [ctx.coachId, clientId, rows],
  })
}

/** Throws not_found, also for a purchase in the trash. */
export async function getPurchase(ctx: Ctx, id: number): Promise<PurchaseRecord> {
  authorize(ctx, 'billing:purchase:read')
  const [row] = await ctx.query<PurchaseRecord>({
    name: 'billing.purchase',
    text: `select ${select} from purchase where coach_id = $1 and id = $2 and deleted_at is null`,
    values: [ctx.coachId, id],
  })
  if (!row) throw purchase.notFound()
  return row
}

/** The purchase with its version, which the edit form sends back; null when it doesn't exist. */
export async function getPurchaseForEdit(ctx: Ctx, id: number): Promise<(PurchaseRecord & { version: number }) | null> {
  authorize(ctx, 'billing:purchase:read')
  const [row] = await ctx.query<PurchaseRecord & { version: number }>({
    name: 'billing.purchase-for-edit',
    text: `select ${select}, version from purchase where coach_id = $1 and id = $2 and deleted_at is null`,
    values: [ctx.coachId, id],
  })
  return row ?? null
}

/** A page of a client's purchases, latest first, and the totals of all. `rows`: page size; `page` starts at 1. */
export async function getPurchaseHistory(
  ctx: Ctx,
  clientId: number,
  { rows, page = 1 }: { rows: number; page?: number },
): Promise<{ purchases: ListedPurchase[]; totals: Totals }> {
  authorize(ctx, 'billing:purchase:read')
  const where = 'where coach_id = $1 and deleted_at is null and client_id = $2'
  const [purchases, [totals]] = (await ctx.queryAll([
    {
      name: 'billing.history',
      text: `select ${listedPurchaseSql} from purchase ${where} order by purchased_at desc, id desc limit $3 offset $4`,
      values: [ctx.coachId, clientId, rows, (page - 1) * rows],
    },
    {
      name: 'billing.history-totals',
      text: `select ${totalsSql} from purchase ${where}`,
      values: [ctx.coachId, clientId],
    },
  ])) as [ListedPurchase[], [Totals]]
  return { purchases, totals }
}

export type PurchasesPage = { purchases: ListedPurchase[]; totals: Totals; since: string | null }

/**
 * A page of all purchases that match the filters, the totals of all matches, and the date of the first purchase ever.
 * `clientIds`: the clients whose name or email matches `q`.
 */
export async function listPurchasesPage(
  ctx: Ctx,
  state: PurchaseListState,
  clientIds: number[],
): Promise<PurchasesPage> {
  authorize(ctx, 'billing:purchase:read')
  const { where, values, key } = filterPurchases(ctx, state, clientIds)
  const name = `billing.purchases-page${key}`
  const [purchases, [totals], [first]] = (await ctx.queryAll([
    {
      name,
      text: `select ${listedPurchaseSql} from purchase ${where}
        order by purchased_at desc, id desc limit ${pageSize} offset $${values.length + 1}`,
      values: [...values, (state.page - 1) * pageSize],
    },
    { name: `${name}-totals`, text: `select ${totalsSql} from purchase ${where}`, values },
    {
      name: 'billing.first-purchase',
      text: `select ${isoTimestamp('min(purchased_at)')} as since from purchase where coach_id = $1 and deleted_at is null`,
      values: [ctx.coachId],
    },
  ])) as [ListedPurchase[], [Totals], [{ since: string | null }]]
  return { purchases, totals, since: first.since }
}

/** All purchases that match the filters, in batches, latest first. */
export async function* streamPurchases(
  ctx: Ctx,
  filters: PurchaseFilters,
  clientIds: number[],
): AsyncGenerator<PurchaseRecord[]> {
  authorize(ctx, 'billing:purchase:read')
  const { where, values, key } = filterPurchases(ctx, filters, clientIds)
  const [time, id] = [`$${values.length + 1}::timestamptz`, `$${values.length + 2}::bigint`]
  let after: { time: string; id: number } = { time: 'infinity', id: 0 }
  for (;;) {
    const purchases = await ctx.query<PurchaseRecord>({
      name: `billing.purchases-export${key}`,
      text: `select ${select} from purchase ${where} and (purchased_at, id) < (${time}, ${id})
        order by purchase.purchased_at desc, purchase.id desc limit ${exportBatchSize}`,
      values: [...values, after.time, after.id],
    })
    yield purchases
    const last = purchases.at(-1)
    if (!last || purchases.length < exportBatchSize) return
    after = { time: last.purchasedAt, id: last.id }
  }
}
const exportBatchSize = 500

/** The SQL condition of the filters and its values. `key` tells the texts of prepared statements apart. */
function filterPurchases({ coachId, account }: Ctx, { q, month, status }: PurchaseFilters, clientIds: number[]) {
  const values: unknown[] = [coachId]
  const bind = (value: unknown) => `$${values.push(value)}`
  const conditions = ['coach_id = $1', 'deleted_at is null']
  if (month) {
    const { from, to } = monthSpan(month, account.timezone)
    conditions.push(`purchased_at >= ${bind(from)} and purchased_at < ${bind(to)}`)
  }
  if (status) conditions.push(`status = ${bind(status)}`)
  if (q) conditions.push(`(${matchesSearch(bind(q))} or client_id = any(${bind(clientIds)}::bigint[]))`)
  const key = `${month ? '-month' : ''}${status ? '-status' : ''}${q ? '-q' : ''}`
  return { where: `where ${conditions.join(' and ')}`, values, key }
}

/**
 * Revenue of the current month in cents, in the coach's time zone: what the ledger says came in, less what went back.
 */
export function revenueQuery({ coachId, account, now }: Pick<Ctx, 'coachId' | 'account' | 'now'>): Query {
  const { from, to } = monthSpan(localDate(now(), account.timezone).slice(0, 7), account.timezone)
  return {
    name: 'billing.revenue',
    text: `select coalesce(sum(amount), 0)::bigint as value from ledger_entry
      where coach_id = $1 and occurred_at >= $2 and occurred_at < $3`,
    values: [coachId, from, to],
  }
}

/** Revenue in cents of the current month, and of the previous month up to `until`, the end of the same day. */
export async function getRevenueComparison(ctx: Ctx): Promise<{ now: number; before: number; until: Date }> {
  authorize(ctx, 'billing:purchase:read')
  const { timezone } = ctx.account
  const month = localDate(ctx.now(), timezone).slice(0, 7)
  const { from, to } = monthSpan(month, timezone)
  const until = sameDayLastMonth(ctx.now(), timezone)
  const [revenue] = await ctx.query<{ now: number; before: number }>({
    name: 'billing.revenue-comparison',
    text: `select coalesce(sum(amount) filter (where occurred_at >= $4), 0)::bigint as now,
        coalesce(sum(amount) filter (where occurred_at < $3), 0)::bigint as before
      from ledger_entry where coach_id = $1 and occurred_at >= $2 and occurred_at < $5`,
    values: [ctx.coachId, monthSpan(addMonths(month, -1), timezone).from, until, from, to],
  })
  return { ...revenue!, until }
}

export type LastChoices = { productId: number | null; paymentMethod: PaymentMethod | null }

/** The client's last product, and the last payment method of the client, or else of the coach. Skips `manual`. */
export async function getLastChoices(ctx: Ctx, clientId: number | null): Promise<LastChoices> {
  authorize(ctx, 'billing:purchase:read')
  const last = (column: string, where: string) =>
    `(select ${column} from purchase where coach_id = $1 and deleted_at is null and ${where}
      order by created_at desc, id desc limit 1)`
  const [row] = await ctx.query<LastChoices>({
    name: 'billing.last-choices',
    text: `select ${last('product_id', 'client_id = $2')} as "productId", coalesce(
        ${last('payment_method', `client_id = $2 and payment_method <> 'manual'`)},
        ${last('payment_method', `payment_method <> 'manual'`)}) as "paymentMethod"`,
    values: [ctx.coachId, clientId],
  })
  return row!
}

/** The name of the product that each client bought last. */
export async function listLatestProducts(
  ctx: Ctx,
  clientIds: number[],
): Promise<{ clientId: number; productName: string }[]> {
  authorize(ctx, 'billing:purchase:read')
  return ctx.query({
    name: 'billing.latest-products',
    text: `select distinct on (client_id) client_id as "clientId", product_name as "productName" from purchase
      where coach_id = $1 and deleted_at is null and client_id = any($2::bigint[]) order by client_id, purchased_at desc, id desc`,
    values: [ctx.coachId, clientIds],
  })
}

/** The products that clients bought, by name, for a filter. */
export async function listBoughtProducts(ctx: Ctx): Promise<{ value: string; label: string }[]> {
  authorize(ctx, 'billing:purchase:read')
  return ctx.query({
    name: 'billing.bought-products',
    text: `select id::text as value, name as label from product where coach_id = $1 and id in (
        select product_id from purchase where coach_id = $1 and deleted_at is null and status in ('completed', 'pending'))
      order by lower(name) collate "und-x-icu", id limit 500`,
    values: [ctx.coachId],
  })
}

/** SQL: whether the row of `client` has bought the product. */
export const boughtProduct = (placeholder: string): string =>
  `client.id in (
    select client_id from purchase where coach_id = $1 and product_id = ${placeholder}::bigint and deleted_at is null
      and status in ('completed', 'pending'))`
