import { MikroORM, type EntityManager, type EntitySchema, type Options } from '@mikro-orm/postgresql'
import { Migrator, type Migration } from '@mikro-orm/migrations'
import type pg from 'pg'
import type { Constructor } from '@mikro-orm/core'
import { keepOneConnection, limitSilence, PipelineClient } from './pg-pipeline.ts'
import { acquireTimeoutMs, isPgBouncer } from './read-pool.ts'

export type { EntityManager }
export type Entity = EntitySchema
/** `checksum`: of the SQL, see `migration`. */
export type NamedMigration = { name: string; checksum: string; class: Constructor<Migration> }

/** Opens the ORM on `url`; the first query connects. `pipelined`: on `PipelineClient`s, which migrations don't use. */
export function openOrm(
  url: string,
  {
    entities,
    migrations = [],
    poolSize = 10,
    pipelined = false,
  }: { entities: Entity[]; migrations?: NamedMigration[]; poolSize?: number; pipelined?: boolean },
): MikroORM {
  const options: Options = {
    ...toConnectionOptions(url, pipelined),
    entities,
    extensions: [Migrator],
    pool: { min: 0, max: poolSize },
    debug: false,
    discovery: { warnWhenNoEntities: false },
    // The services of a request share one fork; a global identity map would mix tenants.
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
    schemaGenerator: {
      ignoreSchema: ['pgboss'],
      skipTables: ['schema_migration', 'signature_key'],
      skipViews: [/./],
    },
  }
  return new MikroORM(options)
}

/** `pg` reads the URL, as for all other pools; MikroORM knows neither socket folders nor the modes of TLS. */
function toConnectionOptions(url: string, pipelined: boolean): Pick<Options, 'dbName' | 'driverOptions'> {
  const { pathname } = new URL(url.replace('@/', '@socket/'))
  return {
    dbName: decodeURIComponent(pathname.slice(1)),
    driverOptions: {
      connectionString: url,
      onPoolCreated: (pool: pg.Pool) => {
        releaseDroppedConnections(pool)
        if (pipelined) limitSilence(pool)
      },
      ...(pipelined
        ? {
            ...keepOneConnection,
            Client: PipelineClient,
            namedStatements: !isPgBouncer(url),
            connectionTimeoutMillis: acquireTimeoutMs,
          }
        : {}),
    },
  }
}

/**
 * Releases a connection that the server drops in a transaction, so that the pool replaces it. Kysely releases one only
 * after its rollback succeeds: ten dropped connections would use up the pool.
 */
function releaseDroppedConnections(pool: pg.Pool): void {
  const acquired = new WeakSet<pg.PoolClient>()
  pool.on('acquire', (client) => acquired.add(client))
  pool.on('release', (_error, client) => acquired.delete(client))
  pool.on('connect', (client) => client.once('end', () => acquired.has(client) && client.release(true)))
}
