import { countPages, parsePage } from '#app/lib/url.ts'
import { plans } from '#tenants/accounts/plans.ts'
import type { Ctx } from '#tenants/context.ts'
import { listTags } from '../queries/tags.ts'
import type { UndoOutcome } from '../schema.ts'
import { unmappedColumns } from './column-mapping.ts'
import { columnField, targetOptions, toTargets } from './column-targets.ts'
import { sourceNames } from './known-headers.ts'
import { getImportPreview, listRejectedRows, previewFilters, type RejectedRow } from './preview.ts'
import { getImport, getImportFile, type ImportRecord } from './queries.ts'
import { encodings, type CsvFile } from './read-csv.ts'
import { rowsPerPage } from './rows-per-page.ts'
import { countOutcomes, listKept } from './undo.ts'

/** After this time without progress the page offers to resume a running import. */
const stalledAfterMs = 30_000

/** The import's current step and the data its page shows. Throws not_found. */
export async function loadImportStep(ctx: Ctx, id: number, params: URLSearchParams) {
  const record = await getImport(ctx, id)
  const { fileName, position, total } = record
  const common = { id, fileName }
  const stalled = ctx.now().getTime() - new Date(record.updatedAt).getTime() > stalledAfterMs
  if (record.status === 'running') return { ...common, step: 'running' as const, position, total, stalled }
  if (record.status === 'undoing') {
    const position = sum(Object.values(await countOutcomes(ctx, id)))
    return { ...common, step: 'undoing' as const, position, total: record.created, stalled }
  }
  if (record.status === 'undone')
    return { ...common, step: 'undone' as const, ...(await loadUndone(ctx, id, parsePage(params))) }
  if (!record.hasFile)
    return { ...common, step: 'done' as const, ...toResult(ctx, record), hasFile: false, ...toRowsPage([], 1) }
  // Reading a large file takes a second.
  return ctx.platform.tenantSlots.run(ctx.coachId, 'preview', async () => {
    const file = await getImportFile(ctx, record)
    if (record.status === 'done')
      return { ...common, step: 'done' as const, ...(await loadResult(ctx, record, file, parsePage(params))) }
    const isMapped = record.status === 'ready'
    if (!isMapped || params.has('columns'))
      return { ...common, step: 'columns' as const, isMapped, ...loadColumns(record, file) }
    return { ...common, step: 'preview' as const, ...(await loadPreview(ctx, record, file, params)) }
  })
}
export type ImportStep = Awaited<ReturnType<typeof loadImportStep>>

async function loadPreview(ctx: Ctx, record: ImportRecord, file: CsvFile, params: URLSearchParams) {
  const show = previewFilters.find((filter) => filter === params.get('show')) ?? 'all'
  const preview = await getImportPreview(ctx, record, file, { show, page: parsePage(params) })
  const { source, mapping, tag } = record
  return {
    ...preview,
    show,
    tag: tag ?? '',
    tags: (await listTags(ctx)).map((known) => known.tag),
    plan: plans[ctx.plan].title,
    source: source && sourceNames[source],
    // Recognized exports have many columns that nobody expects to be imported.
    ignoredColumns: source ? [] : unmappedColumns(file.headers, mapping).map((column) => file.headers[column]!),
  }
}

async function loadResult(ctx: Ctx, record: ImportRecord, file: CsvFile, page: number) {
  const rejected = await listRejectedRows(ctx, record, file)
  return { ...toResult(ctx, record), hasFile: true, ...toRowsPage(rejected, page) }
}

function toResult(ctx: Ctx, { created, duplicates, failed, leftOut, notSelected, tag }: ImportRecord) {
  return { created, duplicates, failed, leftOut, notSelected, tag, plan: plans[ctx.plan].title }
}

function toRowsPage(rejected: RejectedRow[], requestedPage: number) {
  const pages = countPages(rejected.length, rowsPerPage)
  const page = Math.min(requestedPage, pages)
  const rows = rejected.slice((page - 1) * rowsPerPage, page * rowsPerPage)
  return {
    rejectedCount: rejected.length,
    page,
    pages,
    rows: rows.map(({ line, name, email, outcome, reason }) => ({ line, name, email, outcome, reason, detail: null })),
  }
}

async function loadUndone(ctx: Ctx, id: number, requestedPage: number) {
  const { moved, deleted, ...others } = await countOutcomes(ctx, id)
  const kept = sum(Object.values(others))
  const pages = countPages(kept + deleted, rowsPerPage)
  const page = Math.min(requestedPage, pages)
  const clients = await listKept(ctx, id, { rows: rowsPerPage, offset: (page - 1) * rowsPerPage })
  return {
    moved,
    deleted,
    kept,
    page,
    pages,
    clients: clients.map(({ id, name, email, inTrash, outcome, usedBy }) => ({
      id,
      name,
      email,
      to: inTrash ? null : `/clients/${id}`,
      reason: outcome === 'used' ? `Has records since the import: ${usedBy}` : keptReasons[outcome],
    })),
  }
}

const keptReasons: Record<Exclude<UndoOutcome, 'used'>, string> = {
  moved: 'Moved to the trash',
  changed: 'Changed since the import',
  archived: 'Archived since the import',
  deleted: 'Moved to the trash before',
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0)

const sampleCount = 3
const sampleLength = 60

/** The non-empty columns with sample cells and their current targets. */
function loadColumns(record: ImportRecord, file: CsvFile) {
  const targets = toTargets(record.mapping, file.headers.length)
  const columns = file.headers.flatMap((header, index) => {
    const samples = sampleCells(file, index)
    const label = header.trim() || `Column ${index + 1}`
    return samples.length ? [{ name: columnField(index), header: label, samples, target: targets[index] ?? '' }] : []
  })
  return {
    columns,
    targetOptions,
    encoding: record.encoding ?? '',
    encodings: [
      { value: '', label: `Detect automatically${record.encoding ? '' : ` (${file.encoding})`}` },
      ...encodings.map((name) => ({ value: name, label: name })),
    ],
  }
}

function sampleCells(file: CsvFile, column: number): string[] {
  const samples = new Set<string>()
  for (const { cells } of file.rows) {
    const cell = cells[column]?.trim().slice(0, sampleLength)
    if (cell) samples.add(cell)
    if (samples.size === sampleCount) break
  }
  return [...samples]
}
