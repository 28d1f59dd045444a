import { AppError } from '#app/lib/errors.ts'
import { publishAll } from '#modules/core/events.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import type { Platform } from '#tenants/platform.ts'
import { clientDeleted } from '../events.ts'
import { Activity, Client, ImportedClient, type UndoOutcome } from '../schema.ts'
import { logActivity } from '../services/activities.ts'
import { enqueueImport, lockImport } from './service.ts'

/** Clients per transaction. */
const chunkSize = 200

/**
 * Enqueues the job that moves the clients of an import to the trash, except for those that were changed or used since.
 * An import that is running stops. Calling it again resumes an undo whose job was lost and is harmless otherwise. Throws
 * not_found, and conflict if the import hasn't started or has added nobody.
 */
export async function undoImport(ctx: WriteCtx, id: number): Promise<void> {
  const { status, created } = await lockImport(ctx, id)
  if (status === 'undone') return
  if (status === 'mapping' || status === 'ready') throw new AppError('conflict', 'This import has not started.')
  if (status === 'done' && created === 0) throw new AppError('conflict', 'This import added no clients.')
  await ctx.query({
    name: 'crm.undo-import',
    text: `update client_import set status = 'undoing', updated_at = $3 where coach_id = $1 and id = $2`,
    values: [ctx.coachId, id, ctx.now()],
  })
  await enqueueImport(ctx, id)
}

/** Undoes one chunk. Returns whether there are more. */
export async function undoChunk(ctx: WriteCtx, id: number): Promise<boolean> {
  const { status, fileName } = await lockImport(ctx, id)
  if (status !== 'undoing') return false
  const ids = await listPending(ctx, id)
  // Locked clients can't be edited or get records of other modules until this commits. What was written before is seen
  // by the next statement.
  const clients = await lockClients(ctx, ids)
  const uses = await findUses(
    ctx,
    clients.map((client) => client.id),
  )
  const outcomes = clients.map((client) => ({ id: client.id, ...toOutcome(client, uses.get(client.id)) }))
  await moveToTrash(
    ctx,
    outcomes.flatMap((client) => (client.outcome === 'moved' ? [client.id] : [])),
  )
  await saveOutcomes(ctx, id, outcomes)
  if (ids.length === chunkSize) return true
  await finish(ctx, id, fileName)
  return false
}

async function listPending(ctx: WriteCtx, id: number): Promise<number[]> {
  const rows = await ctx.query<{ clientId: number }>({
    name: 'crm.imported-clients-to-undo',
    text: `select client_id as "clientId" from imported_client
      where coach_id = $1 and import_id = $2 and outcome is null order by client_id limit ${chunkSize}`,
    values: [ctx.coachId, id],
  })
  return rows.map(({ clientId }) => clientId)
}

type ImportedState = { id: number; version: number; isArchived: boolean; isDeleted: boolean }

async function lockClients(ctx: WriteCtx, ids: number[]): Promise<ImportedState[]> {
  return ctx.query({
    name: 'crm.lock-imported-clients',
    text: `select id, version, archived_at is not null as "isArchived", deleted_at is not null as "isDeleted"
      from client where coach_id = $1 and id = any($2::bigint[]) order by id for update`,
    values: [ctx.coachId, ids],
  })
}

type Outcome = { outcome: UndoOutcome; usedBy: string | null }

function toOutcome({ version, isArchived, isDeleted }: ImportedState, usedBy: string | undefined): Outcome {
  if (isDeleted) return { outcome: 'deleted', usedBy: null }
  if (isArchived) return { outcome: 'archived', usedBy: null }
  if (version > 1) return { outcome: 'changed', usedBy: null }
  return usedBy === undefined ? { outcome: 'moved', usedBy: null } : { outcome: 'used', usedBy }
}

/** The kind of a record that each client has, for those who have any. */
async function findUses(ctx: WriteCtx, ids: number[]): Promise<Map<number, string>> {
  const tables = listClientTables(ctx.platform)
  const labels = new Map(ctx.platform.extensions.recordKinds.map(({ kind, label }) => [kind, label]))
  // A record with a page of its own says more than, for example, an entry of a log.
  const ordered = [...tables].sort((a, b) => Number(labels.has(b.table)) - Number(labels.has(a.table)))
  const rows = await ctx.query<{ clientId: number; table: string }>({
    name: 'crm.uses-of-imported-clients',
    text: ordered
      .map(
        ({ table, column }) =>
          `select distinct ${column} as "clientId", '${table}' as table
            from "${table}" where coach_id = $1 and ${column} = any($2::bigint[])`,
      )
      .join(' union all '),
    values: [ctx.coachId, ids],
  })
  const position = new Map(ordered.map(({ table }, index) => [table, index]))
  const sorted = rows.toSorted((a, b) => position.get(b.table)! - position.get(a.table)!)
  return new Map(sorted.map(({ clientId, table }) => [clientId, labels.get(table) ?? toLabel(table)]))
}

