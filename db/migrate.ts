import { createHmac } from 'node:crypto'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { appRole, historyRole, lookupRole } from './columns.ts'
import { openOrm, type Entity, type NamedMigration } from './orm.ts'

export type QueueSettings = { name: string; retryLimit?: number; expireInSeconds?: number }
export type Prepared = { appUrl: string; migrated: string[] }

/** A database that can't be used, in one sentence for the terminal. */
export class DatabaseError extends Error {
  override name = 'DatabaseError'
}

/**
 * Brings the database of `ownerUrl` up to this code: roles, rights, migrations, queues. Safe to run from several processes at once.
 * Answers the address of the role that serves, which owns nothing. `secret` seeds that role's password.
 * Throws DatabaseError: unreachable, older than Postgres 15, or newer than the code.
 */
export async function prepareDatabase(options: {
  ownerUrl: string
  secret: string
  entities: Entity[]
  migrations: NamedMigration[]
  queues: QueueSettings[]
}): Promise<Prepared> {
  const { ownerUrl, secret, migrations, queues } = options
  const owner = await connectAs(ownerUrl)
  const turn = await connectAs(ownerUrl)
  try {
    const { rows } = await owner.query<{ version: number; db: string }>(
      `select current_setting('server_version_num')::int as version, current_database() as db`,
    )
    const { version, db } = rows[0]!
    if (version < 150_000)
      throw new DatabaseError(`Postgres 15 or newer is needed; DATABASE_URL leads to ${Math.floor(version / 10_000)}.`)

    // One process at a time prepares; the others find it done. A transaction's lock: a session's would stay with PgBouncer.
    await turn.query('begin')
    await turn.query(`select pg_advisory_xact_lock(hashtext('practice.prepare'))`)
    const login = `${db}_login`
    const password = createHmac('sha256', secret).update(`role ${login}`).digest('hex')
    await makeRoles(owner, login, password)
    const migrated = await migrate(owner, options)
    const made = await makeQueues(owner, ownerUrl, queues)
    if (migrated.length || made) await grantRights(owner)
    return { appUrl: asUser(ownerUrl, login, password), migrated }
  } finally {
    await Promise.all([owner.end(), turn.end()])
  }

  async function migrate(client: pg.Client, { entities }: { entities: Entity[] }): Promise<string[]> {
    const exists = await client.query(`select to_regclass('public.schema_migration') as found`)
    const done = exists.rows[0].found
      ? (await client.query<{ name: string }>('select name from schema_migration')).rows.map((row) => row.name)
      : []
    const known = new Set(migrations.map((migration) => migration.name))
    const owners = new Set([...known].map(ownerOf))
    // What an absent module left behind is kept, not refused.
    const unknown = done.find((name) => owners.has(ownerOf(name)) && !known.has(name))
    if (unknown)
      throw new DatabaseError(
        `The database is newer than this version of the product (it knows "${unknown}"). Start a newer version.`,
      )
    const pending = migrations.map((migration) => migration.name).filter((name) => !done.includes(name))
    if (!pending.length) return []
    const orm = await openOrm(ownerUrl, { entities, migrations, poolSize: 1 })
    try {
      await orm.migrator.up({ migrations: pending })
      return pending
    } finally {
      await orm.close()
    }
  }
}

async function connectAs(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect().catch((error: unknown) => {
    throw new DatabaseError(unreachable(error))
  })
  return client
}

const ownerOf = (migrationName: string): string => migrationName.split('/')[0]!

async function makeRoles(owner: pg.Client, login: string, password: string): Promise<void> {
  const quoted = pg.escapeIdentifier(login)
  const existing = (
    await owner.query<{ rolname: string }>('select rolname from pg_roles where rolname = any($1)', [
      [appRole, lookupRole, historyRole, login],
    ])
  ).rows.map((row) => row.rolname)
  for (const role of [appRole, lookupRole, historyRole]) {
    // Roles belong to the whole cluster: another database's process may make them at this moment.
    if (!existing.includes(role)) {
      await owner.query(
        `do $$ begin create role ${role} nologin; exception when duplicate_object or unique_violation then null; end $$`,
      )
    }
  }
  if (!existing.includes(login)) {
    await owner.query(
      `do $$ begin create role ${quoted} login; exception when duplicate_object or unique_violation then null; end $$`,
    )
  }
  const works = await owner.query<{ member: boolean }>(`select pg_has_role($1, $2, 'member') as member`, [
    login,
    appRole,
  ])
  if (!works.rows[0]!.member) await owner.query(`grant ${appRole} to ${quoted}`)
  await owner.query(`alter role ${quoted} password ${pg.escapeLiteral(password)}`)
  // Only a member may hand a function over to the role, and only to a role that may create in its schema.
  for (const role of [lookupRole, historyRole])
    await owner.query(`grant ${role} to current_user; grant create on schema public to ${role}`)
}

/** The app's role may read and write rows; the history it may only read. */
async function grantRights(owner: pg.Client): Promise<void> {
  await owner.query(`
    grant usage on schema public, pgboss to ${appRole};
    grant usage on schema public to ${lookupRole};
    grant select, insert, update, delete on all tables in schema public, pgboss to ${appRole};
    grant usage, select on all sequences in schema public, pgboss to ${appRole};
    grant execute on all functions in schema pgboss to ${appRole};
    revoke all on schema_migration from ${appRole};
    grant select on schema_migration to ${appRole};
    revoke insert, update, delete on history from ${appRole};
  `)
}

async function makeQueues(owner: pg.Client, ownerUrl: string, queues: QueueSettings[]): Promise<boolean> {
  const installed = await owner.query<{ found: boolean }>(`select to_regclass('pgboss.queue') is not null as found`)
  const present = installed.rows[0]!.found
    ? (await owner.query<{ name: string }>('select name from pgboss.queue')).rows.map((row) => row.name)
    : []
  const missing = queues.filter((queue) => !present.includes(queue.name))
  if (installed.rows[0]!.found && !missing.length) return false
  const boss = new PgBoss({ connectionString: ownerUrl, max: 2, supervise: false, schedule: false })
  await boss.start()
  for (const { name, ...settings } of missing) {
    // A worker that was killed is missed after 10 seconds, and another one takes its job.
    await boss.createQueue(name, {
      retryLimit: 5,
      retryDelay: 2,
      retryBackoff: true,
      heartbeatSeconds: 10,
      ...settings,
    })
  }
  await boss.stop({ graceful: false })
  return true
}

function asUser(url: string, user: string, password: string): string {
  return url.replace(
    /^(postgres(?:ql)?:\/\/)[^@/]*@?/,
    `$1${encodeURIComponent(user)}:${encodeURIComponent(password)}@`,
  )
}

function unreachable(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
  const reasons: Record<string, string> = {
    '28P01': 'the password is wrong',
    '28000': 'the user may not sign in',
    '3D000': 'there is no such database',
    ECONNREFUSED: 'nothing answers there',
    ENOTFOUND: 'there is no such host',
    ETIMEDOUT: 'the host does not answer',
    '53300': 'it has no connection left',
  }
  return `DATABASE_URL can't be used: ${reasons[code] ?? (error instanceof Error ? error.message : String(error))}.`
}
