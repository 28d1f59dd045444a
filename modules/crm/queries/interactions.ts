import { maxExcerptSource } from '#app/lib/markup.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { Cursor } from '#tenants/api/cursor.ts'
import { interactionNotFound, interactionRecordSql, type InteractionRecord } from '../output.ts'

const fromVisible = `from client_interaction i join client c on c.coach_id = i.coach_id and c.id = i.client_id
  where i.deleted_at is null and c.deleted_at is null`

export type ListInteractionsOptions = {
  /** Without it: the interactions of all clients. */
  clientId?: number | undefined
  /** null: all. */
  rows: number | null
  after?: Cursor | null
}

/** Interactions, newest `interactionDate` first. */
export async function listInteractions(
  ctx: Ctx,
  { clientId, rows, after = null }: ListInteractionsOptions,
): Promise<InteractionRecord[]> {
  authorize(ctx, 'crm:interaction:read')
  const values: unknown[] = []
  const param = (value: unknown) => `$${values.push(value)}`
  const conditions = [
    ...(clientId === undefined ? [] : [`and i.client_id = ${param(clientId)}`]),
    ...(after
      ? [`and (i.interaction_date, i.id) < (${param(after.at)}::timestamptz, ${param(after.id)}::bigint)`]
      : []),
  ]
  const text = `select ${interactionRecordSql} ${fromVisible} ${conditions.join(' ')}
    order by i.interaction_date desc, i.id desc ${rows === null ? '' : `limit ${param(rows)}`}`
  const variant = [clientId !== undefined && '-client', after && '-after', rows !== null && '-limit'].filter(Boolean)
  const name = `crm.interactions${variant.join('')}`
  return ctx.query<InteractionRecord>({ name, text, values })
}

/** One interaction of this client. Throws not_found. */
export async function getInteraction(
  ctx: Ctx,
  { clientId, id }: { clientId: number; id: number },
): Promise<InteractionRecord & { version: number }> {
  authorize(ctx, 'crm:interaction:read')
  const [found] = await ctx.query<InteractionRecord & { version: number }>({
    name: 'crm.interaction',
    text: `select ${interactionRecordSql}, i.version ${fromVisible} and i.client_id = $1 and i.id = $2`,
    values: [clientId, id],
  })
  if (!found) throw interactionNotFound()
  return found
}

/** Rows of the card on the client's page. */
export const recentLimit = 3

export type RecentInteraction = {
  id: number
  name: string
  content: string | null
  source: string
  interactionDate: Date
}

/** The latest interactions without system notifications (part-1 §2), one more than is shown. */
export async function listRecentInteractions(ctx: Ctx, clientId: number): Promise<RecentInteraction[]> {
  authorize(ctx, 'crm:interaction:read')
  return ctx.query<RecentInteraction>({
    name: 'crm.recent-interactions',
    text: `select i.id, i.name, left(i.content, ${maxExcerptSource}) as content, i.source,
        i.interaction_date as "interactionDate"
      from client_interaction i where i.client_id = $1 and i.deleted_at is null and i.source <> 'system_notification'
      order by i.interaction_date desc, i.id desc limit ${recentLimit + 1}`,
    values: [clientId],
  })
}

export const interactionsPerPage = 20

/** One page of a client's interactions (from 1), newest first, and the total count. */
export async function getInteractionsPage(
  ctx: Ctx,
  { clientId, page }: { clientId: number; page: number },
): Promise<{ rows: InteractionRecord[]; count: number }> {
  authorize(ctx, 'crm:interaction:read')
  const [rows, [total]] = (await ctx.queryAll([
    {
      name: 'crm.interactions-page',
      text: `select ${interactionRecordSql} ${fromVisible} and i.client_id = $1
        order by i.interaction_date desc, i.id desc limit ${interactionsPerPage} offset $2`,
      values: [clientId, (page - 1) * interactionsPerPage],
    },
    { name: 'crm.interactions-count', text: `select count(*) ${fromVisible} and i.client_id = $1`, values: [clientId] },
  ])) as [InteractionRecord[], [{ count: number }]]
  return { rows, count: total.count }
}
