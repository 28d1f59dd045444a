import { z } from 'zod'
import { isoTimestamp } from '#db/read-pool.ts'
import { localDate } from '#app/lib/time.ts'
import { fillSlot } from '#modules/core/slots.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { Page } from '#tenants/api/list-newest.ts'
import { formatSessionsLeft } from '../format.ts'
import { countUsed, listCoveredDays, sumUp, type Package } from './count.ts'

/** A package of a client. `id` is that of its purchase; `sessionCount` is `used` and `left` together. */
export const PackageOut = z.object({
  id: z.int(),
  purchaseId: z.int(),
  productName: z.string(),
  purchasedAt: z.iso.datetime(),
  since: z.iso.date().describe('The first day whose sessions count'),
  sessionCount: z.int(),
  used: z.int(),
  left: z.int(),
})
export type ClientPackage = z.output<typeof PackageOut>

/** Oldest first. Throws forbidden. */
export async function listPackages(
  ctx: Ctx,
  clientId: number,
  { rows = null, after = null }: Page = {},
): Promise<ClientPackage[]> {
  authorize(ctx, 'billing:purchase:read')
  // All of them, because sessions count against the oldest one first.
  const packages = (await countPackages(ctx, [clientId])).get(clientId) ?? []
  const rest = after ? packages.filter((one) => comparePackages(one, { since: after.at, id: after.id }) > 0) : packages
  return rest.slice(0, rows ?? undefined)
}

const comparePackages = (a: Pick<Package, 'since' | 'id'>, b: Pick<Package, 'since' | 'id'>): number =>
  a.since === b.since ? a.id - b.id : a.since < b.since ? -1 : 1

/**
 * '3 of 12 sessions left', for the clients who bought a package. Also for visitors: the caller knows that they are this
 * client.
 */
export async function describeSessionsLeft(ctx: Ctx, clientIds: number[]): Promise<Record<number, string>> {
  const packages = await countPackages(ctx, clientIds)
  return Object.fromEntries(
    [...packages].map(([clientId, own]) => [
      clientId,
      formatSessionsLeft(sumUp(own.map(({ sessionCount, left }) => ({ count: sessionCount, left })))!),
    ]),
  )
}

/** The ids of those of a client's completed `sessions` that count against a package. */
export async function listPackagedSessions(
  ctx: Ctx,
  clientId: number,
  sessions: { id: number; start: string }[],
): Promise<Set<number>> {
  authorize(ctx, 'billing:purchase:read')
  const bought = sessions.length ? await listBought(ctx, [clientId]) : []
  if (!bought.length) return new Set()
  const covered = listCoveredDays(bought, (await listSessionDays(ctx, [clientId]))[clientId] ?? [])
  const packaged = sessions.filter(({ start }) => {
    const at = covered.indexOf(localDate(start, ctx.account.timezone))
    if (at >= 0) covered.splice(at, 1)
    return at >= 0
  })
  return new Set(packaged.map(({ id }) => id))
}

type BoughtPackage = Package & { clientId: number; productName: string; purchasedAt: string }

/** Counted each time from what was bought and which sessions are completed, so that the number is always right. */
async function countPackages(ctx: Ctx, clientIds: number[]): Promise<Map<number, ClientPackage[]>> {
  const bought = clientIds.length ? await listBought(ctx, clientIds) : []
  const byClient = Map.groupBy(bought, ({ clientId }) => clientId)
  const days = await listSessionDays(ctx, [...byClient.keys()])
  return new Map(
    [...byClient].map(([clientId, packages]) => {
      const used = countUsed(packages, days[clientId] ?? [])
      return [
        clientId,
        packages.map(({ id, productName, purchasedAt, since, count }, index) => ({
          id,
          purchaseId: id,
          productName,
          purchasedAt,
          since,
          sessionCount: count,
          used: used[index]!,
          left: count - used[index]!,
        })),
      ]
    }),
  )
}

/**
 * Completed purchases, and those on an invoice that was issued and is neither void nor refunded, from the day of the
 * invoice.
 */
const listBought = (ctx: Ctx, clientIds: number[]): Promise<BoughtPackage[]> =>
  ctx.query({
    name: 'billing.packages',
    text: `select p.id, p.client_id as "clientId", p.product_name as "productName", p.session_count as count,
        ${isoTimestamp('p.purchased_at')} as "purchasedAt",
        least(local_time(p.purchased_at, $3)::date, i.issue_date)::text as since
      from purchase p left join invoice i on i.coach_id = $1 and i.id = p.invoice_id
      where p.coach_id = $1 and p.client_id = any($2::bigint[]) and p.session_count is not null and p.deleted_at is null
        and case when i.id is null then p.status = 'completed'
          else p.status in ('completed', 'pending') and i.state = 'open' and (i.refunded = 0 or i.refunded < i.paid) end
      order by since, p.id`,
    values: [ctx.coachId, clientIds, ctx.account.timezone],
  })

/** The days of the completed sessions of each client, in the coach's time zone. None without a calendar. */
async function listSessionDays(ctx: Ctx, clientIds: number[]): Promise<Record<number, string[]>> {
  if (!clientIds.length) return {}
  const days: Record<number, string[]> = {}
  for (const { data } of await fillSlot(ctx, 'client.sessions', { ids: clientIds.join(',') }))
    for (const [clientId, starts] of Object.entries(data as Record<string, string[]>))
      (days[Number(clientId)] ??= []).push(...starts.map((start) => localDate(start, ctx.account.timezone)))
  return days
}
