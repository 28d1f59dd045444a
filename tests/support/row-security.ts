import type { Client } from 'pg'
import { getRoles, type DatabaseRoles } from '#db/roles.ts'

/** Tables that belong to no tenant. Any other table in `public` belongs to coaches. */
export const platformTables = [
  'announcement',
  'audit_entry',
  'coach_activation',
  'coach_activity',
  'coach_state',
  'erased_subdomain',
  'plan_module_switch',
  'rate_limit',
  'schema_migration',
  'signature_key',
]

/**
 * SECURITY DEFINER functions: the lookups before a tenant is known, protected columns, and the platform's statistics.
 */
export const lookupFunctions = [
  'find_account_by_email',
  'find_api_key',
  'find_credentials',
  'find_passkey',
  'find_plan_customer',
  'find_stripe_coach',
  'find_support_grant',
  'find_support_visit',
  'find_token_coach',
  'find_upload',
  'find_viewer',
  'find_zoom_coaches',
  'get_platform_stats',
  'is_acting_administrator',
  'is_subdomain_held',
  'list_administrators',
  'list_client_ids_by_email',
  'list_coaches',
  'list_coaches_without',
  'list_ended_support_visits',
  'list_platform_coaches',
  'list_webhook_deliveries',
  'record_coach_activations',
  'set_module_switches',
  'set_paid_plan',
  'set_password',
  'set_plan',
  'start_trial',
  'switch_plan_modules',
]

/**
 * SECURITY DEFINER functions that verify who acts, and that write the history and the operator's part of the audit log.
 */
export const historyFunctions = [
  'check_support_grant',
  'check_support_visit',
  'get_actor',
  'is_signed',
  'record_administrator',
  'record_coach_activity',
  'record_coach_state',
  'record_support_visit',
  'require_signed_actor',
  'scrub_history',
  'write_history',
]

/** Tables that the app's role may only read. */
export const readOnlyTables = ['history']

export async function listTenantTables(db: Client): Promise<string[]> {
  const tables = await listTables(db)
  return tables.map(({ name }) => name).filter((name) => !platformTables.includes(name))
}

export const tenantColumn = (table: string): string => (table === 'account' ? 'id' : 'coach_id')

