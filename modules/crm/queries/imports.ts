import { setImmediate as breath } from 'node:timers/promises'
import { AppError } from '#app/lib/errors.ts'
import { utc } from '#db/read-pool.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { plans } from '#tenants/accounts/plans.ts'
import { errorFile } from '../csv/error-file.ts'
import { isSource, type Mapping, type Source } from '../csv/headers.ts'
import { beside, identityOf, planner, type Known, type PlannedRow } from '../csv/plan.ts'
import { readCsv, type CsvFile, type CsvRow } from '../csv/read.ts'
import type { ImportStatus } from '../schema.ts'
import { countClients } from './counts.ts'

/** An import without its file. Counts are of rows; those of a plan not yet run are in `Preview`. */
export type ImportRecord = {
  id: number
  fileName: string
  encoding: string | null
  source: Source | null
  mapping: Mapping
  status: ImportStatus
  total: number
  position: number
  created: number
  duplicates: number
  failed: number
  leftOut: number
  fullAt: number | null
  createdAt: string
  updatedAt: string
}

const importSql = `id, file_name as "fileName", encoding, source, mapping, status, total, position, created, duplicates, failed,
  left_out as "leftOut", full_at as "fullAt", ${utc('created_at')} as "createdAt", ${utc('updated_at')} as "updatedAt"`

const importNotFound = (): AppError => new AppError('not_found', 'Import not found')

/** Throws not_found. */
export async function importOf(ctx: Ctx, id: number): Promise<ImportRecord> {
  authorize(ctx, 'crm:client:write')
  const [found] = await ctx.rows<ImportRecord>({
    name: 'crm.import',
    text: `select ${importSql} from client_import where id = $1`,
    values: [id],
  })
  if (!found) throw importNotFound()
  return { ...found, source: isSource(found.source) ? found.source : null }
}

/** The latest five, newest first. */
export async function recentImports(ctx: Ctx): Promise<ImportRecord[]> {
  authorize(ctx, 'crm:client:write')
  return ctx.rows<ImportRecord>({
    name: 'crm.imports',
    text: `select ${importSql} from client_import order by created_at desc, id desc limit 5`,
  })
}

/** The rows of an import's file. Throws not_found, and validation_failed when the chosen encoding makes no rows of it. */
export async function fileOf(ctx: Ctx, { id, encoding }: Pick<ImportRecord, 'id' | 'encoding'>): Promise<CsvFile> {
  const [found] = await ctx.rows<{ content: Buffer }>({
    name: 'crm.import-content',
    text: 'select content from client_import where id = $1',
    values: [id],
  })
  if (!found) throw importNotFound()
  return readCsv(found.content, encoding ? { encoding } : {})
}

/** What every row of the file would be if there were no clients yet. Others get their turn meanwhile. */
export async function plannedRows(record: ImportRecord, file: CsvFile): Promise<PlannedRow[]> {
  const plan = planner({ columns: file.headers.length, source: record.source, mapping: record.mapping })
  const planned: PlannedRow[] = []
  for (const row of file.rows) {
    planned.push(plan(row))
    if (planned.length % 500 === 0) await breath()
  }
  return planned
}

/** Who of the people in `rows` is a client already. */
export async function knownAmong(ctx: Ctx, rows: PlannedRow[]): Promise<Known> {
  const emails = rows.flatMap((row) => (row.outcome === 'create' ? [row.client.email] : []))
  const found = await ctx.rows<{ name: string; email: string; archived: boolean }>({
    name: 'crm.import-known',
    text: `select name, email, archived_at is not null as archived from client
      where deleted_at is null and lower(email) in (select lower(wanted) from unnest($1::text[]) wanted)`,
    values: [emails],
  })
  // Of two with one identity, the one that isn't archived is named.
  return new Map(
    found
      .sort((a, b) => Number(b.archived) - Number(a.archived))
      .map((client) => [identityOf(client), client.archived ? 'archived' : 'client']),
  )
}

