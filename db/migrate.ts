import { createHmac } from 'node:crypto'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { ensureClientPolicies, hasClientPolicies } from './client-policies.ts'
import { openOrm, type Entity, type NamedMigration } from './orm.ts'
import { ensureRoles, grantPrivileges, replaceFormerRoles, restrictConnections, getRoles } from './roles.ts'
import { createDatabaseSigner, storeSignatureKeys } from './signatures.ts'
import { setTimeouts } from './timeouts.ts'

export type QueueSettings = { name: string; retryLimit: number; expireInSeconds: number }
export type PreparedDatabase = { appUrl: string; migrated: string[] }
type PrepareOptions = {
  ownerUrl: string
  /** The values of SECRET_KEY. */
  secretKeys: string[]
  entities: Entity[]
  migrations: NamedMigration[]
  queues: QueueSettings[]
}

/** A database that can't be used. The message is one sentence for the terminal. */
export class DatabaseError extends Error {
  override name = 'DatabaseError'
}

/**
 * Brings the database of `ownerUrl` up to date with this code: roles, privileges, migrations, queues. Several processes
 * may run it at the same time. Returns the URL of the app's role, whose password is derived from the first of
 * `secretKeys`. Throws DatabaseError: unreachable, older than Postgres 16, newer than the code, or a released migration
 * that has changed.
 */
export async function prepareDatabase(options: PrepareOptions): Promise<PreparedDatabase> {
  const { ownerUrl, secretKeys, queues } = options
  const owner = await connect(ownerUrl)
  const lock = await connect(ownerUrl)
  try {
    const { rows } = await owner.query<{ version: number; database: string; now: Date }>(
      `select current_setting('server_version_num')::int as version, current_database() as database,
        clock_timestamp() as now`,
    )
    const { version, database, now } = rows[0]!
    checkServerVersion(version)
    checkClock(now)
    checkDatabaseName(database)
    // Only one process migrates; the rest wait. A transaction's lock, because PgBouncer would keep a session's.
    await lock.query('begin')
    await lock.query(`select pg_advisory_xact_lock(hashtext('practice.prepare'))`)
    const roles = getRoles(database)
    const password = derivePassword(roles.login, secretKeys[0]!)
    await ensureRoles(owner, roles, password)
    await replaceFormerRoles(owner, roles)
    await restrictConnections(owner, database, roles)
    await setTimeouts(owner, roles.login)
    const { migrated, isFinished } = await migrate(owner, options)
    const createdQueues = await ensureQueues(owner, ownerUrl, queues)
    if (!isFinished || createdQueues) await grantPrivileges(owner, roles)
    await ensureClientPolicies(owner, options.entities, database)
    await storeSignatureKeys(owner, secretKeys)
    // Last: without its checksum a migration is not finished, also for the next start after a killed one.
    if (!isFinished) await storeChecksums(owner, options.migrations)
    return { appUrl: withCredentials(ownerUrl, roles.login, password), migrated }
  } finally {
    await Promise.all([owner.end(), lock.end()])
  }
}

/** In Postgres 15 a role that may create roles can run programs as the server's user. Throws DatabaseError. */
export function checkServerVersion(version: number): void {
  if (version < 160_000)
    throw new DatabaseError(
      `Postgres 16 or newer is needed; DATABASE_URL leads to version ${Math.floor(version / 10_000)}.`,
    )
}

/** A signature that the database verifies expires after some minutes. Throws DatabaseError. */
export function checkClock(databaseNow: Date): void {
  const minutes = Math.abs(Date.now() - databaseNow.getTime()) / 60_000
  if (minutes > 5)
    throw new DatabaseError(
      `The clocks of this machine and of the database differ by ${Math.floor(minutes)} minutes: set the wrong one right.`,
    )
}

/** Postgres cuts names of roles off at 63 bytes, and two databases would share them. */
export function checkDatabaseName(database: string): void {
  if (Object.values(getRoles(database)).some((role) => Buffer.byteLength(role) > 63))
    throw new DatabaseError(`DATABASE_URL can't be used: the name of the database has more than 55 bytes.`)
}

/**
 * Checks that the serving role of `appUrl` can work with the database as it is. Throws DatabaseError: unreachable, not
 * migrated to this version or with another SECRET_KEY, newer, or a role with the owner's rights.
 */
