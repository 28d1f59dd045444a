import { matchesSearch } from '#db/search-sql.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { listNewest, type Filter, type Page } from '#tenants/api/list-newest.ts'
import type { ClientStatus } from '../fields.ts'
import { hasTag } from '../joins.ts'
import { client, type ClientRecord } from '../records.ts'
import { loadContributedConditions } from './filters.ts'

/** One client that isn't in the trash. Throws not_found. */
export async function getClient(ctx: Ctx, id: number): Promise<ClientRecord> {
  authorize(ctx, 'crm:client:read')
  const [row] = await ctx.query<ClientRecord>({
    name: 'crm.client',
    text: `select ${client.select} from client where coach_id = $1 and id = $2 and deleted_at is null`,
    values: [ctx.coachId, id],
  })
  if (!row) throw client.notFound()
  return row
}

/** As `getClient`, with the version that the edit form sends back. */
export async function getClientForEdit(ctx: Ctx, id: number): Promise<ClientRecord & { version: number }> {
  authorize(ctx, 'crm:client:read')
  if (!Number.isSafeInteger(id)) throw client.notFound()
  const [row] = await ctx.query<ClientRecord & { version: number }>({
    name: 'crm.client-for-edit',
    text: `select ${client.select}, version from client where coach_id = $1 and id = $2 and deleted_at is null`,
    values: [ctx.coachId, id],
  })
  if (!row) throw client.notFound()
  return row
}

export type ClientFilter = {
  q?: string | null | undefined
  status?: ClientStatus | undefined
  tag?: string | undefined
  /** Filters of other modules, as in the URL of the list. */
  filters?: readonly string[] | undefined
  archived?: boolean
}

/** Clients outside the trash, newest first. `q`: part of the name or email; ignores case and accents. */
export async function listClients(
  ctx: Ctx,
  { q, status, tag, filters = [], archived = false, ...page }: Page & ClientFilter = {},
): Promise<ClientRecord[]> {
  authorize(ctx, 'crm:client:read')
  const contributed = await loadContributedConditions(ctx, filters)
  return listNewest(ctx, {
    name: 'crm.clients',
    select: client.select,
    from: 'client',
    where: {
      visible: 'deleted_at is null',
      archived: archived && 'archived_at is not null',
      current: !archived && 'archived_at is null',
      q: q ? [matchesSearch('?'), q] : false,
      status: status ? ['status = ?', status] : false,
      tag: tag ? [hasTag('?'), tag] : false,
      ...Object.fromEntries(contributed.map(({ name, sql, value }): [string, Filter] => [name, [sql('?'), value]])),
    },
    ...page,
  })
}

/**
 * The client with an email address, ignoring case; of several, a current one. Null if there is none outside the trash.
 */
export async function findClientByEmail(ctx: Ctx, email: string): Promise<number | null> {
  authorize(ctx, 'crm:client:read')
  const [row] = await ctx.query<{ id: number }>({
    name: 'crm.client-by-email',
    text: `select id from client
      where coach_id = $1 and id in (select list_client_ids_by_email($1, $2)) and deleted_at is null
      order by archived_at is not null, id limit 1`,
    values: [ctx.coachId, email],
  })
  return row?.id ?? null
}

/** Null for a client that doesn't exist or is in the trash. */
export async function findClientName(ctx: Ctx, id: number): Promise<{ id: number; name: string } | null> {
  authorize(ctx, 'crm:client:read')
  if (!Number.isSafeInteger(id)) return null
  const [row] = await ctx.query<{ id: number; name: string }>({
    name: 'crm.client-name',
    text: 'select id, name from client where coach_id = $1 and id = $2 and deleted_at is null',
    values: [ctx.coachId, id],
  })
  return row ?? null
}

/** Names of clients for other modules' lists, including those in the trash, whose purchases stay listed. */
export async function listClientNames(
  ctx: Ctx,
  ids: number[],
): Promise<{ id: number; name: string; inTrash: boolean }[]> {
  authorize(ctx, 'crm:client:read')
  return ids.length
    ? ctx.query({
        name: 'crm.client-names',
        text: 'select id, name, deleted_at is not null as "inTrash" from client where coach_id = $1 and id = any($2::bigint[])',
        values: [ctx.coachId, ids],
      })
    : []
}

/** The ids of all clients whose name or email contains `q`, including those in the trash. */
export async function listClientIdsMatching(ctx: Ctx, q: string): Promise<number[]> {
  authorize(ctx, 'crm:client:read')
  const rows = await ctx.query<{ id: number }>({
    name: 'crm.client-ids',
    text: `select id from client where coach_id = $1 and ${matchesSearch('$2')}`,
    values: [ctx.coachId, q],
  })
  return rows.map(({ id }) => id)
}

/** Active clients for a select, by name, optionally filtered by name or email. `rows`: at most so many. */
export async function listClientOptions(
  ctx: Ctx,
  { q = '', rows = null }: { q?: string; rows?: number | null } = {},
): Promise<{ id: number; name: string; timezone: string | null }[]> {
  authorize(ctx, 'crm:client:read')
  return ctx.query({
    name: 'crm.client-options',
    text: `select id, name, timezone from client
      where coach_id = $1 and deleted_at is null and archived_at is null and ($2 = '' or ${matchesSearch('$2')})
      order by lower(name) collate "und-x-icu", id limit $3`,
    values: [ctx.coachId, q, rows],
  })
}

/** All clients outside the trash, to find the one that another program names. */
export async function listClientContacts(
  ctx: Ctx,
  tag?: string,
): Promise<{ id: number; name: string; email: string }[]> {
  authorize(ctx, 'crm:client:read')
  return ctx.query({
    name: 'crm.client-contacts',
    text: `select id, name, email from client where coach_id = $1 and deleted_at is null
      and ($2::text is null or ${hasTag('$2')}) order by id`,
    values: [ctx.coachId, tag ?? null],
  })
}
