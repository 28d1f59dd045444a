import type { Readable } from 'node:stream'
import type pg from 'pg'
import { AppError } from '#app/lib/errors.ts'
import { checkVersion } from '#db/restore.ts'
import { setTenantText } from '#db/pg-pipeline.ts'
import type { PlanName } from '#tenants/accounts/plans.ts'
import { checkSubdomain } from '#tenants/accounts/subdomains.ts'
import { checkNewPassword } from '#tenants/accounts/passwords.ts'
import { hashPassword } from '#tenants/auth/sign-in.ts'
import type { FileKey } from '#tenants/files/store.ts'
import type { Platform } from '#tenants/platform.ts'
import { dataPath } from './format.ts'
import { openArchive, type OpenArchive } from './read-archive.ts'
import { listExportTables, type ExportedTable } from './tables.ts'

export type ImportOptions = {
  /** Instead of what the export has. `subdomain` null: none. */
  email?: string | undefined
  subdomain?: string | null | undefined
  plan?: PlanName | undefined
  /** Without one the coach gets an email with a link to choose it. */
  password?: string | undefined
}
export type ImportSummary = { coachId: number; email: string; plan: PlanName; rows: number; files: number }

/** Ids of all practices continue after the largest one. */
const maxId = 2 ** 40
/** Lines are sent in parts of about so many characters. */
const partLength = 512 * 1024
/** The largest row has a file of 10 MB in hexadecimal digits, and more. */
const maxLineLength = 64 * 1024 ** 2
/** Less than Postgres waits before it ends one of two transactions that wait for each other. */
const lockTimeoutMs = 800
const lockAttempts = 20

/**
 * Creates a practice from an export, row for row, as the owner of the database: with its ids, times and history.
 * `platform` is open as the owner, too. Writes nothing if it fails. Throws AppError and DatabaseError with a sentence for
 * the terminal: for a file that is damaged or of another version, and if the address or the subdomain is taken.
 */
export async function importPractice(
  { owner, platform }: { owner: pg.Client; platform: Platform },
  file: string,
  options: ImportOptions = {},
): Promise<ImportSummary> {
  const archive = await openArchive(file)
  const written: FileKey[] = []
  try {
    checkVersion(archive.manifest, platform.migrations, 'export')
    const { tables } = listExportTables(platform)
    const imported = tables.filter(({ isOnlyToRead }) => !isOnlyToRead)
    const names = (list: { name: string }[]) => list.map(({ name }) => name).join()
    if (names(archive.manifest.tables) !== names(imported)) throw misfit('its tables are not those of this version')
    await owner.query('begin')
    const summary = await load({ owner, platform, archive, tables: imported, options, written })
    await owner.query('commit')
    return summary
  } catch (error) {
    await owner.query('rollback').catch(() => {})
    for (const key of written) await platform.fileStore.delete(key).catch(() => {})
    throw toImportError(error)
  } finally {
    archive.close()
  }
}

type Import = {
  owner: pg.Client
  platform: Platform
  archive: OpenArchive
  tables: ExportedTable[]
  options: ImportOptions
  /** The bytes that are in the store by now. */
  written: FileKey[]
}

const misfit = (why: string): AppError =>
  new AppError('validation_failed', `The export doesn't fit: ${why}. Nothing was imported.`)

async function load(run: Import): Promise<ImportSummary> {
  const { owner, platform, archive, tables, options } = run
  const { rows: next } = await owner.query<{ id: string }>(`select nextval('account_id_seq') as id`)
  const coachId = Number(next[0]!.id)
  await owner.query(setTenantText, [coachId, platform.databaseSigner.signActor(coachId, null)])
  await owner.query(`select set_config('timezone', 'UTC', true)`)
  // The account first: its addresses may be taken.
  for (const table of tables.filter(({ name }) => name === 'account')) await stage(run, table)
  const account = await insertAccount(run, coachId)
  for (const table of tables.filter(({ name }) => name !== 'account')) await stage(run, table)
  await copyFiles(run, coachId)
  await insertRows(run, coachId)
  if (options.password === undefined)
    await platform.boss.send(
      'mail.invitation',
      { coachId, email: account.email },
      { db: { executeSql: (text, values) => owner.query(text, values as unknown[]) } },
    )
  return {
    coachId,
    ...account,
    rows: archive.manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    files: run.written.length,
  }
}

