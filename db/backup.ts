import { createHash, type Hash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { copyOut } from './copy.ts'
import { DatabaseError } from './migrate.ts'

/** The first line of a backup. */
export type BackupHeader = {
  format: 1
  createdAt: string
  /** Checksums by name. */
  migrations: Record<string, string>
  queueVersion: number
  /** Contents in base64, by their name in DATA_DIR. */
  files: Record<string, string>
}
/** Comes before the rows of a table, of one coach. They end with a line `\.`, as in Postgres' own format. */
export type BackupSection = { table: string; columns: string[] }
/** Comes before the bytes of a file, in lines of base64. They end as rows do. */
export type BackupContent = { content: string }
/** Reads the bytes of a stored file; null if they are missing. */
export type ReadContent = (key: string) => Promise<Readable | null>
/** The last line. Without it the backup is incomplete. */
export type BackupSummary = {
  tables: Record<string, { rows: number; sha256: string }>
  sequences: Record<string, number>
}

/** `readers`: whom row level security lets read the rows. */
type Table = { name: string; columns: string[]; readers: 'everyone' | 'coach' | 'administrators' }

export const endOfRows = '\\.\n'
/** No account has this id. */
const nobody = '0'
/**
 * Counts of rate limits expire within the hour, migrations are in the header, each start stores the keys of signatures.
 */
const skippedTables = ['rate_limit', 'schema_migration', 'signature_key']

/**
 * Writes all rows, as of one moment, to a compressed file, while the product serves. `owner` migrates the database. Row
 * level security applies to the owner too, so it reads coach by coach. Throws DatabaseError for a database without
 * tables.
 */
export async function writeBackup(
  owner: pg.Client,
  { file, files, read }: { file: string; files: Record<string, string>; read: ReadContent },
): Promise<BackupSummary> {
  const partial = `${file}.partial`
  const gzip = createGzip()
  const out = createWriteStream(partial, { mode: 0o600, flush: true })
  const written = finished(gzip.pipe(out))
  written.catch(() => {})
  try {
    await owner.query('begin isolation level repeatable read read only')
    const summary = await writeContent(owner, gzip, { files, read })
    await owner.query('commit')
    gzip.end()
    await written
    await rename(partial, file)
    return summary
  } catch (error) {
    out.destroy()
    await rm(partial, { force: true })
    throw error
  }
}

/** The number and the hash of the rows that were read of each table. */
export type Digests = Map<string, { rows: number; hash: Hash }>
type Output = { owner: pg.Client; gzip: Writable; digests: Digests }
/** Rows of a table to write. */
type Selection = { table: Omit<Table, 'readers'>; condition: string }

async function writeContent(
  owner: pg.Client,
  gzip: Writable,
  { files, read }: { files: BackupHeader['files']; read: ReadContent },
): Promise<BackupSummary> {
  writeLine(gzip, await createHeader(owner, files))
  const tables = await listTables(owner)
  const output: Output = { owner, gzip, digests: new Map() }
  const selectFrom = (readers: Table['readers'], toCondition: (table: Table) => string = () => 'true'): Selection[] =>
    tables.filter((table) => table.readers === readers).map((table) => ({ table, condition: toCondition(table) }))

  await writeTables(output, nobody, selectFrom('everyone'))
  await writeTables(output, await findAdministrator(owner), selectFrom('administrators'))
  const { rows: coaches } = await owner.query<{ id: string }>('select id::text from list_coaches()')
  for (const { id } of coaches) {
    const ofCoach = ({ columns }: Table) => `${columns.includes('coach_id') ? 'coach_id' : 'id'} = ${id}`
    await writeTables(output, id, selectFrom('coach', ofCoach))
    await writeFiles(output, id, read)
  }
  const jobs = { name: 'pgboss.job', columns: await listColumns(owner, 'pgboss.job') }
  const isWaiting = String.raw`state in ('created', 'retry', 'active') and name !~ '^__'`
  await writeTables(output, nobody, [{ table: jobs, condition: isWaiting }])

  const summary = await createSummary(output)
  writeLine(gzip, summary)
  return summary
}

const writeLine = (gzip: Writable, value: BackupHeader | BackupSection | BackupContent | BackupSummary) =>
  gzip.write(`${JSON.stringify(value)}\n`)

/** Writes a section for each table that has rows. `reader`: the account that row level security sees. */
async function writeTables({ owner, gzip, digests }: Output, reader: string, selections: Selection[]): Promise<void> {
  if (!selections.length) return
  const statements = selections.map(
    ({ table, condition }) =>
      `copy (select ${quoteAll(table.columns)} from ${table.name} where ${condition}) to stdout`,
  )
  let section: Selection | null = null
  await copyOut(owner, [`set local app.coach_id = '${reader}'`, ...statements], gzip, (row, index) => {
    const selection = selections[index - 1]!
    const { name, columns } = selection.table
    if (selection !== section) {
      if (section) gzip.write(endOfRows)
      section = selection
      writeLine(gzip, { table: name, columns })
    }
    addToDigest(digests, name, row)
    gzip.write(row)
  })
  if (section) gzip.write(endOfRows)
}

/** In the summary beside the tables. */
export const contentDigest = 'file'
/** Divisible by 3, so that the lines of a file have no padding between them. */
const lineBytes = 768 * 1024

/** Writes the bytes of a coach's files, which never change. One that has just been deleted is left out. */
async function writeFiles({ owner, gzip, digests }: Output, coachId: string, read: ReadContent): Promise<void> {
  await owner.query(`set local app.coach_id = '${coachId}'`)
  const { rows } = await owner.query<{ key: string }>('select key from stored_file where coach_id = $1', [coachId])
  for (const { key } of rows) {
    const content = await read(key)
    if (!content) continue
    writeLine(gzip, { content: key })
    for await (const part of splitContent(content)) {
      const line = Buffer.from(`${part.toString('base64')}\n`)
      addToDigest(digests, contentDigest, line)
      if (!gzip.write(line)) await once(gzip, 'drain')
    }
    gzip.write(endOfRows)
  }
}

async function* splitContent(content: Readable): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let size = 0
  for await (const chunk of content as AsyncIterable<Buffer>) {
    parts.push(chunk)
    size += chunk.length
    if (size < lineBytes) continue
    const all = Buffer.concat(parts)
    const end = all.length - (all.length % lineBytes)
    for (let start = 0; start < end; start += lineBytes) yield all.subarray(start, start + lineBytes)
    parts = [all.subarray(end)]
    size = all.length - end
  }
  if (size) yield Buffer.concat(parts)
}

