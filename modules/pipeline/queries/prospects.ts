import { holds } from '#db/columns.ts'
import type { Query } from '#db/read-pool.ts'
import { clientNames } from '#modules/crm/index.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { Place } from '#tenants/api/cursor.ts'
import { onBoard, prospectNotFound, prospectRecordSql, type ProspectRecord } from '../output.ts'

/** SQL: each prospect of the board with its place in its stage, from 0. */
const placed = `(select *, row_number() over (partition by stage_id order by position, id) - 1 as rank from prospect where ${onBoard}) placed`

/** Prospects, newest first: neither in the trash nor converted. */
export async function prospectsNewestFirst(
  ctx: Ctx,
  { rows = null, after = null }: { rows?: number | null; after?: Place | null } = {},
): Promise<ProspectRecord[]> {
  authorize(ctx, 'pipeline:prospect:read')
  const values: unknown[] = []
  const use = (value: unknown) => `$${values.push(value)}`
  const text = `select ${prospectRecordSql}, rank as position from ${placed}${
    after ? ` where (created_at, id) < (${use(after.at)}::timestamptz, ${use(after.id)}::bigint)` : ''
  } order by placed.created_at desc, placed.id desc${rows === null ? '' : ` limit ${use(rows)}`}`
  return ctx.rows<ProspectRecord>({
    name: `pipeline.prospects${after ? '-after' : ''}${rows === null ? '' : '-limit'}`,
    text,
    values,
  })
}

/** One prospect that is neither in the trash nor converted. Throws not_found. */
export async function prospectOf(ctx: Ctx, id: number): Promise<ProspectRecord> {
  const { version: _, ...prospect } = await prospectOnScreen(ctx, id)
  return prospect
}

/** As `prospectOf`, with the version that the edit form sends back. */
export async function prospectOnScreen(ctx: Ctx, id: number): Promise<ProspectRecord & { version: number }> {
  authorize(ctx, 'pipeline:prospect:read')
  const [prospect] = await ctx.rows<ProspectRecord & { version: number }>({
    name: 'pipeline.prospect',
    text: `select ${prospectRecordSql}, version,
        (select count(*) from prospect before where before.stage_id = prospect.stage_id and before.deleted_at is null and before.converted_at is null
          and (before.position, before.id) < (prospect.position, prospect.id)) as position
      from prospect where id = $1 and ${onBoard}`,
    values: [id],
  })
  if (!prospect) throw prospectNotFound()
  return prospect
}

/** Prospects of the board, for a form to choose from, by name. `q`: those whose name or address holds it; `rows`: at most so many. */
export async function prospectChoices(
  ctx: Ctx,
  { q = '', rows = null }: { q?: string; rows?: number | null } = {},
): Promise<{ id: number; name: string }[]> {
  authorize(ctx, 'pipeline:prospect:read')
  return ctx.rows({
    name: 'pipeline.choices',
    text: `select id, name from prospect where ${onBoard} and ($1 = '' or ${holds('$1')}) order by lower(name) collate "und-x-icu", id limit $2`,
    values: [q, rows],
  })
}

/** The name of a prospect of the board; null when it isn't there. */
export async function prospectNamed(ctx: Ctx, id: number): Promise<{ id: number; name: string } | null> {
  authorize(ctx, 'pipeline:prospect:read')
  const [prospect] = await ctx.rows<{ id: number; name: string }>({
    name: 'pipeline.named',
    text: `select id, name from prospect where id = $1 and ${onBoard}`,
    values: [id],
  })
  return prospect ?? null
}

/** Whom a converted prospect became; null for any other, and when the client lies in the trash. */
export async function becameClient(ctx: Ctx, id: number): Promise<{ clientId: number; name: string } | null> {
  authorize(ctx, 'pipeline:prospect:read')
  const [prospect] = await ctx.rows<{ clientId: number | null }>({
    name: 'pipeline.became',
    text: 'select client_id as "clientId" from prospect where id = $1',
    values: [id],
  })
  if (!prospect?.clientId) return null
  const [client] = await clientNames(ctx, [prospect.clientId])
  return client && !client.inTrash ? { clientId: client.id, name: client.name } : null
}

/** As the figure of the dashboard: the prospects that are not converted. */
export const countQuery: Query = {
  name: 'pipeline.count',
  text: `select count(*) as value from prospect where ${onBoard}`,
}
