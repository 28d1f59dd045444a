import { holds } from '#db/columns.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { Place } from '#tenants/api/cursor.ts'
import { clientNotFound, clientRecordSql, type ClientRecord } from '../output.ts'

/** One client that isn't in the trash. Throws not_found. */
export async function clientOf(ctx: Ctx, id: number): Promise<ClientRecord> {
  authorize(ctx, 'crm:client:read')
  const [client] = await ctx.rows<ClientRecord>({
    name: 'crm.client',
    text: `select ${clientRecordSql} from client where id = $1 and deleted_at is null`,
    values: [id],
  })
  if (!client) throw clientNotFound()
  return client
}

/** As `clientOf`, with the version that the edit form sends back. */
export async function clientOnScreen(ctx: Ctx, id: number): Promise<ClientRecord & { version: number }> {
  authorize(ctx, 'crm:client:read')
  if (!Number.isSafeInteger(id)) throw clientNotFound()
  const [client] = await ctx.rows<ClientRecord & { version: number }>({
    name: 'crm.client-on-screen',
    text: `select ${clientRecordSql}, version from client where id = $1 and deleted_at is null`,
    values: [id],
  })
  if (!client) throw clientNotFound()
  return client
}

export type ClientsWanted = {
  /** Part of the name or the e-mail address, in any case, with or without accents. */
  q?: string | undefined
  archived?: boolean | undefined
  /** null: all of them. */
  rows: number | null
  after: Place | null
}

/** Clients, newest first, as the API lists them. */
export async function clientsNewestFirst(
  ctx: Ctx,
  { q, archived = false, rows, after }: ClientsWanted,
): Promise<ClientRecord[]> {
  authorize(ctx, 'crm:client:read')
  const values: unknown[] = []
  const use = (value: unknown) => `$${values.push(value)}`
  const which = archived ? 'archived_at is not null' : 'archived_at is null'
  const text = `select ${clientRecordSql} from client where deleted_at is null and ${which}${q ? ` and ${holds(use(q))}` : ''}${
    after ? ` and (created_at, id) < (${use(after.at)}::timestamptz, ${use(after.id)}::bigint)` : ''
  } order by client.created_at desc, client.id desc${rows === null ? '' : ` limit ${use(rows)}`}`
  const name = `crm.clients${archived ? '-archived' : ''}${q ? '-q' : ''}${after ? '-after' : ''}${rows === null ? '' : '-limit'}`
  return ctx.rows<ClientRecord>({ name, text, values })
}

/** What a dialog calls a client; null when there is none. */
export async function clientName(ctx: Ctx, id: number): Promise<{ id: number; name: string } | null> {
  authorize(ctx, 'crm:client:read')
  if (!Number.isSafeInteger(id)) return null
  const [client] = await ctx.rows<{ id: number; name: string }>({
    name: 'crm.client-name',
    text: 'select id, name from client where id = $1 and deleted_at is null',
    values: [id],
  })
  return client ?? null
}

/** Names of clients for other modules' lists, those in the trash too: what was sold to them stays in the books. */
export async function clientNames(ctx: Ctx, ids: number[]): Promise<{ id: number; name: string; inTrash: boolean }[]> {
  authorize(ctx, 'crm:client:read')
  return ids.length
    ? ctx.rows({
        name: 'crm.client-names',
        text: 'select id, name, deleted_at is not null as "inTrash" from client where id = any($1::bigint[])',
        values: [ids],
      })
    : []
}

/** The ids of all clients whose name or address holds `q`, those in the trash too. */
export async function clientIdsMatching(ctx: Ctx, q: string): Promise<number[]> {
  authorize(ctx, 'crm:client:read')
  const rows = await ctx.rows<{ id: number }>({
    name: 'crm.client-ids',
    text: `select id from client where ${holds('$1')}`,
    values: [q],
  })
  return rows.map(({ id }) => id)
}

/**
 * Clients that are neither archived nor in the trash, for a form to choose from, by name. `q`: those whose name or address
 * holds it; `rows`: at most so many.
 */
export async function clientChoices(
  ctx: Ctx,
  { q = '', rows = null }: { q?: string; rows?: number | null } = {},
): Promise<{ id: number; name: string }[]> {
  authorize(ctx, 'crm:client:read')
  return ctx.rows({
    name: 'crm.client-choices',
    text: `select id, name from client where deleted_at is null and archived_at is null and ($1 = '' or ${holds('$1')}) order by lower(name) collate "und-x-icu", id limit $2`,
    values: [q, rows],
  })
}
