import { createHash } from 'node:crypto'
import type { PolicyDef } from '@mikro-orm/core'
import pg from 'pg'
import type { Entity } from './orm.ts'
import { nameRoles } from './roles.ts'

/**
 * Creates the policies for clients in the portal as the entities declare them, for a table that has none or others. They
 * are part of no migration: a new rule needs none, and no table can be without one.
 */
export async function ensureClientPolicies(owner: pg.Client, entities: Entity[], database: string): Promise<void> {
  const statements = await listChanges(owner, entities, database)
  // In one transaction: a table without its policy would show clients all rows.
  if (statements.length) await owner.query(['begin', ...statements, 'commit'].join(';\n'))
}

/** Whether the policies are those of the entities. Also for the serving role. */
export const hasClientPolicies = async (db: pg.Client, entities: Entity[]): Promise<boolean> =>
  !(await listChanges(db, entities, '')).length

/** The statements that bring the policies to what the entities declare. */
async function listChanges(db: pg.Client, entities: Entity[], database: string): Promise<string[]> {
  const tables = await listTables(db)
  // A database that was migrated to an earlier version, or has a module less, is without some tables.
  const present = entities.filter(({ meta }) => tables.has(meta.tableName))
  const declared = present.flatMap(({ meta }) =>
    meta.policies.filter(isClientPolicy).map((policy) => toStatements(meta.tableName, policy, database)),
  )
  const { rows } = await db.query<{ name: string; hash: string | null }>(
    `select polname as name, obj_description(oid, 'pg_policy') as hash from pg_policy
      where not polpermissive and polname like '%\\_client%'`,
  )
  const existing = new Map(rows.map(({ name, hash }) => [name, hash]))
  const missing = declared.filter(({ name, hash }) => existing.get(name) !== hash)
  const names = new Set(declared.map(({ name }) => name))
  // A table that clients see no more has one policy less. Those of removed modules stay.
  const obsolete = present.flatMap(({ meta: { tableName } }) =>
    [`${tableName}_client`, `${tableName}_client_delete`]
      .filter((name) => existing.has(name) && !names.has(name))
      .map((name) => `drop policy ${pg.escapeIdentifier(name)} on ${pg.escapeIdentifier(tableName)}`),
  )
  return [...obsolete, ...missing.flatMap(({ sql }) => sql)]
}

async function listTables(db: pg.Client): Promise<Set<string>> {
  const { rows } = await db.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  )
  return new Set(rows.map(({ name }) => name))
}

const isClientPolicy = ({ type }: PolicyDef): boolean => type === 'restrictive'

function toStatements(table: string, { name, command = 'all', using, check }: PolicyDef, database: string) {
  const definition = `for ${command} to practice_app using (${String(using)})${
    check === undefined ? '' : ` with check (${String(check)})`
  }`
  const hash = createHash('sha256').update(definition).digest('hex').slice(0, 16)
  const on = `${pg.escapeIdentifier(name!)} on ${pg.escapeIdentifier(table)}`
  return {
    name: name!,
    hash,
    sql: [
      `drop policy if exists ${on}`,
      nameRoles(`create policy ${on} as restrictive ${definition}`, database),
      `comment on policy ${on} is '${hash}'`,
    ],
  }
}
