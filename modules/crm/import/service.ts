import { AppError } from '#app/lib/errors.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { assertStorage } from '#tenants/storage.ts'
import type { ImportStatus } from '../schema.ts'
import { guessMapping, mappingError, type Mapping } from './column-mapping.ts'
import { getImport, getImportFile, importNotFound, type ImportRecord } from './queries.ts'
import { encodings, readCsv, type CsvFile } from './read-csv.ts'

/** Files kept per coach. Older ones are deleted unless they are being imported. */
const maxKeptFiles = 10

/**
 * Stores a file for `runImport` and returns the import's id. Headers that aren't recognized need `mapColumns` first.
 * Throws validation_failed, too_large.
 */
export async function startImport(ctx: Ctx, { name, content }: { name: string; content: Uint8Array }): Promise<number> {
  authorize(ctx, 'crm:client:write')
  await assertStorage(ctx)
  const { headers, rows } = await ctx.platform.tenantSlots.run(ctx.coachId, 'preview', () => readCsv(content))
  // After the content, whose message is clearer for a workbook: any other text reads like a list of one column.
  if (!/\.(csv|tsv|txt)$/i.test(name))
    throw new AppError('validation_failed', 'Choose a file whose name ends with .csv, .tsv or .txt.', { field: 'file' })
  const { source, mapping, confident } = guessMapping(headers, rows)
  return ctx.write(async (tx) => {
    const [added] = await tx.query<{ id: number }>({
      name: 'crm.start-import',
      text: `insert into client_import
          (coach_id, file_name, content, source, mapping, status, total, created_at, updated_at)
        values ($1, $2, $3, $4, $5::jsonb, $6, $7, $8, $8) returning id`,
      values: [
        ctx.coachId,
        toStoredFileName(name),
        Buffer.from(content),
        source,
        JSON.stringify(mapping),
        confident ? 'ready' : 'mapping',
        rows.length,
        ctx.now(),
      ],
    })
    await pruneImports(tx)
    return added!.id
  })
}

/** Deletes older imports. One that has added clients can still be undone, so only its file is deleted. */
async function pruneImports(ctx: WriteCtx): Promise<void> {
  const older = `status not in ('running', 'undoing') and id not in (
    select id from client_import where coach_id = $1 order by created_at desc, id desc limit ${maxKeptFiles})`
  await ctx.query({
    name: 'crm.prune-imports',
    text: `delete from client_import where coach_id = $1 and created = 0 and ${older}`,
    values: [ctx.coachId],
  })
  await ctx.query({
    name: 'crm.prune-import-files',
    text: `update client_import set content = '' where coach_id = $1 and octet_length(content) > 0 and ${older}`,
    values: [ctx.coachId],
  })
}

/** At most 255 characters, without control characters and slashes. */
function toStoredFileName(name: string): string {
  const cleaned = name
    .toWellFormed()
    .replace(/[\p{Cc}/\\]/gu, ' ')
    .trim()
  return [...cleaned].slice(0, 255).join('')
}

/** As `getImportFile`, one at a time for a tenant: reading a large file takes a second. Throws rate_limited. */
export const readImportFile = (ctx: Ctx, record: Pick<ImportRecord, 'id' | 'encoding'>): Promise<CsvFile> =>
  ctx.platform.tenantSlots.run(ctx.coachId, 'preview', () => getImportFile(ctx, record))

/** Throws not_found, conflict once the import has started, validation_failed without a name or email column. */
export async function mapColumns(ctx: WriteCtx, id: number, mapping: Mapping): Promise<void> {
  await lockUnstartedImport(ctx, id)
  const { headers, rows } = await readImportFile(ctx, await getImport(ctx, id))
  const error = mappingError(mapping, headers)
  if (error) throw new AppError('validation_failed', error)
  const guess = guessMapping(headers, rows)
  // A recognized export with a changed mapping counts as a custom file, unless its cells are read in a way of their
  // own.
  const unchanged = JSON.stringify(guess.mapping) === JSON.stringify(mapping)
  const source = unchanged || guess.source === 'honeybook' ? guess.source : null
  await ctx.query({
    name: 'crm.map-import-columns',
    text: `update client_import set mapping = $3::jsonb, source = $4, status = 'ready', updated_at = $5 where coach_id = $1 and id = $2`,
    values: [ctx.coachId, id, JSON.stringify(mapping), source, ctx.now()],
  })
}

/**
 * Rereads the file in another encoding (null: the detected one), guesses its mapping and selects all rows. Throws as
 * `mapColumns`.
 */