export async function checkMigrated({
  appUrl,
  secretKey,
  entities,
  migrations,
  queues,
}: {
  appUrl: string
  /** The one that this process signs with. */
  secretKey: string
  entities: Entity[]
  migrations: NamedMigration[]
  queues: QueueSettings[]
}): Promise<void> {
  const app = await connect(appUrl, 'APP_DATABASE_URL')
  try {
    const { rows } = await app.query<{ role: string; isOwner: boolean; isMigrated: boolean }>(
      `select current_user as role, to_regclass('public.schema_migration') is not null as "isMigrated",
        exists (select 1 from pg_class where oid = to_regclass('public.account')
          and pg_has_role(relowner, 'member')) as "isOwner"`,
    )
    const { role, isOwner, isMigrated } = rows[0]!
    if (isOwner)
      throw new DatabaseError(`APP_DATABASE_URL can't be used: the role ${role} owns the tables. Use the serving role.`)
    const applied = isMigrated
      ? (await app.query<AppliedMigration>('select name, checksum from schema_migration')).rows
      : []
    checkApplied(applied, migrations)
    const existing = isMigrated ? (await app.query<{ name: string }>('select name from pgboss.queue')).rows : []
    const isComplete =
      migrations.every(({ name }) => applied.some((migration) => migration.name === name && migration.checksum)) &&
      queues.every(({ name }) => existing.some((queue) => queue.name === name)) &&
      (await hasClientPolicies(app, entities))
    if (!isComplete)
      throw new DatabaseError(
        `The database isn't migrated to this version of the product: run npm run migrate with the owner's DATABASE_URL.`,
      )
    await checkSignature(app, secretKey)
  } finally {
    await app.end()
  }
}

async function checkSignature(app: pg.Client, secretKey: string): Promise<void> {
  const { rows } = await app.query<{ isAccepted: boolean; now: Date }>(
    `select is_signed($1, 'actor:0') as "isAccepted", clock_timestamp() as now`,
    [createDatabaseSigner(secretKey).signActor(0, null)],
  )
  const { isAccepted, now } = rows[0]!
  checkClock(now)
  if (!isAccepted)
    throw new DatabaseError(
      `SECRET_KEY can't be used: the database was migrated with another one. Run npm run migrate with this key.`,
    )
}

/**
 * The URL of the serving role. Without a password in `url` it is the one that `prepareDatabase` derives from `secret`,
 * and without a user the role is the one that it creates.
 */
export function getAppUrl(url: string, secret: string): string {
  const { username, password, pathname } = new URL(url.replace('@/', '@socket/'))
  if (password) return url
  const login = decodeURIComponent(username) || getRoles(decodeURIComponent(pathname.slice(1))).login
  return withCredentials(url, login, derivePassword(login, secret))
}

/** The connection string of a replica, for the role of `appUrl` whatever it names. */
export function getReplicaUrl(url: string, appUrl: string): string {
  const { username, password } = new URL(appUrl.replace('@/', '@socket/'))
  return withCredentials(url, decodeURIComponent(username), decodeURIComponent(password))
}

const derivePassword = (login: string, secret: string): string =>
  createHmac('sha256', secret).update(`role ${login}`).digest('hex')

async function connect(url: string, setting = 'DATABASE_URL'): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect().catch((error: unknown) => {
    throw new DatabaseError(describeConnectionError(error, setting))
  })
  return client
}

type AppliedMigration = { name: string; checksum: string | null }

/** Runs the pending migrations. `isFinished`: there were none, nor any that a killed process ran. */
async function migrate(
  owner: pg.Client,
  { ownerUrl, entities, migrations }: PrepareOptions,
): Promise<{ migrated: string[]; isFinished: boolean }> {
  const applied = await listApplied(owner)
  checkApplied(applied, migrations)
  const appliedNames = new Set(applied.map(({ name }) => name))
  const pending = migrations.map(({ name }) => name).filter((name) => !appliedNames.has(name))
  if (pending.length) {
    const orm = openOrm(ownerUrl, { entities, migrations, poolSize: 1 })
    try {
      await orm.migrator.up({ migrations: pending })
    } finally {
      await orm.close()
    }
  }
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]))
  return { migrated: pending, isFinished: migrations.every(({ name }) => checksums.get(name)) }
}

async function listApplied(owner: pg.Client): Promise<AppliedMigration[]> {
  const { rows } = await owner.query<{ found: string | null }>(
    `select to_regclass('public.schema_migration')::text as found`,
  )
  if (!rows[0]!.found) return []
  await owner.query('alter table schema_migration add column if not exists checksum text')
  return (await owner.query<AppliedMigration>('select name, checksum from schema_migration')).rows
}

