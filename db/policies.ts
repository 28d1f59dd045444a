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

/** Row level security of a tenant table: forced on its owner too, one policy, no rows when no tenant is set. */
export function tenantPolicy(table: string, key = 'coach_id'): { rowLevelSecurity: 'force'; policies: PolicyDef[] } {
  const ownRows = `${key} = ${currentCoach}`
  return { rowLevelSecurity: 'force', policies: [{ name: `${table}_tenant`, using: ownRows, check: ownRows }] }
}

/** As `tenantPolicy`, and readable by the owner of the lookup functions (sign-in, hosts, platform statistics). */
export function lookupPolicy(table: string, key = 'coach_id'): { rowLevelSecurity: 'force'; policies: PolicyDef[] } {
  const { rowLevelSecurity, policies } = tenantPolicy(table, key)
  return {
    rowLevelSecurity,
    policies: [...policies, { name: `${table}_lookup`, command: 'select', roles: [lookupRole], using: 'true' }],
  }
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