async function createSummary({ owner, digests }: Output): Promise<BackupSummary> {
  const { rows: sequences } = await owner.query<{ name: string; value: string }>(
    `select schemaname || '.' || sequencename as name, last_value::text as value from pg_sequences
      where schemaname = 'public' and last_value is not null and sequencename <> 'schema_migration_id_seq'`,
  )
  return {
    tables: finishDigests(digests),
    sequences: Object.fromEntries(sequences.map(({ name, value }) => [name, Number(value)])),
  }
}

export function addToDigest(digests: Digests, table: string, row: Buffer): void {
  const digest = digests.get(table) ?? { rows: 0, hash: createHash('sha256') }
  digests.set(table, digest)
  digest.rows++
  digest.hash.update(row)
}

export const finishDigests = (digests: Digests): BackupSummary['tables'] =>
  Object.fromEntries([...digests].map(([name, { rows, hash }]) => [name, { rows, sha256: hash.digest('hex') }]))

/** Throws DatabaseError if nobody may read the log of the administrators. */
async function findAdministrator(owner: pg.Client): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(
    'select id::text from account where is_admin and removed_at is null order by id limit 1',
  )
  if (rows[0]) return rows[0].id
  const log = await owner.query(
    `select from pg_sequences where schemaname = 'public' and sequencename = 'audit_entry_id_seq' and last_value is not null`,
  )
  if (log.rowCount)
    throw new DatabaseError('Only an administrator may read the audit log. Start the product with ADMIN_EMAIL first.')
  return nobody
}

export const quoteAll = (columns: string[]): string => columns.map((name) => pg.escapeIdentifier(name)).join(', ')

async function createHeader(owner: pg.Client, files: BackupHeader['files']): Promise<BackupHeader> {
  const found = await owner.query(`select to_regclass('public.schema_migration') as name`)
  if (found.rows[0].name === null)
    throw new DatabaseError('There is nothing to back up: the product never started with this database.')
  const { rows } = await owner.query<{ name: string; checksum: string }>('select name, checksum from schema_migration')
  return {
    format: 1,
    createdAt: new Date().toISOString(),
    migrations: Object.fromEntries(rows.map(({ name, checksum }) => [name, checksum])),
    queueVersion: await getQueueVersion(owner),
    files,
  }
}

export async function getQueueVersion(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query<{ version: number }>('select version from pgboss.version')
  return rows[0]!.version
}

export async function listTables(owner: pg.Client): Promise<Table[]> {
  const { rows } = await owner.query<{ name: string; isSecured: boolean }>(
    `select 'public.' || quote_ident(relname) as name, relrowsecurity as "isSecured" from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> all ($1) order by relname`,
    [skippedTables],
  )
  const tables: Table[] = []
  for (const { name, isSecured } of rows) {
    const columns = await listColumns(owner, name)
    const isTenantTable = name === 'public.account' || columns.includes('coach_id')
    tables.push({ name, columns, readers: !isSecured ? 'everyone' : isTenantTable ? 'coach' : 'administrators' })
  }
  return tables
}

async function listColumns(owner: pg.Client, table: string): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select attname as name from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  )
  return rows.map(({ name }) => name)
}