/** Throws DatabaseError if the database and the code have different migrations. Those of absent modules are ignored. */
function checkApplied(applied: AppliedMigration[], migrations: NamedMigration[]): void {
  const checksums = new Map(migrations.map(({ name, checksum }) => [name, checksum]))
  const owners = new Set(migrations.map(({ name }) => getOwner(name)))
  for (const { name, checksum } of applied) {
    if (name === 'house/0001-accounts')
      throw new DatabaseError(
        'The database was created by a version before the first release. Use a new DATABASE_URL or DATA_DIR.',
      )
    if (owners.has(getOwner(name)) && !checksums.has(name))
      throw new DatabaseError(
        `The database is newer than this version of the product (it knows "${name}"). Start a newer version.`,
      )
    if (checksum !== null && checksums.has(name) && checksums.get(name) !== checksum)
      throw new DatabaseError(
        `The migration "${name}" has changed since it ran on this database. Restore it and add a new migration.`,
      )
  }
}

const getOwner = (migrationName: string): string => migrationName.split('/')[0]!

async function storeChecksums(owner: pg.Client, migrations: NamedMigration[]): Promise<void> {
  await owner.query('alter table schema_migration add column if not exists checksum text')
  for (const { name, checksum } of migrations)
    await owner.query('update schema_migration set checksum = $2 where name = $1 and checksum is null', [
      name,
      checksum,
    ])
}

/** The longest pause in seconds between two attempts of a job. */
const retryDelayMax = 900

/** Creates missing queues, and changes those with other settings. Returns whether it created any. */
async function ensureQueues(owner: pg.Client, ownerUrl: string, queues: QueueSettings[]): Promise<boolean> {
  const { rows } = await owner.query<{ installed: boolean }>(
    `select to_regclass('pgboss.queue') is not null as installed`,
  )
  const { installed } = rows[0]!
  const existing = new Map((installed ? await listQueues(owner) : []).map((queue) => [queue.name, queue]))
  for (const { name, retryLimit, expireInSeconds } of queues) {
    const before = existing.get(name)
    if (before && (before.retryLimit !== retryLimit || before.expireInSeconds !== expireInSeconds))
      await owner.query(
        'update pgboss.queue set retry_limit = $2, retry_delay_max = $3, expire_seconds = $4 where name = $1',
        [name, retryLimit, retryDelayMax, expireInSeconds],
      )
  }
  const missing = queues.filter(({ name }) => !existing.has(name))
  if (installed && !missing.length) return false
  const boss = new PgBoss({ connectionString: ownerUrl, max: 2, supervise: false, schedule: false })
  await boss.start()
  // After 10 seconds without a heartbeat another worker takes over a job.
  const common = { retryDelay: 2, retryBackoff: true, retryDelayMax, heartbeatSeconds: 10 }
  for (const { name, retryLimit, expireInSeconds } of missing)
    await boss.createQueue(name, { ...common, retryLimit, expireInSeconds })
  await boss.stop({ graceful: false })
  return true
}

async function listQueues(owner: pg.Client): Promise<QueueSettings[]> {
  const { rows } = await owner.query<QueueSettings>(
    'select name, retry_limit as "retryLimit", expire_seconds as "expireInSeconds" from pgboss.queue',
  )
  return rows
}

function withCredentials(url: string, user: string, password: string): string {
  return url.replace(
    /^(postgres(?:ql)?:\/\/)(?:[^@/]*@)?/,
    `$1${encodeURIComponent(user)}:${encodeURIComponent(password)}@`,
  )
}

export function describeConnectionError(error: unknown, setting = 'DATABASE_URL'): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
  const reasons: Record<string, string> = {
    '28P01':
      setting === 'APP_DATABASE_URL'
        ? 'the password is wrong; without one in it, SECRET_KEY must be the one that npm run migrate had'
        : 'the password is wrong',
    '28000': 'the user may not sign in',
    '3D000': 'there is no such database',
    '42501': 'the user may not connect to this database',
    ECONNREFUSED: 'nothing answers there',
    ENOTFOUND: 'there is no such host',
    ETIMEDOUT: 'the host does not answer',
    '53300': 'it has no connection left',
    ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the server is for another host',
    CERT_HAS_EXPIRED: 'the certificate of the server has expired',
  }
  const message = error instanceof Error ? error.message : String(error)
  return `${setting} can't be used: ${reasons[code] ?? tlsReason(code, message) ?? message}.`
}

function tlsReason(code: string, message: string): string | undefined {
  if (message === 'The server does not support SSL connections')
    return 'the server offers no TLS; add sslmode=disable if nobody else can reach the network'
  if (/SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/.test(code))
    return 'the certificate of the server is not trusted; name its authority with sslrootcert=FILE'
  return undefined
}
