import { AppError } from '#app/lib/errors.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { ImportStatus } from '../schema.ts'
import { emptyMapping, type Mapping } from './column-mapping.ts'
import { isSource, type Source } from './known-headers.ts'
import { readCsv, type CsvFile } from './read-csv.ts'

/** An import without its file. The counts are of rows processed so far. */
export type ImportRecord = {
  id: number
  fileName: string
  encoding: string | null
  source: Source | null
  mapping: Mapping
  deselected: number[]
  tag: string | null
  status: ImportStatus
  total: number
  position: number
  created: number
  duplicates: number
  failed: number
  leftOut: number
  fullAt: number | null
  notSelected: number
  /** Whether the file is still kept. */
  hasFile: boolean
  createdAt: string
  updatedAt: string
}

const importColumns = `id, file_name as "fileName", encoding, source, mapping, deselected, tag, status, total, position,
  created, duplicates, failed, left_out as "leftOut", full_at as "fullAt", not_selected as "notSelected",
  octet_length(content) > 0 as "hasFile", ${isoTimestamp('created_at')} as "createdAt",
  ${isoTimestamp('updated_at')} as "updatedAt"`

export const importNotFound = (): AppError => new AppError('not_found', 'Import not found')

/** Throws not_found. */
export async function getImport(ctx: Ctx, id: number): Promise<ImportRecord> {
  authorize(ctx, 'crm:client:write')
  const [found] = await ctx.query<ImportRecord>({
    name: 'crm.import',
    text: `select ${importColumns} from client_import where coach_id = $1 and id = $2`,
    values: [ctx.coachId, id],
  })
  if (!found) throw importNotFound()
  // An import from before a field was added has no columns for it.
  const mapping = { ...emptyMapping(), ...found.mapping }
  return { ...found, mapping, source: isSource(found.source) ? found.source : null }
}

export type ListedImport = Pick<ImportRecord, 'id' | 'fileName' | 'status' | 'created' | 'tag' | 'createdAt'>

export const importsPerPage = 20

/** One page of the imports, newest first; `count`: of all. */
export async function listImports(ctx: Ctx, page = 1): Promise<{ imports: ListedImport[]; count: number }> {
  authorize(ctx, 'crm:client:write')
  const [imports, [found]] = (await ctx.queryAll([
    {
      name: 'crm.imports',
      text: `select id, file_name as "fileName", status, created, tag, ${isoTimestamp('created_at')} as "createdAt"
        from client_import where coach_id = $1 order by created_at desc, id desc limit ${importsPerPage} offset $2`,
      values: [ctx.coachId, (page - 1) * importsPerPage],
    },
    {
      name: 'crm.import-count',
      text: 'select count(*)::int as count from client_import where coach_id = $1',
      values: [ctx.coachId],
    },
  ])) as [ListedImport[], [{ count: number }]]
  return { imports, count: found.count }
}

/** Throws not_found, validation_failed when the file has no rows in the chosen encoding. */
export async function getImportFile(
  ctx: Ctx,
  { id, encoding }: Pick<ImportRecord, 'id' | 'encoding'>,
): Promise<CsvFile> {
  const [found] = await ctx.query<{ content: Buffer }>({
    name: 'crm.import-content',
    text: 'select content from client_import where coach_id = $1 and id = $2',
    values: [ctx.coachId, id],
  })
  if (!found) throw importNotFound()
  return readCsv(found.content, encoding ? { encoding } : {})
}
