import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { runtime } from '#app/server/process/runtime.ts'
import { query } from '#db/embedded/connection.ts'
import { getRoles } from '#db/roles.ts'
import { testConfig } from './config.ts'
import { asOwner } from './as-db-owner.ts'

const template = 'practice_template'

/**
 * Lets the test server confirm commits before they are on disk: waiting for the disk is a tenth of the time. Whole
 * pages in its log, after each of the checkpoints that creating a database takes, are only for a server that must
 * survive a crash.
 */
export async function skipFsync(ownerUrl: string): Promise<void> {
  const sockets = decodeURIComponent(new URL(ownerUrl).hostname)
  await query(sockets, 'alter system set fsync = off')
  await query(sockets, 'alter system set full_page_writes = off')
  await query(sockets, 'select pg_reload_conf()')
}

/** Creates the migrated database that each test file gets a copy of. */
export async function createTemplateDatabase(ownerUrl: string): Promise<void> {
  await asOwner(ownerUrl, async (owner) => {
    const stale = await owner.query<{ datname: string }>(
      `select datname from pg_database where datname like 'practice_template%' or datname like 'test\\_%'`,
    )
    for (const { datname } of stale.rows) await dropDatabaseAndRoles(owner, datname)
    await owner.query(`create database ${template}`)
  })
  await runtime.prepare({ ownerUrl: withDatabaseName(ownerUrl, template), config: testConfig() })
}

/** Copies the template for one test file. `appUrl` connects as the app's role. */
export async function createDatabase(
  ownerUrl: string,
): Promise<{ ownerUrl: string; appUrl: string; drop: () => Promise<void> }> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await asOwner(ownerUrl, (owner) => owner.query(`create database ${name} template ${template} strategy file_copy`))
  const own = withDatabaseName(ownerUrl, name)
  const { appUrl } = await runtime.prepare({ ownerUrl: own, config: testConfig() })
  return {
    ownerUrl: own,
    appUrl,
    drop: () => asOwner(ownerUrl, (owner) => dropDatabaseAndRoles(owner, name)),
  }
}

/** Drops the database and its roles. */
export async function dropDatabaseAndRoles(owner: pg.Client, name: string): Promise<void> {
  const roles = getRoles(name)
  const { rowCount } = await owner.query('select from pg_roles where rolname = $1', [roles.login])
  // A member of the role may terminate its remaining sessions.
  if (rowCount) await owner.query(`grant ${roles.login} to current_user`)
  await dropDatabase(owner, name)
  await owner.query(`drop role if exists ${Object.values(roles).join(', ')}`)
}

/**
 * Not `with (force)`, which needs the rights of each session's role and fails if an autovacuum is running. A plain drop
 * cancels the autovacuum itself and waits for ending sessions.
 */
export async function dropDatabase(owner: pg.Client, name: string): Promise<void> {
  await owner.query(
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1 and usename is not null`,
    [name],
  )
  await owner.query(`drop database if exists ${pg.escapeIdentifier(name)}`)
}

export const getDatabaseName = (url: string): string => new URL(url.replace('@/', '@socket/')).pathname.slice(1)

export function withDatabaseName(url: string, name: string): string {
  return url.replace(/^(\w+:\/\/[^/?]*\/)[^/?]*/, `$1${name}`)
}
