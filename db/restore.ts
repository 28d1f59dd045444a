import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import type pg from 'pg'
import {
  addToDigest,
  contentDigest,
  endOfRows,
  finishDigests,
  getQueueVersion,
  listTables,
  quoteAll,
  type BackupContent,
  type BackupHeader,
  type BackupSection,
  type BackupSummary,
  type Digests,
} from './backup.ts'
import { copyIn } from './copy.ts'
import { DatabaseError } from './migrate.ts'

/** A backup that has been checked, and its lines after the header. */
export type OpenBackup = { header: BackupHeader; summary: BackupSummary; lines: AsyncGenerator<Buffer> }

/** Reads a backup once to check it, and opens it. Throws DatabaseError if it is incomplete or damaged. */
export async function openBackup(file: string): Promise<OpenBackup> {
  const checked = await checkContent(readLines(file))
  const lines = readLines(file)
  await lines.next()
  return { ...checked, lines }
}

async function checkContent(lines: AsyncGenerator<Buffer>): Promise<Omit<OpenBackup, 'lines'>> {
  const header = parseLine<BackupHeader>(await readLine(lines))
  if (header.format !== 1) throw damaged()
  const digests: Digests = new Map()
  for (;;) {
    const part = parseLine<BackupSection | BackupContent | BackupSummary>(await readLine(lines))
    if ('tables' in part) {
      const isComplete = JSON.stringify(finishDigests(digests)) === JSON.stringify(part.tables)
      if (!isComplete || !(await lines.next()).done) throw damaged()
      return { header, summary: part }
    }
    const name = 'content' in part ? contentDigest : part.table
    for await (const row of readRows(lines)) addToDigest(digests, name, row)
  }
}

/** Throws DatabaseError unless the backup or export was written with exactly these migrations. */
export function checkVersion(
  { migrations }: Pick<BackupHeader, 'migrations'>,
  current: { name: string; checksum: string }[],
  what: 'backup' | 'export' = 'backup',
): void {
  const unknown = Object.keys(migrations).find((name) => !current.some((migration) => migration.name === name))
  const verb = what === 'backup' ? 'Restore' : 'Import'
  const advice = `${verb} it with the version that wrote it, and then start this one.`
  if (unknown) throw new DatabaseError(`The ${what} is of another version: "${unknown}" is unknown here. ${advice}`)
  const different = current.find(({ name, checksum }) => migrations[name] !== checksum)
  if (different) throw new DatabaseError(`The ${what} is of another version: it lacks "${different.name}". ${advice}`)
}

/** Throws DatabaseError if the database holds an account, or tables of something else. */
export async function checkEmpty(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ migrated: boolean; tables: number }>(
    `select to_regclass('public.schema_migration') is not null as migrated,
      (select count(*)::int from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r') as tables`,
  )
  const { migrated, tables } = rows[0]!
  const isEmpty = migrated ? !(await owner.query('select from list_coaches() limit 1')).rowCount : tables === 0
  if (!isEmpty)
    throw new DatabaseError('The database is not empty. Restore into a new DATABASE_URL, or an empty DATA_DIR.')
}

/** Keeps the bytes of a file. */
export type WriteContent = (key: string, content: AsyncIterable<Buffer>) => Promise<void>

/**
 * Loads the rows of a backup into a migrated database without accounts, in one transaction: after an error it is still
 * empty. Throws DatabaseError if there is an account, or if the job queue is of another version.
 */
export async function loadBackup(
  owner: pg.Client,
  { header, summary, lines }: OpenBackup,
  write: WriteContent,
): Promise<void> {
  await owner.query('begin')
  try {
    await owner.query(`select pg_advisory_xact_lock(hashtext('practice.prepare'))`)
    await checkEmpty(owner)
    if ((await getQueueVersion(owner)) !== header.queueVersion)
      throw new DatabaseError('The backup is of a version with another job queue. Restore it with that version.')
    const enableChecks = await disableChecks(owner)
    await loadSections(owner, lines, write)
    await enableChecks()
    for (const [name, value] of Object.entries(summary.sequences))
      await owner.query('select setval($1::regclass, $2)', [name, value])
    await owner.query('commit')
  } catch (error) {
    await owner.query('rollback').catch(() => {})
    throw error
  }
}

/**
 * Suspends triggers, foreign keys and the policies that apply to the owner, and empties the tables. Returns what
 * restores them and checks the foreign keys.
 */
async function disableChecks(owner: pg.Client): Promise<() => Promise<void>> {
  const { rows: keys } = await owner.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  )
  const tables = await listTables(owner)
  for (const { table, name } of keys) await owner.query(`alter table ${table} drop constraint ${name}`)
  for (const { name, readers } of tables) {
    await owner.query(`alter table ${name} disable trigger user`)
    if (readers !== 'everyone') await owner.query(`alter table ${name} no force row level security`)
    await owner.query(`delete from ${name}`)
  }
  await owner.query('delete from pgboss.job')
  return async () => {
    for (const { table, name, definition } of keys)
      await owner.query(`alter table ${table} add constraint ${name} ${definition}`)
    for (const { name, readers } of tables) {
      await owner.query(`alter table ${name} enable trigger user`)
      if (readers !== 'everyone') await owner.query(`alter table ${name} force row level security`)
    }
  }
}

async function loadSections(owner: pg.Client, lines: AsyncGenerator<Buffer>, write: WriteContent): Promise<void> {
  for (;;) {
    const part = parseLine<BackupSection | BackupContent | BackupSummary>(await readLine(lines))
    if ('tables' in part) return
    if ('content' in part) {
      await write(part.content, decodeLines(readRows(lines)))
      continue
    }
    const copy = await copyIn(owner, `copy ${part.table} (${quoteAll(part.columns)}) from stdin`)
    for await (const row of readRows(lines)) await copy.write(row)
    await copy.end()
  }
}

async function* decodeLines(lines: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  for await (const line of lines) yield Buffer.from(line.toString('latin1'), 'base64')
}

/** The rows of a section, up to the line that ends it. */
async function* readRows(lines: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  for (;;) {
    const row = await readLine(lines)
    if (row.length === endOfRows.length && row.toString() === endOfRows) return
    yield row
  }
}

async function readLine(lines: AsyncGenerator<Buffer>): Promise<Buffer> {
  const { value, done } = await lines.next()
  if (done) throw damaged()
  return value
}

/** The lines of a compressed file, with their newlines. */
async function* readLines(file: string): AsyncGenerator<Buffer> {
  const source = createReadStream(file)
  const gunzip = createGunzip()
  source.on('error', (error) => gunzip.destroy(error))
  let rest: Buffer[] = []
  try {
    for await (const chunk of source.pipe(gunzip) as AsyncIterable<Buffer>) {
      let start = 0
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
        yield Buffer.concat([...rest, chunk.subarray(start, end + 1)])
        rest = []
        start = end + 1
      }
      if (start < chunk.length) rest.push(chunk.subarray(start))
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')) throw damaged()
    throw error
  } finally {
    source.destroy()
  }
  if (rest.length) throw damaged()
}

function parseLine<Value>(line: Buffer): Value {
  try {
    return JSON.parse(line.toString()) as Value
  } catch {
    throw damaged()
  }
}

const damaged = () => new DatabaseError('The backup is incomplete or damaged. Nothing was restored.')
