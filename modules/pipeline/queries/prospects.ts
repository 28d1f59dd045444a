import { matchesSearch } from '#db/search-sql.ts'
import type { Query } from '#db/read-pool.ts'
import { listClientNames } from '#modules/crm/index.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { listNewest, type Filter, type Page } from '#tenants/api/list-newest.ts'
import { onBoardSql, prospect, type ProspectRecord } from '../records.ts'

/** SQL: the prospects on the board, with their position in their stage as `rank`, from 0. $1 is the coach. */
export const rankedProspectsSql = `(
  select *, row_number() over (partition by stage_id order by position, id) - 1 as rank
  from prospect where coach_id = $1 and ${onBoardSql}) ranked`

/** The prospects on the board, newest first. `q` matches name and email. */
export async function listProspects(
  ctx: Ctx,
  { q, ...page }: Page & { q?: string | undefined } = {},
): Promise<ProspectRecord[]> {
  authorize(ctx, 'pipeline:prospect:read')
  return listNewest(ctx, {
    name: 'pipeline.prospects',
    select: `${prospect.select}, rank as position`,
    from: rankedProspectsSql,
    where: { q: q !== undefined && q !== '' && ([matchesSearch('?', 'ranked'), q] satisfies Filter) },
    time: 'ranked.created_at',
    id: 'ranked.id',
    ...page,
  })
}

/** A prospect on the board. Throws not_found. */
export async function getProspect(ctx: Ctx, id: number): Promise<ProspectRecord> {
  const { version: _, ...record } = await getProspectForEdit(ctx, id)
  return record
}

/** Like `getProspect`, with the version for the edit form. */
export async function getProspectForEdit(ctx: Ctx, id: number): Promise<ProspectRecord & { version: number }> {
  authorize(ctx, 'pipeline:prospect:read')
  const [row] = await ctx.query<ProspectRecord & { version: number }>({
    name: 'pipeline.prospect',
    text: `select ${prospect.select}, version,
        (select count(*) from prospect before
          where before.coach_id = $1 and before.stage_id = prospect.stage_id and before.deleted_at is null and before.converted_at is null
            and (before.position, before.id) < (prospect.position, prospect.id)) as position
      from prospect where coach_id = $1 and id = $2 and ${onBoardSql}`,
    values: [ctx.coachId, id],
  })
  if (!row) throw prospect.notFound()
  return row
}

/** The prospects on the board, by name, for a form's choices. `q` matches name and email; `rows`: at most so many. */
export async function listProspectOptions(
  ctx: Ctx,
  { q = '', rows = null }: { q?: string; rows?: number | null } = {},
): Promise<{ id: number; name: string; timezone: string | null }[]> {
  authorize(ctx, 'pipeline:prospect:read')
  return ctx.query({
    name: 'pipeline.choices',
    text: `select id, name, timezone from prospect where coach_id = $1 and ${onBoardSql} and ($2 = '' or ${matchesSearch('$2')})
      order by lower(name) collate "und-x-icu", id limit $3`,
    values: [ctx.coachId, q, rows],
  })
}

/** The name of a prospect on the board, or null. */
export async function findProspectName(ctx: Ctx, id: number): Promise<{ id: number; name: string } | null> {
  authorize(ctx, 'pipeline:prospect:read')
  const [row] = await ctx.query<{ id: number; name: string }>({
    name: 'pipeline.prospect-name',
    text: `select id, name from prospect where coach_id = $1 and id = $2 and ${onBoardSql}`,
    values: [ctx.coachId, id],
  })
  return row ?? null
}

/** The client of a converted prospect; null if it is not converted or the client is in the trash. */
export async function findConvertedClient(ctx: Ctx, id: number): Promise<{ clientId: number; name: string } | null> {
  authorize(ctx, 'pipeline:prospect:read')
  const [row] = await ctx.query<{ clientId: number | null }>({
    name: 'pipeline.converted-client',
    text: 'select client_id as "clientId" from prospect where coach_id = $1 and id = $2',
    values: [ctx.coachId, id],
  })
  if (!row?.clientId) return null
  const [client] = await listClientNames(ctx, [row.clientId])
  return client && !client.inTrash ? { clientId: client.id, name: client.name } : null
}

/** The number of prospects on the board, for the dashboard. */
export const countQuery = ({ coachId }: Ctx): Query => ({
  name: 'pipeline.count',
  text: `select count(*) as value from prospect where coach_id = $1 and ${onBoardSql}`,
  values: [coachId],
})
