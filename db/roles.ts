import pg from 'pg'
import { appRole, historyRole, lookupRole } from './policies.ts'

/** The roles of one database: others in the same cluster have their own. Migrations name them as in `policies.ts`. */
export type DatabaseRoles = {
  /** Group of the roles that the app runs as: may read and write rows, owns nothing. */
  app: string
  /** Owns the SECURITY DEFINER functions; can't log in. */
  lookup: string
  /** Owns the triggers that write the history; can't log in. */
  history: string
  /** The app logs in as this member of `app`. */
  login: string
}

export const getRoles = (database: string): DatabaseRoles => ({
  app: `${database}_app`,
  lookup: `${database}_lookup`,
  history: `${database}_history`,
  login: `${database}_login`,
})

/** Replaces the roles that a migration names by those of `database`. */
export function nameRoles(sql: string, database: string): string {
  const { app, lookup, history } = getRoles(database)
  const names: Record<string, string> = { [appRole]: app, [lookupRole]: lookup, [historyRole]: history }
  return sql.replaceAll(/"?\b(practice_(?:app|lookup|history))\b"?/g, (_, name: string) => quote(names[name]!))
}

const quote = (name: string): string => pg.escapeIdentifier(name)

/** Creates the roles, the login role with its password. */
export async function ensureRoles(owner: pg.Client, roles: DatabaseRoles, password: string): Promise<void> {
  const { rows } = await owner.query<{ rolname: string }>('select rolname from pg_roles where rolname = any($1)', [
    Object.values(roles),
  ])
  const existing = rows.map(({ rolname }) => rolname)
  for (const role of [roles.app, roles.lookup, roles.history])
    if (!existing.includes(role)) await createRole(owner, `${quote(role)} nologin`)
  if (!existing.includes(roles.login)) await createRole(owner, `${quote(roles.login)} login`)

  if (!(await isMember(owner, roles.login, roles.app)))
    await owner.query(`grant ${quote(roles.app)} to ${quote(roles.login)}`)
  await owner.query(`alter role ${quote(roles.login)} password ${pg.escapeLiteral(password)}`)
  // To change a function's owner to a role, one must be its member, and the role needs CREATE on the schema.
  for (const role of [roles.lookup, roles.history])
    await owner.query(`grant ${quote(role)} to current_user; grant create on schema public to ${quote(role)}`)
}

async function isMember(owner: pg.Client, role: string, group: string): Promise<boolean> {
  const { rows } = await owner.query<{ isMember: boolean }>(`select pg_has_role($1, $2, 'member') as "isMember"`, [
    role,
    group,
  ])
  return rows[0]!.isMember
}

/** Roles belong to the whole cluster: another process may create one at the same time. */
async function createRole(owner: pg.Client, definition: string): Promise<void> {
  await owner.query(
    `do $$ begin create role ${definition}; exception when duplicate_object or unique_violation then null; end $$`,
  )
}

/**
 * A database that was copied or renamed, or made by an earlier version, belongs to other roles: its own ones take over
 * functions, policies and privileges.
 */
export async function replaceFormerRoles(owner: pg.Client, roles: DatabaseRoles): Promise<void> {
  const { rows } = await owner.query<{ former: string }>(
    `select pg_get_userbyid(proowner) as former from pg_proc
      where pronamespace = 'public'::regnamespace and proname = 'write_history'`,
  )
  const former = rows[0] && getRoles(rows[0].former.replace(/_history$/, ''))
  if (!former || former.history === roles.history) return
  // In one transaction, so that an earlier version goes on serving until then.
  await owner.query('begin')
  for (const which of ['lookup', 'history'] as const)
    await owner.query(`reassign owned by ${quote(former[which])} to ${quote(roles[which])}`)
  for (const which of ['app', 'lookup', 'history'] as const)
    await owner.query(replaceRoleSql(former[which], roles[which]))
  if (await isMember(owner, roles.login, former.app))
    await owner.query(`revoke ${quote(former.app)} from ${quote(roles.login)}`)
  await owner.query('commit')
}

/** In policies, and in the privileges of schemas, tables, columns, sequences and functions. */
const replaceRoleSql = (former: string, role: string): string => `
do $replace$
declare
  former constant oid := (select oid from pg_roles where rolname = ${pg.escapeLiteral(former)});
  entry record;
begin
  for entry in
    select string_agg(privilege_type, ', ') as rights, format('schema %I', nspname) as object
      from pg_namespace, aclexplode(nspacl) where grantee = former group by 2
    union all
    select string_agg(privilege_type, ', '),
        format('%s %s', case relkind when 'S' then 'sequence' else 'table' end, c.oid::regclass)
      from pg_class c, aclexplode(relacl) where grantee = former group by 2
    union all
    select string_agg(format('%s (%I)', privilege_type, attname), ', '), format('table %s', attrelid::regclass)
      from pg_attribute, aclexplode(attacl) where grantee = former group by 2
    union all
    select string_agg(privilege_type, ', '), format('function %s', p.oid::regprocedure)
      from pg_proc p, aclexplode(proacl) where grantee = former group by 2
  loop
    execute format('grant %s on %s to %I', entry.rights, entry.object, ${pg.escapeLiteral(role)});
    execute format('revoke %s on %s from %I', entry.rights, entry.object, ${pg.escapeLiteral(former)});
  end loop;
  for entry in select polname as name, polrelid::regclass as tbl from pg_policy where former = any (polroles) loop
    execute format('alter policy %I on %s to %I', entry.name, entry.tbl, ${pg.escapeLiteral(role)});
  end loop;
  execute format('revoke all on database %I from %I', current_database(), ${pg.escapeLiteral(former)});
end $replace$`

/** Lets only the owner and the app's role connect: other installations may be in the same cluster. */
export async function restrictConnections(owner: pg.Client, database: string, { app }: DatabaseRoles): Promise<void> {
  const { rows } = await owner.query<{ isOpen: boolean }>(
    `select has_database_privilege('public', $1, 'connect') or has_database_privilege('public', $1, 'temporary')
      or not has_database_privilege($2, $1, 'connect') as "isOpen"`,
    [database, app],
  )
  if (!rows[0]!.isOpen) return
  await owner.query(
    `revoke connect, temporary on database ${quote(database)} from public;
    grant connect on database ${quote(database)} to ${quote(app)}`,
  )
}

/** Columns of `account` that the app's role writes through functions only. It can't read the password's hash either. */
const protectedColumns = ['password_hash', 'is_admin', 'plan', 'trial_ends_at', 'payment_failed_at', 'module_switches']

/** Lets the app's role read and write rows, but only read the history, the migrations and some columns of accounts. */
export async function grantPrivileges(owner: pg.Client, roles: DatabaseRoles): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = 'account'::regclass and attnum > 0 and not attisdropped`,
  )
  const columns = rows.map(({ name }) => name)
  const readable = columns.filter((name) => name !== 'password_hash').join(', ')
  const writable = columns.filter((name) => !protectedColumns.includes(name)).join(', ')
  const app = quote(roles.app)
  await owner.query(`
    grant usage on schema public, pgboss to ${app};
    grant usage on schema public to ${quote(roles.lookup)};
    grant select, insert, update, delete on all tables in schema public, pgboss to ${app};
    grant usage, select on all sequences in schema public, pgboss to ${app};
    grant execute on all functions in schema pgboss to ${app};
    revoke all on schema_migration from ${app};
    grant select on schema_migration to ${app};
    revoke insert, update, delete on history from ${app};
    revoke select, insert, update on account from ${app};
    grant select (${readable}), insert (${writable}), update (${writable}) on account to ${app};
  `)
}
