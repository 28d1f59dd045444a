import type { Client } from 'pg'

/** Tables of no tenant, and the one that is keyed by the tenant itself. Any other table in `public` belongs to coaches. */
export const houseTables: Record<string, string> = {
  account: 'is the tenant: its id is the coach_id',
  throttle: 'counts failures of those who are not signed in; keys are hashes',
  schema_migration: 'tells which migrations are done; the role that serves may only read it',
}

/** What runs with rights of its own: the look-ups that happen before a tenant is known, and the platform's figures. */
export const lookUps = [
  'visitor',
  'sign_in_account',
  'token_owner',
  'every_coach',
  'platform_coaches',
  'platform_coach_page',
  'platform_figures',
  'uploaded',
]

/** The triggers that write the history and take out of it what is forgotten, in a transaction of the coach whose it is. */
export const historians = ['forget_columns', 'record_history']

/** What the role that serves may only read. */
export const readOnly = ['history']

const serves = 'practice_app'
const looksUp = 'practice_lookup'
const writesHistory = 'practice_history'

/** Every tenant table of a database, by name: what no list has to be kept of. */
export async function tenantTables(db: Client): Promise<string[]> {
  const tables = await tablesOf(db)
  return tables.map((table) => table.name).filter((name) => !['throttle', 'schema_migration'].includes(name))
}

/** The column that holds the tenant. */
export const tenantColumn = (table: string): string => (table === 'account' ? 'id' : 'coach_id')

/**
 * Reads the catalog and says, one sentence for each, what would let a coach reach another's rows. Empty: nothing would.
 * `knownFunctions` are those that may run with their owner's rights.
 */
export async function weaknesses(db: Client, knownFunctions: string[] = lookUps): Promise<string[]> {
  return [
    ...(await ofTables(db)),
    ...(await ofKeys(db)),
    ...(await ofViews(db)),
    ...(await ofFunctions(db, knownFunctions)),
    ...(await ofRoles(db)),
  ]
}

type Table = { name: string; owner: string; enabled: boolean; forced: boolean; key: string[] }
type Policy = {
  table: string
  name: string
  command: string
  permissive: boolean
  roles: string[]
  using: string | null
  check: string | null
}

async function tablesOf(db: Client): Promise<Table[]> {
  const { rows } = await db.query<Table>(`
    select c.relname as name, pg_get_userbyid(c.relowner) as owner, c.relrowsecurity as enabled, c.relforcerowsecurity as forced,
      array(select a.attname::text from pg_index i, unnest(i.indkey::int[]) with ordinality k(attnum, at) join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
        where i.indrelid = c.oid and i.indisprimary order by k.at) as key
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'f') order by 1`)
  return rows
}

async function ofTables(db: Client): Promise<string[]> {
  const { rows: policies } = await db.query<Policy>(`
    select tablename as table, policyname as name, cmd as command, permissive = 'PERMISSIVE' as permissive, roles::text[] as roles, qual as using, with_check as check
    from pg_policies where schemaname = 'public'`)
  const said: string[] = []
  for (const table of await tablesOf(db)) {
    const say = (what: string) => said.push(`${table.name} ${what}`)
    if (table.owner === serves || table.owner.endsWith('_login')) say(`belongs to ${table.owner}, which serves`)
    if (table.name === 'throttle' || table.name === 'schema_migration') continue
    const column = tenantColumn(table.name)
    if (table.key[0] !== column)
      say(`has the primary key (${table.key.join(', ')}), which does not begin with ${column}`)
    if (!table.enabled) say('has no row level security')
    if (!table.forced) say('does not force row level security on its owner')
    const own = policies.filter((policy) => policy.table === table.name)
    const forServing = own.filter((policy) => !(policy.roles.length === 1 && policy.roles[0] === looksUp))
    if (!forServing.some((policy) => policy.command === 'ALL' && policy.permissive))
      say('has no policy for all commands')
    for (const policy of forServing) {
      if (!isTenants(policy.using, column))
        say(`has the policy ${policy.name} with USING ${policy.using ?? '(nothing)'}`)
      if (!isTenants(policy.check, column))
        say(`has the policy ${policy.name} with WITH CHECK ${policy.check ?? '(nothing)'}`)
    }
    for (const policy of own) {
      if (!forServing.includes(policy) && policy.command !== 'SELECT')
        say(`lets ${looksUp} do more than read, by the policy ${policy.name}`)
    }
  }
  return said
}

