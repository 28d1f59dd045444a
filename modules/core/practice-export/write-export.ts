import type { Readable } from 'node:stream'
import { AppError } from '#app/lib/errors.ts'
import type { Ctx } from '#tenants/context.ts'
import { toSafeFileName } from '#tenants/files/file-name.ts'
import { withSnapshot } from '#tenants/platform.ts'
import { writeKindCsv, writeTableCsv } from './csv-files.ts'
import { dataPath, exportFormat, exportVersion, manifestName, readingPath, type ExportManifest } from './format.ts'
import {
  readPageIndex,
  writeFilePages,
  writeKindPages,
  writeOverview,
  type ListedFile,
  type Overview,
} from './pages.ts'
import { readRows } from './read-rows.ts'
import { listExportedKinds, type ExportedKind, type Reader } from './records.ts'
import { listStoredFiles, type StoredFileEntry } from './stored-files.ts'
import { listExportTables, type ExportedTable } from './tables.ts'
import { createZipWriter, type ZipWriter } from './zip-writer.ts'

export type ExportOptions = {
  /** Called with a number from 0 to 1. */
  onProgress?: (part: number) => void
}
export type ExportSummary = { rows: number; files: number }

/** As many bytes of a file take as long as a row. */
const bytesPerRow = 20_000

/**
 * Writes everything of the coach's practice, as of one moment, to an archive, which `save` keeps. Only a part is in
 * memory. Its format: docs/export-format.md.
 */
export async function writeExport(
  ctx: Ctx,
  save: (archive: Readable) => Promise<void>,
  { onProgress = () => {} }: ExportOptions = {},
): Promise<ExportSummary> {
  const zip = createZipWriter(ctx.now())
  const saving = save(zip.output)
  saving.catch(() => {})
  try {
    const manifest = await writeArchive(ctx, zip, onProgress)
    await saving
    const rows = [...manifest.tables, ...manifest.onlyToRead].reduce((sum, table) => sum + table.rows, 0)
    return { rows, files: Object.keys(manifest.contents).length }
  } catch (error) {
    zip.output.destroy(error instanceof Error ? error : undefined)
    // It is why the archive broke off, if it has failed.
    await saving
    throw error
  }
}

async function writeArchive(ctx: Ctx, zip: ZipWriter, onProgress: (part: number) => void): Promise<ExportManifest> {
  const { account } = ctx
  const { tables, leftOut } = listExportTables(ctx.platform)
  const manifest: ExportManifest = {
    format: exportFormat,
    version: exportVersion,
    exportedAt: ctx.now().toISOString(),
    practice: {
      name: account.businessName ?? `${account.firstName} ${account.lastName}`,
      email: account.email,
      subdomain: account.subdomain,
      plan: account.plan,
    },
    migrations: Object.fromEntries(ctx.platform.migrations.map(({ name, checksum }) => [name, checksum])),
    tables: [],
    onlyToRead: [],
    leftOut,
    contents: {},
    files: {},
  }
  const add: Add = async (path, parts, options) => {
    manifest.files[path] = await zip.add(path, parts, options)
  }
  const { overview, files, reader } = await withSnapshot(ctx.platform, ctx.coachId, (query) =>
    writeRows(
      { ...ctx, query, queryAll: (queries) => Promise.all(queries.map(query)) },
      { manifest, tables, add, onProgress },
    ),
  )
  // Outside of the transaction: bytes may take long, and never change.
  const stored = await writeStoredFiles(ctx, files, { manifest, add, onProgress })
  for (const { path, content } of writeFilePages('files', stored)) await add(path, [content])
  overview.lists.unshift({ name: 'files', title: 'Files', count: stored.length })
  await add('index.html', [writeOverview(reader, overview)])
  await zip.add(manifestName, [`${JSON.stringify(manifest, null, 2)}\n`])
  zip.end()
  onProgress(1)
  return manifest
}

type Add = (path: string, parts: Parameters<ZipWriter['add']>[1], options?: { isCompressed?: boolean }) => Promise<void>
type Archive = { manifest: ExportManifest; add: Add; onProgress: (part: number) => void }

async function writeRows(
  reader: Ctx,
  { manifest, tables, add, onProgress }: Archive & { tables: ExportedTable[] },
): Promise<{ overview: Overview; files: StoredFileEntry[]; reader: Reader }> {
  const kinds = listExportedKinds(reader, tables)
  const files = await listStoredFiles(reader)
  const counts = await countRows(reader, tables)
  // Each row of a kind is read again for its spreadsheet and its page, each other one for its spreadsheet.
  const total = tables.reduce((sum, { name }) => sum + counts.get(name)! * (isKind(kinds, name) ? 3 : 2), 0)
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  let done = 0
  const onRows = (count: number) => {
    done += count
    onProgress(Math.min(1, done / (total + bytes / bytesPerRow)))
  }

  for (const table of tables) {
    let rows = 0
    const path = (table.isOnlyToRead ? readingPath : dataPath)(table.name)
    await add(
      path,
      readRows(reader, table, (count) => {
        rows += count
        onRows(count)
      }),
    )
    if (table.isOnlyToRead) manifest.onlyToRead.push({ name: table.name, rows, reason: table.reason! })
    else manifest.tables.push({ name: table.name, rows })
  }
  const csv = await writeCsvFiles(reader, { tables, kinds, add, onRows })
  const index = await readPageIndex(reader, kinds)
  for (const kind of kinds)
    for await (const { path, content } of writeKindPages(reader, kind, { index, kinds, files }, onRows))
      await add(path, [content])
  const documents = await writeDocuments(reader, add)
  for (const { path, content } of writeFilePages('documents', documents)) await add(path, [content])
  const overview: Overview = {
    name: manifest.practice.name,
    exportedAt: reader.now(),
    index,
    kinds,
    lists: [{ name: 'documents', title: 'Documents', count: documents.length }],
    csv,
    leftOut: manifest.leftOut,
  }
  return { overview, files, reader }
}