export async function changeEncoding(ctx: WriteCtx, id: number, encoding: string | null): Promise<void> {
  await lockUnstartedImport(ctx, id)
  if (encoding !== null && !encodings.some((name) => name === encoding))
    throw new AppError('validation_failed', 'Choose an encoding from the list.')
  const { headers, rows } = await readImportFile(ctx, { id, encoding })
  const { source, mapping } = guessMapping(headers, rows)
  await ctx.query({
    name: 'crm.change-import-encoding',
    text: `update client_import set mapping = $3::jsonb, encoding = $4, source = $5, status = 'mapping', total = $6,
        deselected = '[]', updated_at = $7 where coach_id = $1 and id = $2`,
    values: [ctx.coachId, id, JSON.stringify(mapping), encoding, source, rows.length, ctx.now()],
  })
}

/** Rows by their index. `shown`: those that the form had boxes for, `chosen`: of these, the selected ones. */
export type RowChoice = 'all' | 'none' | { shown: number[]; chosen: number[] }

/**
 * Selects the rows to import and sets the tag of their clients. Rows that the form didn't show stay as they are. Throws
 * not_found, and conflict once the import has started.
 */
export async function chooseRows(
  ctx: WriteCtx,
  id: number,
  { rows, tag }: { rows: RowChoice; tag: string | null },
): Promise<void> {
  const { total, deselected } = await lockUnstartedImport(ctx, id)
  await ctx.query({
    name: 'crm.choose-import-rows',
    text: `update client_import set deselected = $3::jsonb, tag = $4, updated_at = $5 where coach_id = $1 and id = $2`,
    values: [ctx.coachId, id, JSON.stringify(toDeselected(rows, deselected, total)), tag, ctx.now()],
  })
}

function toDeselected(rows: RowChoice, before: number[], total: number): number[] {
  if (rows === 'all') return []
  if (rows === 'none') return Array.from({ length: total }, (_, index) => index)
  const shown = new Set(rows.shown)
  const chosen = new Set(rows.chosen)
  const others = before.filter((index) => !shown.has(index))
  const added = [...shown].filter((index) => index < total && !chosen.has(index))
  return [...others, ...added].sort((a, b) => a - b)
}

/**
 * Enqueues the import's job. Calling it again resumes an import whose job was lost and is harmless otherwise.
 * Throws not_found, conflict when the import is complete or its columns are not mapped.
 */
export async function runImport(ctx: WriteCtx, id: number): Promise<void> {
  const { status } = await lockImport(ctx, id)
  if (status === 'undoing' || status === 'undone')
    throw new AppError('conflict', 'This import was undone. Upload the file again to import it once more.')
  if (status === 'done')
    throw new AppError('conflict', 'This import is complete. Upload the file again to import it once more.')
  if (status === 'mapping') throw new AppError('conflict', 'Match the columns first.')
  await ctx.query({
    name: 'crm.run-import',
    text: `update client_import set status = 'running', updated_at = $3 where coach_id = $1 and id = $2`,
    values: [ctx.coachId, id, ctx.now()],
  })
  await enqueueImport(ctx, id)
}

/** Enqueues the job that imports or undoes. Those of one coach run one after the other. */
export function enqueueImport(ctx: WriteCtx, id: number): Promise<void> {
  return ctx.enqueue('crm.import', { coachId: ctx.coachId, importId: id }, { group: { id: String(ctx.coachId) } })
}

/** Deletes an import that has not started. Throws not_found, conflict. */
export async function cancelImport(ctx: WriteCtx, id: number): Promise<void> {
  await lockUnstartedImport(ctx, id)
  await ctx.query({
    name: 'crm.cancel-import',
    text: 'delete from client_import where coach_id = $1 and id = $2',
    values: [ctx.coachId, id],
  })
}

/** Deletes the imports started until then, of some statuses or of all. They can no longer be undone. */
export async function deleteImports(
  ctx: Pick<WriteCtx, 'query' | 'coachId'>,
  { until, statuses = null }: { until: Date; statuses?: ImportStatus[] | null },
): Promise<void> {
  await ctx.query({
    name: 'crm.delete-imports',
    text: `delete from client_import
      where coach_id = $1 and created_at <= $2 and ($3::text[] is null or status = any($3))`,
    values: [ctx.coachId, until, statuses],
  })
}

type LockedImport = {
  id: number
  status: ImportStatus
  position: number
  total: number
  fullAt: number | null
  created: number
  fileName: string
  deselected: number[]
}

export async function lockImport(ctx: WriteCtx, id: number): Promise<LockedImport> {
  authorize(ctx, 'crm:client:write')
  const [found] = await ctx.query<LockedImport>({
    name: 'crm.lock-import',
    text: `select id, status, position, total, full_at as "fullAt", created, file_name as "fileName", deselected
      from client_import where coach_id = $1 and id = $2 for update`,
    values: [ctx.coachId, id],
  })
  if (!found) throw importNotFound()
  return found
}

async function lockUnstartedImport(ctx: WriteCtx, id: number): Promise<LockedImport> {
  const locked = await lockImport(ctx, id)
  if (locked.status === 'mapping' || locked.status === 'ready') return locked
  throw new AppError('conflict', 'This import has started and can no longer be changed.')
}
