import { AppError } from '#app/lib/errors.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { ctxOf } from '#tenants/accounts/accounts.ts'
import type { Platform, TenantTransaction } from '#tenants/platform.ts'
import { record } from '#modules/core/events.ts'
import { guessMapping, unmappable, type Mapping } from '../csv/headers.ts'
import { beside, type PlannedRow } from '../csv/plan.ts'
import { encodings, readCsv } from '../csv/read.ts'
import { clientAdded } from '../events.ts'
import { clientFields, type NewClient } from '../forms.ts'
import { fileOf, importOf, knownAmong, plannedRows } from '../queries/imports.ts'
import { columnOf } from '../output.ts'
import type { ImportStatus } from '../schema.ts'
import { logActivity } from './activities.ts'
import { holdPractice, roomOnPlan } from './plan-limit.ts'

/** Rows of one transaction: what a killed process leaves is whole chunks of them. */
const chunkRows = 200
/** Files kept for one coach; older ones that aren't running go. */
const keptImports = 10

/**
 * Takes a file in. Nothing comes of it before `runImport`; it needs `chooseColumns` first unless its columns have known
 * names. Answers the import's id. Throws validation_failed and too_large for what is no list of people.
 */
export async function startImport(ctx: Ctx, { name, content }: { name: string; content: Uint8Array }): Promise<number> {
  authorize(ctx, 'crm:client:write')
  const { headers, rows } = await readCsv(content)
  const { source, mapping, sure } = guessMapping(headers, rows)
  return ctx.write(async (tx) => {
    const [made] = await tx.rows<{ id: number }>({
      name: 'crm.import-start',
      text: `insert into client_import (coach_id, file_name, content, source, mapping, status, total, created_at, updated_at)
        values ($1, $2, $3, $4, $5::jsonb, $6, $7, $8, $8) returning id`,
      values: [
        ctx.coachId,
        shortName(name),
        Buffer.from(content),
        source,
        JSON.stringify(mapping),
        sure ? 'ready' : 'mapping',
        rows.length,
        ctx.now(),
      ],
    })
    await tx.rows({
      name: 'crm.import-tidy',
      text: `delete from client_import where status <> 'running'
        and id not in (select id from client_import order by created_at desc, id desc limit ${keptImports})`,
    })
    return made!.id
  })
}

/** What a coach calls the file: one line of at most 255 characters, without what can't be stored. */
function shortName(name: string): string {
  const plain = name
    .toWellFormed()
    .replace(/[\p{Cc}/\\]/gu, ' ')
    .trim()
  return [...plain].slice(0, 255).join('') || 'clients.csv'
}

/** Says which columns are what. Throws not_found, conflict when the import runs or ran, validation_failed when name or e-mail address have no column. */
export async function chooseColumns(ctx: WriteCtx, id: number, mapping: Mapping): Promise<void> {
  await holdBeforeRun(ctx, id)
  const { headers, rows } = await fileOf(ctx, await importOf(ctx, id))
  const refusal = unmappable(mapping, headers)
  if (refusal) throw new AppError('validation_failed', refusal)
  const guess = guessMapping(headers, rows)
  // An export that is read otherwise than we would is somebody's own list.
  const source = JSON.stringify(guess.mapping) === JSON.stringify(mapping) ? guess.source : null
  await ctx.rows({
    name: 'crm.import-columns',
    text: `update client_import set mapping = $2::jsonb, source = $3, status = 'ready', updated_at = $4 where id = $1`,
    values: [id, JSON.stringify(mapping), source, ctx.now()],
  })
}

/** Reads the file in another encoding (null: as recognised): its columns are guessed anew. Throws as `chooseColumns`. */
export async function chooseEncoding(ctx: WriteCtx, id: number, encoding: string | null): Promise<void> {
  await holdBeforeRun(ctx, id)
  if (encoding !== null && !encodings.some((name) => name === encoding))
    throw new AppError('validation_failed', 'Choose an encoding from the list.')
  const { headers, rows } = await fileOf(ctx, { id, encoding })
  const { source, mapping } = guessMapping(headers, rows)
  await ctx.rows({
    name: 'crm.import-encoding',
    text: `update client_import set mapping = $2::jsonb, encoding = $3, source = $4, status = 'mapping', total = $5, updated_at = $6 where id = $1`,
    values: [id, JSON.stringify(mapping), encoding, source, rows.length, ctx.now()],
  })
}

/**
 * Lets the rows come in, by a job. One that runs already goes on: a job that is lost is replaced, one that isn't finds
 * nothing left. Throws not_found, conflict when it is done or needs its columns first.
 */
export async function runImport(ctx: WriteCtx, id: number): Promise<void> {
  const { status } = await held(ctx, id)
  if (status === 'done')
    throw new AppError('conflict', 'This import is done. Choose the file again to import it once more.')
  if (status === 'mapping') throw new AppError('conflict', 'Say first which columns are what.')
  await ctx.rows({
    name: 'crm.import-run',
    text: `update client_import set status = 'running', updated_at = $2 where id = $1`,
    values: [id, ctx.now()],
  })
  await ctx.enqueue('crm.import', { coachId: ctx.coachId, importId: id })
}