const isKind = (kinds: ExportedKind[], name: string): boolean => kinds.some(({ kind }) => kind === name)

async function countRows(reader: Reader, tables: ExportedTable[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const { name, where } of tables) {
    const [row] = await reader.query<{ rows: number }>({
      name: `export.count.${name}`,
      text: `select count(*)::int as rows from "${name}" r
        where r.${name === 'account' ? 'id' : 'coach_id'} = $1 and (${where})`,
      values: [reader.coachId],
    })
    counts.set(name, row!.rows)
  }
  return counts
}

/** Returns their paths. */
async function writeCsvFiles(
  reader: Ctx,
  {
    tables,
    kinds,
    add,
    onRows,
  }: { tables: ExportedTable[]; kinds: ExportedKind[]; add: Add; onRows: (count: number) => void },
): Promise<string[]> {
  const own = reader.platform.extensions.practiceExports.flatMap(({ csv = [] }) => csv)
  const files = new Map<string, () => AsyncIterable<string>>([
    ...kinds.map((kind) => [`${kind.plural}.csv`, () => writeKindCsv(reader, kind, onRows)] as const),
    ...own.map(({ name, write }) => [name, () => write(reader)] as const),
    ...tables
      .filter(({ name }) => !isKind(kinds, name))
      .map((table) => [`tables/${table.name}.csv`, () => writeTableCsv(reader, table, onRows)] as const),
  ])
  for (const [name, write] of files) await add(`csv/${name}`, write())
  return [...files.keys()].map((name) => `csv/${name}`)
}

/** Writes the files that the database keeps, such as the PDFs of invoices. */
async function writeDocuments(reader: Ctx, add: Add): Promise<ListedFile[]> {
  const documents = new Map<string, ListedFile>()
  const sources = [listImages, ...reader.platform.extensions.practiceExports.flatMap(({ files }) => files ?? [])]
  for (const list of sources) {
    for await (const { name, content } of list(reader)) {
      const path = toFreePath('documents/', toSafeFileName(name), documents)
      await add(path, [content])
      documents.set(path, { path, name: path.slice('documents/'.length), size: content.length })
    }
  }
  return [...documents.values()]
}

/** Two documents may have the same name. */
function toFreePath(folder: string, name: string, taken: Map<string, unknown>): string {
  for (let number = 1; ; number++) {
    const path = folder + (number === 1 ? name : name.replace(/(\.[^.]*)?$/, ` (${number})$1`))
    if (!taken.has(path)) return path
  }
}

/** The coach's logo and photo. */
async function* listImages(reader: Ctx): AsyncGenerator<{ name: string; content: Buffer }> {
  const extensions: Record<string, string> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/svg+xml': 'svg' }
  const images = await reader.query<{ kind: string; contentType: string; content: Buffer }>({
    name: 'export.images',
    text: 'select kind, content_type as "contentType", content from upload where coach_id = $1 order by id',
    values: [reader.coachId],
  })
  for (const { kind, contentType, content } of images) yield { name: `${kind}.${extensions[contentType]}`, content }
}

/** Their formats are compressed. */
const compressedTypes = /^(image|audio|video)\/(?!svg|bmp|wav)|zip|pdf|officedocument/

/** Writes the bytes of files, and returns those that have any. */
async function writeStoredFiles(
  { platform }: Ctx,
  files: StoredFileEntry[],
  { manifest, add, onProgress }: Archive,
): Promise<StoredFileEntry[]> {
  const written: StoredFileEntry[] = []
  const rows = [...manifest.tables, ...manifest.onlyToRead].reduce((sum, table) => sum + table.rows, 0)
  const total = files.reduce((sum, { size }) => sum + size, rows * 2 * bytesPerRow)
  let done = rows * 2 * bytesPerRow
  for (const file of files) {
    const content = await platform.fileStore.read(file.key).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'not_found') return null
      throw error
    })
    done += file.size
    onProgress(total ? done / total : 1)
    if (!content) {
      manifest.leftOut.push({ name: file.path, reason: 'its bytes are lost' })
      continue
    }
    await add(file.path, content, { isCompressed: compressedTypes.test(file.contentType) })
    manifest.contents[file.key.replace(/^\d+\//, '')] = file.path
    written.push(file)
  }
  return written
}