export const shownOutcomes = ['all', 'create', 'left-out', 'duplicate', 'error'] as const
export type ShownOutcome = (typeof shownOutcomes)[number]
export type PreviewRow = {
  line: number
  name: string
  email: string
  detail: string | null
  outcome: Exclude<ShownOutcome, 'all'>
  reason: string | null
}
export type Preview = {
  counts: Record<ShownOutcome, number>
  /** How many people the plan takes; null: any number. Those behind them are left out. */
  room: number | null
  rows: PreviewRow[]
  page: number
  pages: number
}

export const previewRows = 50

/** What will happen to each row, 50 at a time (`page` from 1), narrowed to one outcome. */
export async function previewOf(
  ctx: Ctx,
  record: ImportRecord,
  file: CsvFile,
  { show, page }: { show: ShownOutcome; page: number },
): Promise<Preview> {
  const planned = await plannedRows(record, file)
  const known = await knownAmong(ctx, planned)
  const limit = plans[ctx.plan].clients
  const room = limit === null ? null : Math.max(0, limit - (await countClients(ctx)))
  let added = 0
  const rows = planned.map((row) => shownRow(beside(known, row), () => room === null || added++ < room))
  const count = (outcome: ShownOutcome): number => rows.filter((row) => row.outcome === outcome).length
  const counts = {
    all: rows.length,
    create: count('create'),
    'left-out': count('left-out'),
    duplicate: count('duplicate'),
    error: count('error'),
  }
  const pages = Math.max(1, Math.ceil(counts[show] / previewRows))
  const shown = Math.min(Math.max(1, page), pages)
  return {
    counts,
    room,
    rows: rows
      .filter((row) => show === 'all' || row.outcome === show)
      .slice((shown - 1) * previewRows, shown * previewRows),
    page: shown,
    pages,
  }
}

function shownRow(row: PlannedRow, fits: () => boolean): PreviewRow {
  const { line, name, email, outcome } = row
  if (row.outcome !== 'create') return { line, name, email, outcome, detail: null, reason: row.reason }
  if (!fits()) return { line, name, email, outcome: 'left-out', detail: null, reason: noRoom }
  const { phone, location, profession } = row.client
  return {
    line,
    name,
    email,
    outcome,
    detail: [profession, location, phone].filter(Boolean).join(' · ') || null,
    reason: null,
  }
}

/** A row that didn't come in, and why: it is wrong, or the plan had no room. */
export type LeftRow = {
  row: CsvRow
  line: number
  name: string
  email: string
  kind: 'error' | 'left-out'
  reason: string
}

/** The rows that were wrong and those for which the plan had no room, in the order of the file. Those that came in since are gone. */
export async function rowsLeft(ctx: Ctx, record: ImportRecord, file: CsvFile): Promise<LeftRow[]> {
  const planned = await plannedRows(record, file)
  const { fullAt } = record
  const known: Known = fullAt === null ? new Map() : await knownAmong(ctx, planned.slice(fullAt))
  return planned.flatMap((row, at): LeftRow[] => {
    const { line, name, email } = row
    const left = { row: file.rows[at]!, line, name, email }
    if (row.outcome === 'error') return [{ ...left, kind: 'error', reason: row.reason }]
    if (fullAt !== null && at >= fullAt && beside(known, row).outcome === 'create')
      return [{ ...left, kind: 'left-out', reason: noRoom }]
    return []
  })
}

const noRoom = 'Your plan has no room for this client. Upgrade your plan or archive a client, then import this file.'

/** The file of the rows that didn't come in, to correct and bring back. */
export async function errorFileOf(ctx: Ctx, id: number): Promise<{ name: string; text: string }> {
  const record = await importOf(ctx, id)
  const file = await fileOf(ctx, record)
  return {
    name: `${record.fileName.replace(/\.\w{1,5}$/, '')} - to correct.csv`,
    text: errorFile(file.headers, await rowsLeft(ctx, record, file)),
  }
}
