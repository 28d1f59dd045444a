import { MikroORM, type EntityManager, type EntitySchema, type Options } from '@mikro-orm/postgresql'
import { Migrator, type Migration } from '@mikro-orm/migrations'
import type pg from 'pg'
import type { Constructor } from '@mikro-orm/core'
import { fuseTransactions } from './deferred-begin.ts'
import { isBehindBouncer } from './read-pool.ts'

export type { EntityManager }
export type Entity = EntitySchema
export type NamedMigration = { name: string; class: Constructor<Migration> }

/** Opens the ORM on `url`. Nothing is connected before the first query. `fused`: see `fuseTransactions`; not for migrations. */
export async function openOrm(
  url: string,
  {
    entities,
    migrations = [],
    poolSize = 10,
    fused = false,
  }: { entities: Entity[]; migrations?: NamedMigration[]; poolSize?: number; fused?: boolean },
): Promise<MikroORM> {
  const options: Options = {
    ...connection(url, fused),
    entities,
    extensions: [Migrator],
    pool: { min: 0, max: poolSize },
    debug: false,
    discovery: { warnWhenNoEntities: false },
    // Services of one request share one fork; a global identity map would mix tenants.
    allowGlobalContext: false,
    forceUtcTimezone: true,
    migrations: {
      tableName: 'schema_migration',
      migrationsList: migrations,
      snapshot: false,
      transactional: true,
      allOrNothing: true,
      silent: true,
    },
    schemaGenerator: { ignoreSchema: ['pgboss'], skipTables: ['schema_migration'] },
  }
  return MikroORM.init(options)
}

/** The parts of an address. MikroORM's own reader knows no socket folders, which `pg` takes as `?host=/folder` or as an encoded host. */
function connection(
  url: string,
  fused: boolean,
): Pick<Options, 'dbName' | 'host' | 'port' | 'user' | 'password' | 'driverOptions'> {
  const at = new URL(url.replace('@/', '@socket/'))
  const ssl = at.searchParams.get('sslmode')
  const onPoolCreated = (pool: pg.Pool) => {
    giveBackDropped(pool)
    if (fused) fuseTransactions(pool, { named: !isBehindBouncer(url) })
  }
  return {
    dbName: decodeURIComponent(at.pathname.slice(1)),
    host: at.searchParams.get('host') ?? decodeURIComponent(at.hostname),
    port: Number(at.port || 5432),
    user: decodeURIComponent(at.username),
    password: decodeURIComponent(at.password),
    driverOptions: {
      onPoolCreated,
      ...(ssl && ssl !== 'disable' ? { ssl: { rejectUnauthorized: ssl === 'verify-full' } } : {}),
    },
  }
}

/**
 * Kysely gives a connection back only when its rollback was answered, so one that the server dropped in a transaction would
 * be lost to the pool for good, and ten of them would be all. It goes back by itself, and the pool replaces it.
 */
function giveBackDropped(pool: pg.Pool): void {
  const lent = new WeakSet<pg.PoolClient>()
  pool.on('acquire', (client) => lent.add(client))
  pool.on('release', (_error, client) => lent.delete(client))
  pool.on('connect', (client) => client.once('end', () => lent.has(client) && client.release(true)))
}
