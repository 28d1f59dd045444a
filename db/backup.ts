import { createHash, type Hash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
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
/** The last line. Without it the backup is incomplete. */
export type BackupSummary = {
  tables: Record<string, { rows: number; sha256: string }>
  sequences: Record<string, number>
}

/** `readers`: whom row level security lets read the rows. */
type Table = { name: string; columns: string[]; readers: 'everyone' | 'coach' | 'administrators' }

export const endOfRows = '\\.\n'
/** Counts of rate limits expire within the hour; migrations are in the header. */
const skippedTables = ['rate_limit', 'schema_migration']

/**
 * Writes all rows, as of one moment, to a compressed file, while the product serves. `owner` migrates the database. Row level
 * security applies to the owner too, so it reads coach by coach.
 */
export async function writeBackup(
  owner: pg.Client,
  { file, files }: { file: string; files: Record<string, string> },
): Promise<BackupSummary> {
  const partial = `${file}.partial`
  const gzip = createGzip()
  const out = createWriteStream(partial, { mode: 0o600, flush: true })
  const written = finished(gzip.pipe(out))
  written.catch(() => {})
  try {
    await owner.query('begin isolation level repeatable read read only')
    const summary = await writeContent(owner, gzip, files)
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

async function writeContent(owner: pg.Client, gzip: NodeJS.WritableStream, files: BackupHeader['files']) {
  const writeLine = (value: BackupHeader | BackupSection | BackupSummary) => gzip.write(`${JSON.stringify(value)}\n`)
  writeLine(await createHeader(owner, files))
  const tables = await listTables(owner)
  const digests = new Map<string, { rows: number; hash: Hash }>()
  const select = (readers: Table['readers']) => tables.filter((table) => table.readers === readers)
  const selectAll = (table: Table) => ({ table, condition: 'true' })

  await writeTables(select('everyone').map(selectAll))
  await writeTables(select('administrators').map(selectAll), actAs(await findAdministrator(owner)))
  const { rows: coaches } = await owner.query<{ id: string }>('select id::text from list_coaches()')
  for (const { id } of coaches)
    await writeTables(
      select('coach').map((table) => ({
        table,
        condition: `${table.columns.includes('coach_id') ? 'coach_id' : 'id'} = ${id}`,
      })),
      actAs(id),
    )
  const jobs = { name: 'pgboss.job', columns: await listColumns(owner, 'pgboss.job') }
  await writeTables([{ table: jobs, condition: String.raw`state in ('created', 'retry', 'active') and name !~ '^__'` }])

  const { rows: sequences } = await owner.query<{ name: string; value: string }>(
    `select schemaname || '.' || sequencename as name, last_value::text as value from pg_sequences
      where schemaname = 'public' and last_value is not null and sequencename <> 'schema_migration_id_seq'`,
  )
  const summary: BackupSummary = {
    tables: Object.fromEntries(
      [...digests].map(([name, { rows, hash }]) => [name, { rows, sha256: hash.digest('hex') }]),
    ),
    sequences: Object.fromEntries(sequences.map(({ name, value }) => [name, Number(value)])),
  }
  writeLine(summary)
  return summary

  async function writeTables(
    selections: { table: Omit<Table, 'readers'>; condition: string }[],
    before?: string,
  ): Promise<void> {
    if (!selections.length) return
    let section = -1
    const leave = () => section >= 0 && gzip.write(endOfRows)
    await copyOut(
      owner,
      [
        ...(before ? [before] : []),
        ...selections.map(
          ({ table, condition }) =>
            `copy (select ${quoteAll(table.columns)} from ${table.name} where ${condition}) to stdout`,
        ),
      ],
      gzip as never,
      (row, index) => {
        const position = index - (before ? 1 : 0)
        const { name, columns } = selections[position]!.table
        if (position !== section) {
          leave()
          section = position
          writeLine({ table: name, columns })
        }
        const digest = digests.get(name) ?? { rows: 0, hash: createHash('sha256') }
        digests.set(name, digest)
        digest.rows++
        digest.hash.update(row)
        gzip.write(row)
      },
    )
    leave()
  }
}

const actAs = (accountId: string): string => `set local app.coach_id = '${accountId}'`

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
  return '0'
}

export const quoteAll = (columns: string[]): string => columns.map((name) => pg.escapeIdentifier(name)).join(', ')

async function createHeader(owner: pg.Client, files: BackupHeader['files']): Promise<BackupHeader> {
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
