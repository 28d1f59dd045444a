import { matchesSearch } from '#db/search-sql.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { Cursor } from '#tenants/api/cursor.ts'
import { clientNotFound, clientRecordSql, type ClientRecord } from '../output.ts'

/** One client that isn't in the trash. Throws not_found. */
export async function getClient(ctx: Ctx, id: number): Promise<ClientRecord> {
  authorize(ctx, 'crm:client:read')
  const [client] = await ctx.query<ClientRecord>({
    name: 'crm.client',
    text: `select ${clientRecordSql} from client where id = $1 and deleted_at is null`,
    values: [id],
  })
  if (!client) throw clientNotFound()
  return client
}

/** As `getClient`, with the version that the edit form sends back. */
export async function getClientForEdit(ctx: Ctx, id: number): Promise<ClientRecord & { version: number }> {
  authorize(ctx, 'crm:client:read')
  if (!Number.isSafeInteger(id)) throw clientNotFound()
  const [client] = await ctx.query<ClientRecord & { version: number }>({
    name: 'crm.client-for-edit',
    text: `select ${clientRecordSql}, version from client where id = $1 and deleted_at is null`,
    values: [id],
  })
  if (!client) throw clientNotFound()
  return client
}

export type ListClientsOptions = {
  /** Part of the name or the email address; ignores case and accents. */
  q?: string | undefined
  archived?: boolean | undefined
  /** null: all. */
  rows: number | null
  after: Cursor | null
}

/** Clients outside the trash, newest first. */
export async function listClients(
  ctx: Ctx,
  { q, archived = false, rows, after }: ListClientsOptions,
): Promise<ClientRecord[]> {
  authorize(ctx, 'crm:client:read')
  const values: unknown[] = []
  const param = (value: unknown) => `$${values.push(value)}`
  const conditions = [
    'deleted_at is null',
    `archived_at is ${archived ? 'not null' : 'null'}`,
    ...(q ? [matchesSearch(param(q))] : []),
    ...(after ? [`(created_at, id) < (${param(after.at)}::timestamptz, ${param(after.id)}::bigint)`] : []),
  ]
  const text = `select ${clientRecordSql} from client where ${conditions.join(' and ')}
    order by client.created_at desc, client.id desc ${rows === null ? '' : `limit ${param(rows)}`}`
  const variant = [archived && '-archived', q && '-q', after && '-after', rows !== null && '-limit'].filter(Boolean)
  const name = `crm.clients${variant.join('')}`
  return ctx.query<ClientRecord>({ name, text, values })
}

/** Null for a client that doesn't exist or is in the trash. */
export async function findClientName(ctx: Ctx, id: number): Promise<{ id: number; name: string } | null> {
  authorize(ctx, 'crm:client:read')
  if (!Number.isSafeInteger(id)) return null
  const [client] = await ctx.query<{ id: number; name: string }>({
    name: 'crm.client-name',
    text: 'select id, name from client where id = $1 and deleted_at is null',
    values: [id],
  })
  return client ?? null
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
        text: 'select id, name, deleted_at is not null as "inTrash" from client where id = any($1::bigint[])',
        values: [ids],
      })
    : []
}

/** The ids of all clients whose name or email contains `q`, including those in the trash. */
export async function listClientIdsMatching(ctx: Ctx, q: string): Promise<number[]> {
  authorize(ctx, 'crm:client:read')
  const rows = await ctx.query<{ id: number }>({
    name: 'crm.client-ids',
    text: `select id from client where ${matchesSearch('$1')}`,
    values: [q],
  })
  return rows.map(({ id }) => id)
}

/** Active clients for a select, by name, optionally filtered by name or email. `rows`: at most so many. */
export async function listClientOptions(
  ctx: Ctx,
  { q = '', rows = null }: { q?: string; rows?: number | null } = {},
): Promise<{ id: number; name: string }[]> {
  authorize(ctx, 'crm:client:read')
  return ctx.query({
    name: 'crm.client-options',
    text: `select id, name from client
      where deleted_at is null and archived_at is null and ($1 = '' or ${matchesSearch('$1')})
      order by lower(name) collate "und-x-icu", id limit $2`,
    values: [q, rows],
  })
}