/** Forgets an import that didn't run, and its file. Throws not_found, conflict. */
export async function cancelImport(ctx: WriteCtx, id: number): Promise<void> {
  await holdBeforeRun(ctx, id)
  await ctx.rows({ name: 'crm.import-cancel', text: 'delete from client_import where id = $1', values: [id] })
}

/** Erases imports and their files that were begun `until` then; `only` those of one status. */
export async function forgetImports(
  { rows }: TenantTransaction,
  { until, only = null }: { until: Date; only?: ImportStatus | null },
): Promise<void> {
  await rows({
    name: 'crm.import-forget',
    text: 'delete from client_import where created_at <= $1 and ($2::text is null or status = $2)',
    values: [until, only],
  })
}

type Held = {
  id: number
  status: ImportStatus
  position: number
  total: number
  fullAt: number | null
  created: number
  fileName: string
}

async function held(ctx: WriteCtx, id: number): Promise<Held> {
  authorize(ctx, 'crm:client:write')
  const [found] = await ctx.rows<Held>({
    name: 'crm.import-hold',
    text: `select id, status, position, total, full_at as "fullAt", created, file_name as "fileName" from client_import where id = $1 for update`,
    values: [id],
  })
  if (!found) throw new AppError('not_found', 'Import not found')
  return found
}

async function holdBeforeRun(ctx: WriteCtx, id: number): Promise<void> {
  const { status } = await held(ctx, id)
  if (status === 'running' || status === 'done')
    throw new AppError('conflict', 'This import has started and can no longer be changed.')
}

/**
 * The job: brings the rows in, chunk by chunk, from where the import stands. A chunk and the note of how far it came are
 * one transaction, so a killed process leaves whole chunks, and the next one goes on behind them.
 */
export async function importJob(platform: Platform, data: { coachId?: unknown; importId?: unknown }): Promise<void> {
  const ctx = await ctxOf(platform, Number(data.coachId), `import-${String(data.importId)}`)
  if (!ctx) return
  const id = Number(data.importId)
  const record = await importOf(ctx, id)
  if (record.status !== 'running') return
  const planned = await plannedRows(record, await fileOf(ctx, record))
  while (await ctx.write((tx) => bringIn(tx, id, planned)));
}

/** One chunk. Answers whether there is more. */
async function bringIn(ctx: WriteCtx, id: number, planned: PlannedRow[]): Promise<boolean> {
  const { status, position, total, fullAt, created, fileName } = await held(ctx, id)
  if (status !== 'running') return false
  // Whoever else adds clients waits, so that nobody comes in twice.
  await holdPractice(ctx)
  const chunk = planned.slice(position, position + chunkRows)
  const known = await knownAmong(ctx, chunk)
  const rows = chunk.map((row) => beside(known, row))
  const wanted = rows.flatMap((row, at) =>
    row.outcome === 'create' ? [{ client: row.client, at: position + at }] : [],
  )
  const room = fullAt === null ? ((await roomOnPlan(ctx)) ?? Infinity) : 0
  const added = wanted.slice(0, room)
  await insertClients(
    ctx,
    added.map(({ client }) => client),
  )

  const done = position + chunk.length >= total
  await ctx.rows({
    name: 'crm.import-advance',
    text: `update client_import set position = position + $2, created = created + $3, duplicates = duplicates + $4, failed = failed + $5,
        left_out = left_out + $6, full_at = coalesce(full_at, $7), status = $8, finished_at = $9, updated_at = $10 where id = $1`,
    values: [
      id,
      chunk.length,
      added.length,
      rows.filter((row) => row.outcome === 'duplicate').length,
      rows.filter((row) => row.outcome === 'error').length,
      wanted.length - added.length,
      wanted[added.length]?.at ?? null,
      done ? 'done' : 'running',
      done ? ctx.now() : null,
      ctx.now(),
    ],
  })
  if (done && created + added.length > 0) await logActivity(ctx, imported(created + added.length, fileName))
  return !done
}

function imported(count: number, fileName: string) {
  return {
    type: 'clients_imported',
    title: 'Clients imported',
    description: `${count.toLocaleString('en-US')} ${count === 1 ? 'client' : 'clients'} from ${fileName}`,
  }
}

/** In the order of the file. One activity tells of the whole import: 200 of them would hide all else. */
async function insertClients(ctx: WriteCtx, clients: NewClient[]): Promise<void> {
  if (!clients.length) return
  const added = await ctx.rows<{ id: number }>({
    name: 'crm.import-clients',
    text: insertSql,
    values: [
      ctx.coachId,
      ctx.now(),
      JSON.stringify(clients.map((client, at) => [at, ...clientFields.map((field) => client[field])])),
    ],
  })
  for (const { id } of added) await record(ctx, clientAdded, { clientId: id })
}

const insertSql = `insert into client (coach_id, created_at, updated_at, ${clientFields.map((field) => columnOf[field]).join(', ')})
  select $1, $2, $2, ${clientFields.map((field, at) => (field === 'progress' ? `(made ->> ${at + 1})::int` : `made ->> ${at + 1}`)).join(', ')}
  from jsonb_array_elements($3::jsonb) made order by (made ->> 0)::int returning id`