/** Reads the catalog for what would let a coach reach another's rows. Returns one sentence for each finding. */
export async function findWeaknesses(db: Client): Promise<string[]> {
  const { rows } = await db.query<{ database: string }>('select current_database() as database')
  const roles = getRoles(rows[0]!.database)
  return [
    ...(await checkTables(db, roles)),
    ...(await checkForeignKeys(db)),
    ...(await checkViews(db)),
    ...(await checkFunctions(db, roles)),
    ...(await checkRoles(db, roles)),
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

async function listTables(db: Client): Promise<Table[]> {
  const { rows } = await db.query<Table>(`
    select c.relname as name, pg_get_userbyid(c.relowner) as owner, c.relrowsecurity as enabled,
      c.relforcerowsecurity as forced,
      array(
        select a.attname::text from pg_index i, unnest(i.indkey::int[]) with ordinality k(attnum, position)
          join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
        where i.indrelid = c.oid and i.indisprimary order by k.position) as key
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'f') order by 1`)
  return rows
}

async function checkTables(db: Client, roles: DatabaseRoles): Promise<string[]> {
  const { rows: policies } = await db.query<Policy>(`
    select tablename as table, policyname as name, cmd as command, permissive = 'PERMISSIVE' as permissive,
      roles::text[] as roles, qual as using, with_check as check
    from pg_policies where schemaname = 'public'`)
  return (await listTables(db)).flatMap((table) => [
    ...(table.owner === roles.app || table.owner === roles.login
      ? [`${table.name} is owned by the app's role ${table.owner}`]
      : []),
    ...(platformTables.includes(table.name)
      ? []
      : checkTenantTable(
          table,
          policies.filter((policy) => policy.table === table.name),
          roles,
        ).map((finding) => `${table.name} ${finding}`)),
  ])
}

function checkTenantTable(table: Table, policies: Policy[], { app, lookup }: DatabaseRoles): string[] {
  const column = tenantColumn(table.name)
  const findings: string[] = []
  if (table.key[0] !== column)
    findings.push(`has the primary key (${table.key.join(', ')}), which does not begin with ${column}`)
  if (!table.enabled) findings.push('has no row level security')
  if (!table.forced) findings.push('does not force row level security on its owner')
  const isLookup = ({ roles }: Policy) => roles.length === 1 && roles[0] === lookup
  // Further limits for clients in the portal. tests/isolation/clients.test.ts tries what they see.
  const isForClients = ({ permissive, roles }: Policy) => !permissive && roles.length === 1 && roles[0] === app
  if (!policies.some((policy) => isForClients(policy) && policy.command === 'ALL' && policy.check !== null))
    findings.push('shows clients in the portal all rows')
  const appPolicies = policies.filter((policy) => !isLookup(policy) && !isForClients(policy))
  if (!appPolicies.some(({ command, permissive }) => command === 'ALL' && permissive))
    findings.push('has no policy for all commands')
  for (const { name, using, check } of appPolicies) {
    if (!isTenantExpression(using, column)) findings.push(`has the policy ${name} with USING ${using ?? '(nothing)'}`)
    if (!isTenantExpression(check, column))
      findings.push(`has the policy ${name} with WITH CHECK ${check ?? '(nothing)'}`)
  }
  for (const { name, command } of policies.filter(isLookup))
    if (command !== 'SELECT') findings.push(`lets the look-up role do more than read, by the policy ${name}`)
  return findings
}

/** Whether no row matches when no coach is set, or an empty one. */
function isTenantExpression(expression: string | null, column: string): boolean {
  return (
    expression?.replaceAll(/\s+/g, '') ===
    `(${column}=(NULLIF(current_setting('app.coach_id'::text,true),''::text))::bigint)`
  )
}

/** A foreign key without the tenant could refer to another tenant's row. */
async function checkForeignKeys(db: Client): Promise<string[]> {
  const { rows } = await db.query<{ name: string; from: string; to: string; columns: string[] }>(`
    select k.conname as name, f.relname as from, t.relname as to,
      array(
        select a.attname::text from unnest(k.conkey) with ordinality c(attnum, position)
          join pg_attribute a on a.attrelid = k.conrelid and a.attnum = c.attnum order by c.position) as columns
    from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace`)
  return rows
    .filter(({ columns }) => columns[0] !== 'coach_id')
    .map(({ from, to, name }) => `${from} refers to ${to} without the coach (${name})`)
}

async function checkViews(db: Client): Promise<string[]> {
  const { rows } = await db.query<{ name: string; kind: string; options: string[] | null }>(`
    select relname as name, relkind as kind, reloptions as options
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')`)
  return rows.flatMap(({ name, kind, options }) => {
    if (kind === 'm') return [`${name} is a materialized view, which can't have row level security`]
    const isInvoker = options?.some((option) => /^security_invoker=(true|on|1)$/.test(option))
    return isInvoker ? [] : [`${name} is a view without security_invoker`]
  })
}

async function checkFunctions(db: Client, { lookup, history }: DatabaseRoles): Promise<string[]> {
  const { rows } = await db.query<{ name: string; owner: string; settings: string[] | null; isPublic: boolean }>(`
    select p.proname as name, pg_get_userbyid(p.proowner) as owner, p.proconfig as settings,
      exists (
        select 1 from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) where grantee = 0) as "isPublic"
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where p.prosecdef and n.nspname not in ('pg_catalog', 'information_schema')`)
  return rows.flatMap(({ name, owner, settings, isPublic }) => {
    const expectedOwner = historyFunctions.includes(name) ? history : lookup
    return [
      ...(lookupFunctions.includes(name) || historyFunctions.includes(name)
        ? []
        : [`${name}() runs as ${owner} and is not listed in tests/support/row-security.ts`]),
      ...(owner === expectedOwner ? [] : [`${name}() is owned by ${owner}, not by ${expectedOwner}`]),
      ...(settings?.some((setting) => setting.startsWith('search_path='))
        ? []
        : [`${name}() does not set its search_path`]),
      ...(isPublic ? [`${name}() can be called by every role`] : []),
    ]
  })
}

async function checkRoles(db: Client, { app, lookup, history, login }: DatabaseRoles): Promise<string[]> {
  const { rows } = await db.query<{
    name: string
    isSuperuser: boolean
    bypassesRls: boolean
    isPrivileged: boolean
    memberOf: string[]
  }>(
    `select r.rolname as name, r.rolsuper as "isSuperuser", r.rolbypassrls as "bypassesRls",
      r.rolcreaterole or r.rolcreatedb or r.rolreplication as "isPrivileged",
      array(
        select g.rolname::text from pg_roles g
        where g.oid <> r.oid and pg_has_role(r.oid, g.oid, 'member')) as "memberOf"
    from pg_roles r where r.rolname = any($1)`,
    [[app, lookup, history, login]],
  )
  return rows.flatMap(({ name, isSuperuser, bypassesRls, isPrivileged, memberOf }) => [
    ...(isSuperuser ? [`${name} is a superuser`] : []),
    ...(bypassesRls ? [`${name} bypasses row level security`] : []),
    ...(isPrivileged ? [`${name} can create roles or databases, or replicate`] : []),
    ...memberOf.filter((role) => role !== app || name !== login).map((role) => `${name} is a member of ${role}`),
  ])
}