const stageName = (table: string): string => `pg_temp."import_${table}"`

/** Copies rows, as JSON, to a table of this connection, so that the real one is locked for seconds only. */
async function stage({ owner, archive }: Import, { name }: ExportedTable): Promise<void> {
  await owner.query(`create temp table "import_${name}" (number bigserial, line json not null) on commit drop`)
  const expected = archive.manifest.tables.find((table) => table.name === name)!.rows
  let rows = 0
  for await (const lines of readLines(await archive.open(dataPath(name)))) {
    rows += lines.length
    if (rows > expected) break
    await owner.query(`insert into ${stageName(name)} (line) select unnest($1::text[])::json`, [lines])
  }
  if (rows !== expected) throw misfit(`${dataPath(name)} has another number of rows than its manifest says`)
}

/** The lines of a file, several at once. */
async function* readLines(content: Readable): AsyncGenerator<string[]> {
  let lines: string[] = []
  let length = 0
  let rest = ''
  content.setEncoding('utf8')
  for await (const chunk of content as AsyncIterable<string>) {
    const [first, ...others] = chunk.split('\n')
    rest += first!
    if (rest.length > maxLineLength) throw misfit('it has a row that is too long')
    for (const other of others) {
      lines.push(rest)
      length += rest.length
      rest = other
    }
    if (length < partLength) continue
    yield lines
    lines = []
    length = 0
  }
  if (rest) throw misfit('it has a row that is cut off')
  if (lines.length) yield lines
}

async function insertAccount(
  { owner, platform, tables, options }: Import,
  coachId: number,
): Promise<{ email: string; plan: PlanName }> {
  const table = tables.find(({ name }) => name === 'account')!
  const { rows } = await owner.query<{ account: Record<string, unknown> }>(
    `select line as account from ${stageName('account')}`,
  )
  const found = rows[0]?.account
  if (rows.length !== 1 || typeof found?.email !== 'string') throw misfit('it has no account')
  const account = {
    ...found,
    email: options.email ?? found.email,
    plan: options.plan ?? (found.plan as PlanName),
    subdomain: options.subdomain === undefined ? found.subdomain : options.subdomain,
  }
  if (typeof account.subdomain === 'string') await checkAddress(platform, owner, coachId, account.subdomain)
  const passwordHash = await hashOwnPassword(platform, account, options.password)
  // Only the table's owner may write the password and the plan.
  await owner.query(
    `insert into account (id, password_hash, email_verified_at, ${listColumns(table)})
      select $1, $2, $3, ${listLoads(table)} from json_to_record($4) as r(${listTypes(table)})`,
    [coachId, passwordHash, passwordHash ? platform.now() : null, JSON.stringify(account)],
  )
  return { email: account.email, plan: account.plan }
}

async function hashOwnPassword(
  { config }: Platform,
  account: Record<string, unknown>,
  password: string | undefined,
): Promise<string | null> {
  if (password === undefined) return null
  const { email, first_name: firstName, last_name: lastName } = account
  await checkNewPassword(config, password, {
    email: String(email),
    firstName: String(firstName),
    lastName: String(lastName),
  })
  return hashPassword(password)
}

/** Throws for a subdomain that is reserved, here or for a practice that has given it up. */
async function checkAddress(platform: Platform, owner: pg.Client, coachId: number, subdomain: string): Promise<void> {
  checkSubdomain(platform.config, subdomain)
  const { rows } = await owner.query<{ isHeld: boolean }>('select is_subdomain_held($1, $2, $3) as "isHeld"', [
    subdomain,
    coachId,
    platform.now(),
  ])
  if (rows[0]!.isHeld) throw subdomainTaken()
}

/** Copies the bytes of the files, under new keys. */
async function copyFiles({ owner, platform, archive, written }: Import, coachId: number): Promise<void> {
  const { manifest } = archive
  const { rows } = await owner.query<{ key: string; size: string }>(
    `select line ->> 'key' as key, line ->> 'size' as size from ${stageName('stored_file')} order by number`,
  )
  for (const { key, size } of rows) {
    const path = Object.hasOwn(manifest.contents, key) ? manifest.contents[key] : undefined
    // Its bytes were lost before.
    if (path === undefined) continue
    if (manifest.files[path]!.bytes !== Number(size)) throw misfit(`${path} has another size`)
    const ownKey: FileKey = `${coachId}/${key}`
    written.push(ownKey)
    await platform.fileStore.write(ownKey, await archive.open(path))
  }
}