/** The only expression that fails closed: no coach set, or an empty one, equals no row. */
function isTenants(expression: string | null, column: string): boolean {
  return (
    expression?.replaceAll(/\s+/g, '') ===
    `(${column}=(NULLIF(current_setting('app.coach_id'::text,true),''::text))::bigint)`
  )
}

/** A foreign key without the tenant in it would let a row point into another practice. */
async function ofKeys(db: Client): Promise<string[]> {
  const { rows } = await db.query<{ name: string; from: string; to: string; columns: string[] }>(`
    select k.conname as name, f.relname as from, t.relname as to,
      array(select a.attname::text from unnest(k.conkey) with ordinality c(attnum, at) join pg_attribute a on a.attrelid = k.conrelid and a.attnum = c.attnum order by c.at) as columns
    from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace`)
  return rows
    .filter((key) => key.columns[0] !== 'coach_id')
    .map((key) => `${key.from} points to ${key.to} without the coach (${key.name})`)
}

async function ofViews(db: Client): Promise<string[]> {
  const { rows } = await db.query<{ name: string; kind: string; options: string[] | null }>(`
    select relname as name, relkind as kind, reloptions as options from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')`)
  return rows.flatMap(({ name, kind, options }) => {
    if (kind === 'm') return [`${name} is a materialized view, which knows no row level security`]
    return options?.some((option) => /^security_invoker=(true|on|1)$/.test(option))
      ? []
      : [`${name} is a view without security_invoker`]
  })
}

async function ofFunctions(db: Client, known: string[]): Promise<string[]> {
  const { rows } = await db.query<{ name: string; owner: string; settings: string[] | null; everybody: boolean }>(`
    select p.proname as name, pg_get_userbyid(p.proowner) as owner, p.proconfig as settings,
      exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) where grantee = 0) as everybody
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace where p.prosecdef and n.nspname not in ('pg_catalog', 'information_schema')`)
  return rows.flatMap(({ name, owner, settings, everybody }) => [
    ...(known.includes(name) || historians.includes(name)
      ? []
      : [
          `${name}() runs with the rights of ${owner} and is not one of the known look-ups (tests/support/row-security.ts)`,
        ]),
    ...(owner === (historians.includes(name) ? writesHistory : looksUp)
      ? []
      : [`${name}() belongs to ${owner}, not to ${looksUp}`]),
    ...(settings?.some((setting) => setting.startsWith('search_path='))
      ? []
      : [`${name}() does not fix its search_path`]),
    ...(everybody ? [`${name}() may be called by everybody`] : []),
  ])
}

async function ofRoles(db: Client): Promise<string[]> {
  const { rows } = await db.query<{
    name: string
    superuser: boolean
    bypasses: boolean
    creates: boolean
    inherits: string[]
  }>(
    `select r.rolname as name, r.rolsuper as superuser, r.rolbypassrls as bypasses, r.rolcreaterole or r.rolcreatedb or r.rolreplication as creates,
      array(select g.rolname::text from pg_roles g where g.oid <> r.oid and pg_has_role(r.oid, g.oid, 'member')) as inherits
    from pg_roles r where r.rolname = any($1) or r.rolname = current_database() || '_login'`,
    [[serves, looksUp, writesHistory]],
  )
  return rows.flatMap(({ name, superuser, bypasses, creates, inherits }) => [
    ...(superuser ? [`${name} is a superuser`] : []),
    ...(bypasses ? [`${name} bypasses row level security`] : []),
    ...(creates ? [`${name} may create roles or databases, or replicate`] : []),
    ...inherits
      .filter((other) => other !== serves || name === looksUp || name === writesHistory)
      .map((other) => `${name} is a member of ${other}`),
  ])
}
