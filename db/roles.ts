import pg from 'pg'
import { appRole, historyRole, lookupRole } from './policies.ts'

/** Creates the group roles and the app's `login` role with its password. */
export async function ensureRoles(owner: pg.Client, login: string, password: string): Promise<void> {
  const loginName = pg.escapeIdentifier(login)
  const { rows } = await owner.query<{ rolname: string }>('select rolname from pg_roles where rolname = any($1)', [
    [appRole, lookupRole, historyRole, login],
  ])
  const existing = rows.map(({ rolname }) => rolname)
  for (const role of [appRole, lookupRole, historyRole])
    if (!existing.includes(role)) await createRole(owner, `${role} nologin`)
  if (!existing.includes(login)) await createRole(owner, `${loginName} login`)

  const membership = await owner.query<{ isMember: boolean }>(`select pg_has_role($1, $2, 'member') as "isMember"`, [
    login,
    appRole,
  ])
  if (!membership.rows[0]!.isMember) await owner.query(`grant ${appRole} to ${loginName}`)
  await owner.query(`alter role ${loginName} password ${pg.escapeLiteral(password)}`)
  // To change a function's owner to a role, one must be its member, and the role needs CREATE on the schema.
  for (const role of [lookupRole, historyRole])
    await owner.query(`grant ${role} to current_user; grant create on schema public to ${role}`)
}

/** Lets only the owner and the app's role connect: other installations may be in the same cluster. */
export async function restrictConnections(owner: pg.Client, database: string): Promise<void> {
  const { rows } = await owner.query<{ isOpen: boolean }>(
    `select has_database_privilege('public', $1, 'connect')
      or has_database_privilege('public', $1, 'temporary') as "isOpen"`,
    [database],
  )
  if (!rows[0]!.isOpen) return
  const name = pg.escapeIdentifier(database)
  await owner.query(
    `revoke connect, temporary on database ${name} from public; grant connect on database ${name} to ${appRole}`,
  )
}

/** Roles belong to the whole cluster: another database's process may create one at the same time. */
async function createRole(owner: pg.Client, definition: string): Promise<void> {
  await owner.query(
    `do $$ begin create role ${definition}; exception when duplicate_object or unique_violation then null; end $$`,
  )
}

/** Columns of `account` that the app's role writes through functions only. It can't read the password's hash either. */
const protectedColumns = ['password_hash', 'is_admin', 'plan', 'trial_ends_at']

/** Lets the app's role read and write rows, but only read the history, the migrations and some columns of accounts. */
export async function grantPrivileges(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = 'account'::regclass and attnum > 0 and not attisdropped`,
  )
  const columns = rows.map(({ name }) => name)
  const readable = columns.filter((name) => name !== 'password_hash').join(', ')
  const writable = columns.filter((name) => !protectedColumns.includes(name)).join(', ')
  await owner.query(`
    grant usage on schema public, pgboss to ${appRole};
    grant usage on schema public to ${lookupRole};
    grant select, insert, update, delete on all tables in schema public, pgboss to ${appRole};
    grant usage, select on all sequences in schema public, pgboss to ${appRole};
    grant execute on all functions in schema pgboss to ${appRole};
    revoke all on schema_migration from ${appRole};
    grant select on schema_migration to ${appRole};
    revoke insert, update, delete on history from ${appRole};
    revoke select, insert, update on account from ${appRole};
    grant select (${readable}), insert (${writable}), update (${writable}) on account to ${appRole};
  `)
}
