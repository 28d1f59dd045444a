import { insertRows } from '#db/insert-rows.ts'
import { columnName } from '#modules/core/define-record.ts'
import { publish } from '#modules/core/events.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import type { Platform } from '#tenants/platform.ts'
import { clientCreated } from '../events.ts'
import { clientFieldNames } from '../fields.ts'
import type { NewClient } from '../forms.ts'
import { logActivity } from '../services/activities.ts'
import { lockAccount, remainingClients } from '../services/plan-limit.ts'
import { markExisting, type PlannedRow } from './plan.ts'
import { findExistingClients, planImport } from './preview.ts'
import { getImport, getImportFile, type ImportRecord } from './queries.ts'
import { enqueueImport, lockImport } from './service.ts'
import { undoChunk } from './undo.ts'

/** Rows per transaction. */
const chunkSize = 200
/**
 * After this time the import goes to the end of the queue, so that a long one doesn't hold up those of other coaches.
 */
const turnMs = 5_000

/** Imports or undoes in chunks. A chunk commits together with its progress, so that the job can resume. */
export async function runImportJob(platform: Platform, data: { coachId?: unknown; importId?: unknown }): Promise<void> {
  const ctx = await loadCoachContext(platform, Number(data.coachId), `import-${String(data.importId)}`)
  if (!ctx) return
  const id = Number(data.importId)
  const record = await getImport(ctx, id)
  const runChunk = await prepareChunks(ctx, record)
  if (!runChunk) return
  const turnEnds = performance.now() + turnMs
  let hasMore = true
  while (hasMore && performance.now() < turnEnds) hasMore = await ctx.write(runChunk)
  if (hasMore) await ctx.write((tx) => enqueueImport(tx, id))
}

/** Imports or undoes one chunk. Returns whether there are more. */
type RunChunk = (tx: WriteCtx) => Promise<boolean>

async function prepareChunks(ctx: Ctx, record: ImportRecord): Promise<RunChunk | null> {
  const { id, status } = record
  if (status === 'undoing') return (tx) => undoChunk(tx, id)
  if (status !== 'running') return null
  const planned = await planImport(record, await getImportFile(ctx, record))
  return (tx) => importChunk(tx, id, planned)
}

/** Imports one chunk. Returns whether there are more. */
async function importChunk(ctx: WriteCtx, id: number, planned: PlannedRow[]): Promise<boolean> {
  const { status, position, total, fullAt, created, fileName } = await lockImport(ctx, id)
  if (status !== 'running') return false
  // Block other writers that add clients, so that no person is added twice.
  await lockAccount(ctx)
  const chunk = planned.slice(position, position + chunkSize)
  const existing = await findExistingClients(ctx, chunk)
  const rows = chunk.map((row) => markExisting(existing, row))
  const toCreate = rows.flatMap((row, index) =>
    row.outcome === 'create' ? [{ client: row.client, row: position + index }] : [],
  )
  const remaining = fullAt === null ? ((await remainingClients(ctx)) ?? Infinity) : 0
  const added = toCreate.slice(0, remaining)
  await insertClients(
    ctx,
    id,
    added.map(({ client }) => client),
  )

  const isDone = position + chunk.length >= total
  await ctx.query({
    name: 'crm.advance-import',
    text: `update client_import set position = position + $3, created = created + $4, duplicates = duplicates + $5,
        failed = failed + $6, left_out = left_out + $7, full_at = coalesce(full_at, $8), status = $9, finished_at = $10,
        updated_at = $11, not_selected = not_selected + $12 where coach_id = $1 and id = $2`,
    values: [
      ctx.coachId,
      id,
      chunk.length,
      added.length,
      rows.filter((row) => row.outcome === 'duplicate').length,
      rows.filter((row) => row.outcome === 'error').length,
      toCreate.length - added.length,
      toCreate[added.length]?.row ?? null,
      isDone ? 'done' : 'running',
      isDone ? ctx.now() : null,
      ctx.now(),
      rows.filter((row) => row.outcome === 'deselected').length,
    ],
  })
  // One activity for the whole import: one per client would hide all others.
  if (isDone && created + added.length > 0) await logActivity(ctx, importedActivity(created + added.length, fileName))
  return !isDone
}

function importedActivity(count: number, fileName: string) {
  return {
    type: 'clients_imported',
    title: 'Clients imported',
    description: `${count.toLocaleString('en-US')} ${count === 1 ? 'client' : 'clients'} from ${fileName}`,
  }
}

/** Inserts clients in file order, and which import they are from. */
async function insertClients(ctx: WriteCtx, importId: number, clients: NewClient[]): Promise<void> {
  if (!clients.length) return
  const now = ctx.now()
  const rows = clients.map((client) => ({
    coach_id: ctx.coachId,
    created_at: now,
    updated_at: now,
    ...Object.fromEntries(clientFieldNames.map((field) => [columnName(field), client[field]])),
  }))
  const added = await ctx.query<{ id: number }>(insertRows('client', rows, { returning: 'id' }))
  const imported = added.map(({ id }) => ({ coach_id: ctx.coachId, import_id: importId, client_id: id }))
  await ctx.query(insertRows('imported_client', imported))
  for (const { id } of added) await publish(ctx, clientCreated, { clientId: id })
}