/** Copies all rows to their tables. Others can't write to these for as long. */
async function insertRows({ owner, tables }: Import, coachId: number): Promise<void> {
  const triggers = await listTriggers(owner, tables)
  await lockTables(owner, [...new Set(triggers.map(({ table }) => table))])
  for (const { table, name } of triggers) await owner.query(`alter table "${table}" disable trigger "${name}"`)
  for (const table of tables) {
    if (table.name === 'account') continue
    await owner.query(
      `insert into "${table.name}" (coach_id, ${listColumns(table)})
        select $1::bigint, ${listLoads(table)}
        from ${stageName(table.name)} s, json_to_record(s.line) as r(${listTypes(table)}) order by s.number`,
      [coachId],
    )
    await advanceSequence(owner, table.name, coachId)
  }
  for (const { table, name } of triggers) await owner.query(`alter table "${table}" enable trigger "${name}"`)
}

/** All but those that write the content search: the rows are as these triggers left them, and have their history. */
async function listTriggers(owner: pg.Client, tables: ExportedTable[]): Promise<{ table: string; name: string }[]> {
  const { rows } = await owner.query<{ table: string; name: string }>(
    `select c.relname as table, t.tgname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where not t.tgisinternal and t.tgenabled = 'O' and c.relnamespace = 'public'::regnamespace
        and c.relname = any($1) and c.relname <> 'account' and t.tgname <> c.relname || '_content' order by 1, 2`,
    [tables.map(({ name }) => name)],
  )
  return rows
}

/** Throws unavailable if others use the tables all the time. */
async function lockTables(owner: pg.Client, tables: string[]): Promise<void> {
  await owner.query(`set local lock_timeout = ${lockTimeoutMs}`)
  await owner.query('savepoint unlocked')
  for (let attempt = 1; ; attempt++) {
    try {
      const list = tables.map((name) => `"${name}"`).join(', ')
      await owner.query(`lock table ${list} in share row exclusive mode`)
      return
    } catch (error) {
      if (!hasCode(error, '55P03') || attempt === lockAttempts) throw error
      await owner.query('rollback to savepoint unlocked')
    }
  }
}

/** New rows must get other ids than those of the import. */
async function advanceSequence(owner: pg.Client, table: string, coachId: number): Promise<void> {
  const { rows } = await owner.query<{ min: string | null; max: string | null }>(
    `select min(id) as min, max(id) as max from "${table}" where coach_id = $1`,
    [coachId],
  )
  const { min, max } = rows[0]!
  if (max === null) return
  if (Number(min) < 1 || Number(max) > maxId) throw misfit(`${dataPath(table)} has an id that is out of range`)
  await owner.query(
    `select setval(s.name::regclass, $2) from (select pg_get_serial_sequence($1, 'id') as name) s
      where coalesce(pg_sequence_last_value(s.name::regclass), 0) < $2`,
    [table, max],
  )
}

const listColumns = ({ columns }: ExportedTable): string => columns.map(({ name }) => `"${name}"`).join(', ')
const listLoads = ({ columns }: ExportedTable): string => columns.map(({ load }) => load).join(', ')
const listTypes = ({ columns }: ExportedTable): string =>
  columns.map(({ name, type }) => `"${name}" ${type}`).join(', ')

const subdomainTaken = (): AppError =>
  new AppError(
    'conflict',
    'The web address of this practice is taken here. Nothing was imported. Choose another one, or none, with --subdomain.',
  )

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

function toImportError(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error) || !('code' in error)) return error
  const { code, constraint, table } = error as Error & { code: string; constraint?: string; table?: string }
  if (constraint === 'account_email_key')
    return new AppError(
      'conflict',
      'An account with this email address exists here. Nothing was imported. Choose another one with --email.',
    )
  if (constraint === 'account_subdomain_key') return subdomainTaken()
  if (code === '55P03')
    return new AppError('unavailable', 'The database is busy. Nothing was imported. Please try again later.')
  // Values that no column takes, and rows that break a rule.
  if (/^2[23]/.test(code)) return misfit(`${table ?? 'a table'} does not accept a row (${constraint ?? code})`)
  return error
}
