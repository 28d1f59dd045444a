import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { countPages } from '#app/lib/url.ts'
import { plans } from '#tenants/accounts/plans.ts'
import type { Ctx } from '#tenants/context.ts'
import { countClients } from '../queries/counts.ts'
import { formatErrorFile } from './error-file.ts'
import { createPlanner, markExisting, toPersonKey, type ExistingClients, type PlannedRow } from './plan.ts'
import { getImport, getImportFile, type ImportRecord } from './queries.ts'
import type { CsvFile, CsvRow } from './read-csv.ts'
import { rowsPerPage } from './rows-per-page.ts'

/** Plans every row as if there were no clients yet. */
export async function planImport(record: ImportRecord, file: CsvFile): Promise<PlannedRow[]> {
  const { source, mapping, tag } = record
  const deselected = new Set(record.deselected)
  const planRow = createPlanner({ columnCount: file.headers.length, source, mapping, deselected, tag })
  const planned: PlannedRow[] = []
  for (const row of file.rows) {
    planned.push(planRow(row))
    if (planned.length % 500 === 0) await yieldToEventLoop()
  }
  return planned
}

/** The people in `rows` who are clients already. */
export async function findExistingClients(ctx: Ctx, rows: PlannedRow[]): Promise<ExistingClients> {
  const emails = rows.flatMap((row) => ('client' in row ? [row.client.email] : []))
  const clients = await ctx.query<{ name: string; email: string; archived: boolean }>({
    name: 'crm.existing-clients',
    text: `select name, email, archived_at is not null as archived from client
      where coach_id = $1 and deleted_at is null and lower(email) in (select lower(email) from unnest($2::text[]) email)`,
    values: [ctx.coachId, emails],
  })
  // If the same person is both active and archived, the active one counts.
  return new Map(
    clients
      .sort((a, b) => Number(b.archived) - Number(a.archived))
      .map((client) => [toPersonKey(client), client.archived ? 'archived' : 'client']),
  )
}

export const previewFilters = ['all', 'create', 'left-out', 'deselected', 'duplicate', 'error'] as const
export type PreviewFilter = (typeof previewFilters)[number]
export type PreviewRow = {
  /** From 0. */
  index: number
  line: number
  name: string
  email: string
  detail: string | null
  outcome: Exclude<PreviewFilter, 'all'>
  reason: string | null
}
export type ImportPreview = {
  counts: Record<PreviewFilter, number>
  /** How many clients the plan still allows; null: no limit. */
  remaining: number | null
  rows: PreviewRow[]
  page: number
  pages: number
}

/** The outcome of each row, one page at a time (from 1), filtered by `show`. */
export async function getImportPreview(
  ctx: Ctx,
  record: ImportRecord,
  file: CsvFile,
  { show, page }: { show: PreviewFilter; page: number },
): Promise<ImportPreview> {
  const planned = await planImport(record, file)
  const existing = await findExistingClients(ctx, planned)
  const limit = plans[ctx.plan].maxClients
  const remaining = limit === null ? null : Math.max(0, limit - (await countClients(ctx)))
  let added = 0
  const isWithinLimit = () => remaining === null || added++ < remaining
  const rows = planned.map((row, index) => toPreviewRow(markExisting(existing, row), index, isWithinLimit))
  const count = (outcome: PreviewFilter): number => rows.filter((row) => row.outcome === outcome).length
  const counts = {
    all: rows.length,
    create: count('create'),
    'left-out': count('left-out'),
    deselected: count('deselected'),
    duplicate: count('duplicate'),
    error: count('error'),
  }
  const pages = countPages(counts[show], rowsPerPage)
  const currentPage = Math.min(Math.max(1, page), pages)
  const filtered = rows.filter((row) => show === 'all' || row.outcome === show)
  return {
    counts,
    remaining,
    rows: filtered.slice((currentPage - 1) * rowsPerPage, currentPage * rowsPerPage),
    page: currentPage,
    pages,
  }
}

function toPreviewRow(row: PlannedRow, index: number, isWithinLimit: () => boolean): PreviewRow {
  const { line, name, email, outcome } = row
  const shown = { index, line, name, email }
  if (!('client' in row)) return { ...shown, outcome, detail: null, reason: row.reason }
  if (outcome === 'create' && !isWithinLimit())
    return { ...shown, outcome: 'left-out', detail: null, reason: overLimitReason }
  const { phone, location, profession } = row.client
  const detail = [profession, location, phone].filter(Boolean).join(' · ') || null
  return { ...shown, outcome, detail, reason: null }
}

const overLimitReason =
  'Your plan has no room for this client. Upgrade your plan or archive a client, then import this file.'

/** A row that was not imported: it is invalid, or over the plan's limit. */
export type RejectedRow = {
  row: CsvRow
  line: number
  name: string
  email: string
  outcome: 'error' | 'left-out'
  reason: string
}

/** The rows that were not imported, in file order, without people added since. */
export async function listRejectedRows(ctx: Ctx, record: ImportRecord, file: CsvFile): Promise<RejectedRow[]> {
  const planned = await planImport(record, file)
  const { fullAt } = record
  const existing: ExistingClients = fullAt === null ? new Map() : await findExistingClients(ctx, planned.slice(fullAt))
  return planned.flatMap((row, index): RejectedRow[] => {
    const { line, name, email } = row
    const rejected = { row: file.rows[index]!, line, name, email }
    if (row.outcome === 'error') return [{ ...rejected, outcome: 'error', reason: row.reason }]
    if (fullAt !== null && index >= fullAt && markExisting(existing, row).outcome === 'create')
      return [{ ...rejected, outcome: 'left-out', reason: overLimitReason }]
    return []
  })
}

/** The rejected rows as a CSV file to correct and import again. Throws not_found. */
export async function getErrorFile(ctx: Ctx, id: number): Promise<{ name: string; text: string }> {
  const record = await getImport(ctx, id)
  const file = await getImportFile(ctx, record)
  return {
    name: `${record.fileName.replace(/\.\w{1,5}$/, '')} - not imported.csv`,
    text: formatErrorFile(file.headers, await listRejectedRows(ctx, record, file)),
  }
}
