import { createHash } from 'node:crypto'
import { Transform, type Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { openPromise, type Entry, type ZipFile } from 'yauzl'
import { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { planNames } from '#tenants/accounts/plans.ts'
import { maxFileBytes } from '#tenants/files/files.ts'
import { exportFormat, exportVersion, manifestName, type Checksum, type ExportManifest } from './format.ts'

/** An archive with more files is none of ours. */
const maxFiles = 1_000_000
const maxManifestBytes = 256 * 1024 ** 2
/** Rows of text are seldom 30 times as large as their archive: more is made to fill the disk. */
const maxRatio = 200
/** An archive of few rows may have more. */
const ratioFreeBytes = 16 * 1024 ** 2

export type OpenArchive = {
  manifest: ExportManifest
  /** The bytes of a file that the manifest lists. The stream fails unless they are exactly those. */
  open(path: string): Promise<Readable>
  close(): void
}

const damaged = (why: string): AppError =>
  new AppError('validation_failed', `The export is incomplete or damaged: ${why}. Nothing was imported.`)

const Sum = z.object({ bytes: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) })
const Name = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/)
const Table = z.object({ name: Name, rows: z.int().min(0) })
const Manifest = z.object({
  format: z.literal(exportFormat),
  version: z.number(),
  exportedAt: z.iso.datetime(),
  practice: z.object({
    name: z.string(),
    email: z.string(),
    subdomain: z.string().nullable(),
    plan: z.enum(planNames),
  }),
  migrations: z.record(z.string(), z.string()),
  tables: z.array(Table),
  onlyToRead: z.array(Table.extend({ reason: z.string() })),
  leftOut: z.array(z.object({ name: z.string(), reason: z.string() })),
  contents: z.record(z.string().regex(/^[0-9a-f]{32}$/), z.string()),
  files: z.record(z.string(), Sum),
})

/**
 * Opens an archive and checks its list of files, without reading them. Throws validation_failed, with a message for the
 * terminal, for one that is damaged, of another version, or made to do harm.
 */
export async function openArchive(file: string): Promise<OpenArchive> {
  const zip = await openPromise(file, { lazyEntries: true, strictFileNames: true, autoClose: false }).catch(
    (error: unknown) => {
      if (isMissing(error)) throw new AppError('not_found', `There is no file ${file}.`)
      throw damaged(describe(error))
    },
  )
  try {
    const entries = await readEntries(zip)
    const manifest = await readManifest(zip, entries)
    checkFiles(manifest, entries)
    return {
      manifest,
      open: async (path) => {
        const checksum = manifest.files[path]
        const entry = entries.get(path)
        if (!checksum || !entry) throw damaged(`${path} is missing`)
        return openEntry(zip, entry, checksum)
      },
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw error
  }
}

async function readEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > maxFiles) throw damaged('it has too many files')
  const entries = new Map<string, Entry>()
  try {
    for await (const entry of zip.eachEntry()) {
      if (entries.has(entry.fileName)) throw new Error(`${entry.fileName} is in it twice`)
      if (entry.isEncrypted()) throw new Error(`${entry.fileName} is encrypted`)
      entries.set(entry.fileName, entry)
    }
  } catch (error) {
    throw damaged(describe(error))
  }
  checkRatio([...entries.values()])
  return entries
}

function checkRatio(entries: Entry[]): void {
  for (const { fileName, compressedSize, uncompressedSize } of entries)
    if (uncompressedSize > ratioFreeBytes && uncompressedSize > maxRatio * compressedSize)
      throw damaged(`${fileName} says that it has ${uncompressedSize} bytes`)
}

async function readManifest(zip: ZipFile, entries: Map<string, Entry>): Promise<ExportManifest> {
  const entry = entries.get(manifestName)
  if (!entry) throw damaged(`${manifestName} is missing`)
  if (entry.uncompressedSize > maxManifestBytes) throw damaged(`${manifestName} is too large`)
  const content = await readAll(zip, entry)
  let json: unknown
  try {
    json = JSON.parse(content.toString())
  } catch {
    throw damaged(`${manifestName} is no JSON`)
  }
  const head = z.object({ format: z.literal(exportFormat), version: z.number() }).safeParse(json)
  if (!head.success) throw damaged(`${manifestName} is not that of an export`)
  if (head.data.version !== exportVersion)
    throw new AppError(
      'validation_failed',
      `The export has version ${head.data.version} of the format, this program reads version ${exportVersion}. ` +
        'Import it with the version that wrote it. Nothing was imported.',
    )
  const manifest = Manifest.safeParse(json)
  if (!manifest.success) throw damaged(`${manifestName} is not complete`)
  return manifest.data
}

async function readAll(zip: ZipFile, entry: Entry): Promise<Buffer> {
  try {
    return await buffer(await zip.openReadStreamPromise(entry))
  } catch (error) {
    throw damaged(describe(error))
  }
}

function checkFiles({ files, contents }: ExportManifest, entries: Map<string, Entry>): void {
  for (const [path, { bytes }] of Object.entries(files)) {
    const entry = entries.get(path)
    if (!entry) throw damaged(`${path} is missing`)
    if (entry.uncompressedSize !== bytes) throw damaged(`${path} has another size`)
  }
  for (const path of entries.keys())
    if (path !== manifestName && !Object.hasOwn(files, path)) throw damaged(`${path} doesn't belong to it`)
  for (const path of Object.values(contents)) {
    if (!Object.hasOwn(files, path)) throw damaged(`${path} is missing`)
    if (files[path]!.bytes > maxFileBytes) throw damaged(`${path} is too large`)
  }
}

async function openEntry(zip: ZipFile, entry: Entry, { bytes, sha256 }: Checksum): Promise<Readable> {
  const hash = createHash('sha256')
  let count = 0
  const check = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      count += chunk.length
      done(null, chunk)
    },
    flush(done) {
      const isSame = count === bytes && hash.digest('hex') === sha256
      done(isSame ? null : damaged(`${entry.fileName} was changed`))
    },
  })
  const content = await zip.openReadStreamPromise(entry).catch((error: unknown) => {
    throw damaged(describe(error))
  })
  content.once('error', (error) => check.destroy(damaged(describe(error))))
  return content.pipe(check)
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'
const describe = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\.$/, '').slice(0, 200)