/** The tables of all modules with a foreign key to clients, and its column. */
function listClientTables({ orm }: Pick<Platform, 'orm'>): { table: string; column: string }[] {
  const own = [ImportedClient, Activity].map(({ meta }) => meta.tableName)
  return [...orm.getMetadata().getAll().values()].flatMap(({ tableName, relations }) =>
    relations.flatMap(({ targetMeta, joinColumns }) =>
      targetMeta?.tableName === Client.meta.tableName && !own.includes(tableName)
        ? [{ table: tableName, column: joinColumns.at(-1)! }]
        : [],
    ),
  )
}

/** `message_thread` → `Message thread` */
const toLabel = (table: string): string => table.charAt(0).toUpperCase() + table.slice(1).replaceAll('_', ' ')

async function moveToTrash(ctx: WriteCtx, ids: number[]): Promise<void> {
  if (!ids.length) return
  await ctx.query({
    name: 'crm.undo-imported-clients',
    text: 'update client set deleted_at = $3 where coach_id = $1 and id = any($2::bigint[])',
    values: [ctx.coachId, ids, ctx.now()],
  })
  await publishAll(
    ctx,
    clientDeleted,
    ids.map((clientId) => ({ clientId })),
  )
}

async function saveOutcomes(ctx: WriteCtx, id: number, outcomes: (Outcome & { id: number })[]): Promise<void> {
  await ctx.query({
    name: 'crm.save-undo-outcomes',
    text: `update imported_client set outcome = saved.outcome, used_by = saved.used_by
      from unnest($3::bigint[], $4::text[], $5::text[]) as saved (client_id, outcome, used_by)
      where coach_id = $1 and import_id = $2 and imported_client.client_id = saved.client_id`,
    values: [
      ctx.coachId,
      id,
      outcomes.map((client) => client.id),
      outcomes.map(({ outcome }) => outcome),
      outcomes.map(({ usedBy }) => usedBy),
    ],
  })
}

/** The file isn't needed any more: its clients are in the trash, or are the coach's by now. */
async function finish(ctx: WriteCtx, id: number, fileName: string): Promise<void> {
  await ctx.query({
    name: 'crm.finish-undo',
    text: `update client_import set status = 'undone', content = '', deselected = '[]', updated_at = $3
      where coach_id = $1 and id = $2`,
    values: [ctx.coachId, id, ctx.now()],
  })
  const { moved } = await countOutcomes(ctx, id)
  if (moved === 0) return
  await logActivity(ctx, {
    type: 'clients_import_undone',
    title: 'Import undone',
    description: `${moved.toLocaleString('en-US')} ${moved === 1 ? 'client' : 'clients'} from ${fileName}`,
  })
}

export type OutcomeCounts = Record<UndoOutcome, number>

/** How many clients of an import its undo has moved to the trash, and left alone for each reason. */
export async function countOutcomes(ctx: Ctx, id: number): Promise<OutcomeCounts> {
  authorize(ctx, 'crm:client:write')
  const rows = await ctx.query<{ outcome: UndoOutcome; clients: number }>({
    name: 'crm.count-undo-outcomes',
    text: `select outcome, count(*)::int as clients from imported_client
      where coach_id = $1 and import_id = $2 and outcome is not null group by outcome`,
    values: [ctx.coachId, id],
  })
  const none = { moved: 0, changed: 0, archived: 0, used: 0, deleted: 0 }
  return { ...none, ...Object.fromEntries(rows.map(({ outcome, clients }) => [outcome, clients])) }
}

export type KeptClient = { id: number; name: string; email: string; inTrash: boolean } & Outcome

/** The clients that the undo of an import left alone, in the order of the file. */
export async function listKept(
  ctx: Ctx,
  id: number,
  { rows, offset }: { rows: number; offset: number },
): Promise<KeptClient[]> {
  authorize(ctx, 'crm:client:write')
  return ctx.query({
    name: 'crm.kept-clients',
    text: `select c.id, c.name, c.email, c.deleted_at is not null as "inTrash", i.outcome, i.used_by as "usedBy"
      from imported_client i join client c on c.coach_id = $1 and c.id = i.client_id
      where i.coach_id = $1 and i.import_id = $2 and i.outcome <> 'moved' order by i.id limit $3 offset $4`,
    values: [ctx.coachId, id, rows, offset],
  })
}
