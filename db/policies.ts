import type { PolicyDef } from '@mikro-orm/core'

// The names of the roles in migrations. Each database has its own: see `getRoles`.

/** Group of the roles that the app runs as: may read and write rows, owns nothing. */
export const appRole = 'practice_app'
/** Owns the SECURITY DEFINER functions; can't log in. */
export const lookupRole = 'practice_lookup'
/** Owns the triggers that write the history and is alone allowed to write there; can't log in. */
export const historyRole = 'practice_history'

// `nullif`: after a local `set_config` the setting is '' instead of null.
const currentCoach = `nullif(current_setting('app.coach_id', true), '')::bigint`

/** SQL: the id of the client who is signed in to the portal; null for a coach, a visitor or a job. */
export const currentClient = `nullif(current_setting('app.client_id', true), '')::bigint`

/**
 * The rows of a table that a client in the portal sees: `rows`, SQL over the row with `currentClient`. `writes`: they
 * also add and change these. They delete nothing.
 */
export type ClientAccess = { rows: string; writes?: true }
type Security = { rowLevelSecurity: 'force'; policies: PolicyDef[] }

/**
 * Row level security of a tenant table: forced on its owner too, one policy, no rows when no tenant is set. Clients see
 * no row of it, unless `clients` says which.
 */
export function tenantPolicy(
  table: string,
  { key = 'coach_id', clients }: { key?: string; clients?: ClientAccess } = {},
): Security {
  const ownRows = `${key} = ${currentCoach}`
  return {
    rowLevelSecurity: 'force',
    policies: [{ name: `${table}_tenant`, using: ownRows, check: ownRows }, ...clientPolicies(table, clients)],
  }
}

/** As `tenantPolicy`, and readable by the owner of the lookup functions (sign-in, hosts, platform statistics). */
export function lookupPolicy(table: string, options: Parameters<typeof tenantPolicy>[1] = {}): Security {
  const { rowLevelSecurity, policies } = tenantPolicy(table, options)
  return {
    rowLevelSecurity,
    policies: [...policies, { name: `${table}_lookup`, command: 'select', roles: [lookupRole], using: 'true' }],
  }
}

/**
 * They restrict the role of the app alone: triggers and lookups of other roles work for clients, too. Each migration
 * run creates them (`ensureClientPolicies`), so no migration has them.
 */
function clientPolicies(table: string, access: ClientAccess | undefined): PolicyDef[] {
  const nobody = `${currentClient} is null`
  // Read once per statement, not per row. With `is null` the planner would expect hardly any row, for coaches as well.
  const isNoClient = `(select num_nonnulls(${currentClient}) as clients) <> 1`
  const restrictive = { type: 'restrictive' as const, roles: [appRole] }
  if (!access) return [{ ...restrictive, name: `${table}_client`, using: isNoClient, check: nobody }]
  const theirRows = `${isNoClient} or (${access.rows})`
  return [
    { ...restrictive, name: `${table}_client`, using: theirRows, check: access.writes ? theirRows : nobody },
    { ...restrictive, name: `${table}_client_delete`, command: 'delete', using: isNoClient },
  ]
}

/** Migration SQL of `tenantPolicy`. */
export const enableTenantPolicy = (table: string, key = 'coach_id'): string => `
alter table "${table}" enable row level security;
alter table "${table}" force row level security;
create policy "${table}_tenant" on "${table}"
  using (${key} = ${currentCoach})
  with check (${key} = ${currentCoach});
`

/** Migration SQL of `lookupPolicy`. */
export const enableLookupPolicy = (table: string, key = 'coach_id'): string => `${enableTenantPolicy(table, key)}
create policy "${table}_lookup" on "${table}" for select to "${lookupRole}" using (true);
grant select on "${table}" to "${lookupRole}";
`
