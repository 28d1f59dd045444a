import { excerptRead } from '#app/lib/markup.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { Place } from '#tenants/api/cursor.ts'
import { interactionNotFound, interactionRecordSql, type InteractionRecord } from '../output.ts'

/** What is hidden with a client in the trash is not there. */
const shown = `from client_interaction i join client c on c.coach_id = i.coach_id and c.id = i.client_id where i.deleted_at is null and c.deleted_at is null`

export type InteractionsWanted = {
  /** One client's; left out: all of the coach's. */
  clientId?: number | undefined
  /** null: all of them. */
  rows: number | null
  after?: Place | null
}

/** Interactions, newest `interactionDate` first. */
export async function interactionsNewestFirst(
  ctx: Ctx,
  { clientId, rows, after = null }: InteractionsWanted,
): Promise<InteractionRecord[]> {
  authorize(ctx, 'crm:interaction:read')
  const values: unknown[] = []
  const use = (value: unknown) => `$${values.push(value)}`
  const text = `select ${interactionRecordSql} ${shown}${clientId === undefined ? '' : ` and i.client_id = ${use(clientId)}`}${
    after ? ` and (i.interaction_date, i.id) < (${use(after.at)}::timestamptz, ${use(after.id)}::bigint)` : ''
  } order by i.interaction_date desc, i.id desc${rows === null ? '' : ` limit ${use(rows)}`}`
  const name = `crm.interactions${clientId === undefined ? '' : '-client'}${after ? '-after' : ''}${rows === null ? '' : '-limit'}`
  return ctx.rows<InteractionRecord>({ name, text, values })
}

/** One interaction of this client. Throws not_found. */
export async function interactionOf(
  ctx: Ctx,
  { clientId, id }: { clientId: number; id: number },
): Promise<InteractionRecord & { version: number }> {
  authorize(ctx, 'crm:interaction:read')
  const [found] = await ctx.rows<InteractionRecord & { version: number }>({
    name: 'crm.interaction',
    text: `select ${interactionRecordSql}, i.version ${shown} and i.client_id = $1 and i.id = $2`,
    values: [clientId, id],
  })
  if (!found) throw interactionNotFound()
  return found
}

/** How many contacts the client's page shows. */
export const recentRows = 3

export type Contact = { id: number; name: string; content: string | null; source: string; interactionDate: Date }

/** The latest contacts that were not a notice of the system: part-1 §2. One more than is shown says that there are more. */
export async function recentContact(ctx: Ctx, clientId: number): Promise<Contact[]> {
  authorize(ctx, 'crm:interaction:read')
  return ctx.rows<Contact>({
    name: 'crm.recent-contact',
    text: `select i.id, i.name, left(i.content, ${excerptRead}) as content, i.source, i.interaction_date as "interactionDate" from client_interaction i
      where i.client_id = $1 and i.deleted_at is null and i.source <> 'system_notification'
      order by i.interaction_date desc, i.id desc limit ${recentRows + 1}`,
    values: [clientId],
  })
}

export const pageRows = 20

/** One page of a client's interactions, newest first, and how many there are; `page` from 1. */
export async function interactionsPage(
  ctx: Ctx,
  { clientId, page }: { clientId: number; page: number },
): Promise<{ rows: InteractionRecord[]; count: number }> {
  authorize(ctx, 'crm:interaction:read')
  const [rows, [counted]] = (await ctx.rowsOf([
    {
      name: 'crm.interactions-page',
      text: `select ${interactionRecordSql} ${shown} and i.client_id = $1 order by i.interaction_date desc, i.id desc limit ${pageRows} offset $2`,
      values: [clientId, (page - 1) * pageRows],
    },
    { name: 'crm.interactions-count', text: `select count(*) ${shown} and i.client_id = $1`, values: [clientId] },
  ])) as [InteractionRecord[], [{ count: number }]]
  return { rows, count: counted.count }
}
