import { setTimeout as pause } from 'node:timers/promises'
import { IsolationLevel, type MikroORM } from '@mikro-orm/postgresql'
import { CompiledQuery, type ControlledTransaction } from 'kysely'
import type { Logger } from 'pino'
import { fromKysely, PgBoss } from 'pg-boss'
import { openOrm, type Entity, type EntityManager, type NamedMigration } from '#db/orm.ts'
import { deferStatement, nameStatement } from '#db/pg-pipeline.ts'
import { traceSpan } from '#db/tracing.ts'
import { createDatabaseSigner, type DatabaseSigner } from '#db/signatures.ts'
import { getReplicaUrl } from '#db/migrate.ts'
import { openReplica, type Replica } from '#db/replica.ts'
import { openReadPool, setClient, setTenant, type Query, type ReadPool } from '#db/read-pool.ts'
import { explainReadOnly } from './read-only.ts'
import { createFileStore } from './files/open-store.ts'
import type { FileStore } from './files/store.ts'
import { createStorageUsage, type StorageUsage } from './storage.ts'
import { createTenantSlots, type TenantSlots } from './tenant-slots.ts'
import { logSecurity, type SecurityLine } from './auth/security-log.ts'
import { deriveSigningKeys, type SigningKeys } from './auth/signing-keys.ts'
import { createViewLimits, type ViewLimits } from './auth/view-limits.ts'
import type { Config } from './config.ts'
import { createDnsResolver, type DnsResolver } from './domains/resolver.ts'

/** Services that all requests and jobs of a process share. */
export type Platform = {
  config: Config
  orm: MikroORM
  /** Referenced tables before those that refer to them. */
  entities: Entity[]
  migrations: NamedMigration[]
  readPool: ReadPool
  /** The standby that reports are read from, where there is one. */
  replica: Replica | null
  boss: PgBoss
  signingKeys: SigningKeys
  databaseSigner: DatabaseSigner
  tenantSlots: TenantSlots
  storageUsage: StorageUsage
  viewLimits: ViewLimits
  /** See `files/files.ts`. */
  fileStore: FileStore
  /** Asked about the coaches' own domains. */
  dns: DnsResolver
  log: Logger
  now(): Date
  /** Adds the initial rows of a new account, of all modules, in the account's transaction. */
  newAccount: NewAccountStep
  extensions: Extensions
  /** Whether nothing can be changed through it: see `toReadOnly`. */
  isReadOnly?: true
  /** In a job of a module: `forEachCoach` leaves out coaches without one of these modules. */
  neededModules?: string[]
  close(): Promise<void>
}

/** Everything that modules register; most of it is declared in modules/core/extensions.ts. */
export interface Extensions {
  /** Queries of one row, whose columns are part of the API's user record. */
  userColumns: ((ctx: { coachId: number }) => Query)[]
  /** The same without these modules and those that depend on them, for a coach for whom they are switched off. */
  without(modulesOff: string[]): Extensions
}

export type NewAccountStep = (tx: TenantTransaction, coachId: number, now: Date) => Promise<void>

/** One transaction of one tenant. `query` and `em` see the same uncommitted state. */
export type TenantTransaction = {
  em: EntityManager
  /** Statements of the same moment share a round trip. */
  query<Row extends object>(query: Query): Promise<Row[]>
  /**
   * Runs a statement whose rows nobody needs, always under its name. It is sent together with the next one, at the
   * latest with the commit, which then throws its error.
   */
  defer(query: Query & { name: string }): Promise<void>
  /**
   * Adds a job to the queue `name` in this transaction: it runs if and only if the transaction commits. `startAfter`:
   * in how many seconds.
   */
  enqueue(
    name: string,
    data: object,
    options?: { singletonKey?: string; group?: { id: string }; startAfter?: number },
  ): Promise<void>
  /** As `enqueue`, for several jobs of one queue. */
  enqueueAll(name: string, jobs: { data: object; startAfter?: number; group?: { id: string } }[]): Promise<void>
  /** Runs failed jobs of a queue once more, if and only if the transaction commits. */
  retryJobs(name: string, ids: string[]): Promise<void>
  /** Writes a line about security to the log if and only if the transaction commits. */
  logSecurity(line: SecurityLine): void
}

export async function openPlatform(options: {
  config: Config
  appUrl: string
  entities: Entity[]
  migrations: NamedMigration[]
  log: Logger
  newAccount: NewAccountStep
  extensions: Extensions
  now?: () => Date
  /** Opens the ORM when it is needed: finding the tables takes a tenth of a start. */
  lazyOrm?: boolean
}): Promise<Platform> {
  const { config, appUrl, entities, migrations, log, newAccount, extensions, now = () => new Date() } = options
  let orm = options.lazyOrm ? undefined : openOrm(appUrl, { entities, pipelined: true })
  const getOrm = () => (orm ??= openOrm(appUrl, { entities, pipelined: true }))
  const readPool = openReadPool(appUrl)
  const usagePool = openReadPool(appUrl, { poolSize: 2 })
  const boss = createBoss(config, appUrl)
  let isClosing = false
  boss.on('error', (error) => {
    // During shutdown a connection may end before its own close: not worth a warning.
    if (!isClosing) log.warn({ err: error }, 'the job queue has a problem')
  })
  await boss.start()
  const replica = config.replicaUrl
    ? openReplica(getReplicaUrl(config.replicaUrl, appUrl), readPool, { now, onChange: logReplica })
    : null
  const fileStore = createFileStore(config)
  return {
    config,
    get orm() {
      return getOrm()
    },
    entities,
    migrations,
    readPool,
    replica,
    boss,
    log,
    now,
    newAccount,
    extensions,
    signingKeys: deriveSigningKeys(config.secretKeys),
    databaseSigner: createDatabaseSigner(config.secretKeys[0]!),
    tenantSlots: createTenantSlots(),
    storageUsage: createStorageUsage(getOrm, usagePool),
    viewLimits: createViewLimits(),
    fileStore,
    dns: createDnsResolver(config.dnsServers),
    async close() {
      isClosing = true
      await boss.stop({ graceful: true, timeout: 2_000 })
      fileStore.close()
      // A pool waits for its statements, and those for a database that may not answer.
      await Promise.race([
        Promise.all([readPool.close(), usagePool.close(), replica?.close(), orm?.close(true)]),
        pause(1_000),
      ])
    },
  }

  function logReplica(problem: unknown): void {
    if (isClosing) return
    if (problem === null) log.info('reports are read from the replica again')
    else log.warn({ err: problem }, 'reports are read from the primary database: the replica has a problem')
  }
}

function createBoss(config: Config, appUrl: string): PgBoss {
  return new PgBoss({
    connectionString: appUrl,
    max: 3,
    migrate: false,
    createSchema: false,
    // The app's role owns no index and can't rebuild one.
    reindex: false,
    // How soon the jobs of a killed worker are noticed (see the heartbeat of the queues).
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    supervise: config.role !== 'web',
    schedule: config.role !== 'web',
  })
}

/**
 * Runs `work` in one transaction as the tenant `coachId`. Commits when it returns, rolls back when it throws. The
 * history records `actorId` as the account that makes the changes. `clientId`: limited to what this client of the coach
 * may see and change.
 */
export async function withTenant<T>(
  platform: Platform,
  coachId: number,
  work: (tx: TenantTransaction) => Promise<T>,
  actorId: number | null = null,
  clientId: number | null = null,
): Promise<T> {
  const lines: SecurityLine[] = []
  const transaction = traceSpan('transaction', {}, () =>
    platform.orm.em.fork().transactional(
      async (em) => {
        const tx = toTenantTransaction(platform, em, (line) => lines.push(line))
        await tx.query(setTenant(coachId, platform.databaseSigner.signActor(coachId, actorId)))
        if (clientId !== null) await tx.defer(setClient(clientId))
        return work(tx)
      },
      platform.isReadOnly ? { readOnly: true } : {},
    ),
  )
  const result = platform.isReadOnly ? await transaction.catch(explainReadOnly) : await transaction
  for (const line of lines) logSecurity(platform, line)
  return result
}

/** Runs `work` in one read-only transaction of the tenant `coachId`, in which nothing changes. Times are in UTC. */
export function withSnapshot<T>(
  platform: Platform,
  coachId: number,
  work: (query: TenantTransaction['query']) => Promise<T>,
): Promise<T> {
  return traceSpan('transaction', {}, () =>
    platform.orm.em.fork().transactional(
      async (em) => {
        const { query } = toTenantTransaction(platform, em, () => {})
        await query(setTenant(coachId, ''))
        // Reading the rows may pause while a store of files is slow.
        await query({
          name: 'snapshot.settings',
          text: `select set_config('timezone', 'UTC', true),
            set_config('idle_in_transaction_session_timeout', '5min', true)`,
        })
        return work(query)
      },
      { isolationLevel: IsolationLevel.REPEATABLE_READ, readOnly: true },
    ),
  )
}

/**
 * Runs `work` as the tenant `coachId` inside `tx`, the open transaction of the tenant `ownId`: one commit, and no
 * second connection, which could exhaust the pool while the first one is held.
 */
export async function withOtherTenant<T>(
  platform: Platform,
  { tx, ownId }: { tx: TenantTransaction; ownId: number },
  coachId: number,
  work: (tx: TenantTransaction) => Promise<T>,
): Promise<T> {
  const switchTo = (id: number) => tx.query(setTenant(id, platform.databaseSigner.signActor(id, ownId)))
  await tx.em.flush()
  await switchTo(coachId)
  try {
    const em = tx.em.fork({ clear: true, keepTransactionContext: true })
    const result = await work(toTenantTransaction(platform, em, tx.logSecurity))
    await em.flush()
    return result
  } finally {
    // After a failed statement this fails too, and the transaction can only roll back.
    await switchTo(ownId).catch(() => {})
  }
}

function toTenantTransaction(
  platform: Platform,
  em: EntityManager,
  logLine: (line: SecurityLine) => void,
): TenantTransaction {
  const transaction = em.getTransactionContext<ControlledTransaction<unknown>>()
  if (!transaction) throw new Error('No transaction is open')
  const run = createBatchedRunner(transaction)
  const db = fromKysely(transaction)
  // Planning the queue's statement takes longer than running it, and nobody needs the ids of jobs.
  const deferAs = (statement: string): typeof db => ({
    executeSql(text, values) {
      deferStatement(statement, text)
      return db.executeSql(text, values)
    },
  })
  return {
    em,
    async query<Row extends object>({ name, text, values = [] }: Query) {
      if (name) nameStatement(name, text)
      return (await run(text, values)) as Row[]
    },
    async defer({ name, text, values = [] }) {
      deferStatement(name, text)
      await run(text, values)
    },
    async enqueue(name, data, options = {}) {
      await platform.boss.send(name, data, { ...options, db: deferAs(`job.${name}`) })
    },
    async enqueueAll(name, jobs) {
      await platform.boss.insert(name, jobs, { db: deferAs(`jobs.${name}`) })
    },
    async retryJobs(name, ids) {
      await platform.boss.retry(name, ids, { db })
    },
    logSecurity: logLine,
  }
}

type PendingStatement = { query: CompiledQuery; resolve: (rows: unknown[]) => void; reject: (error: unknown) => void }

/** Sends the statements of the same moment together: Kysely would wait for each. */
function createBatchedRunner(
  transaction: ControlledTransaction<unknown>,
): (text: string, values: unknown[]) => Promise<unknown[]> {
  let pending: PendingStatement[] = []
  return (text, values) =>
    new Promise((resolve, reject) => {
      // Not em.execute, which writes the values into the text: no statement could be prepared.
      const query = CompiledQuery.raw(text, values)
      if (pending.push({ query, resolve, reject }) === 1) queueMicrotask(runPending)
    })

  function runPending(): void {
    const batch = pending
    pending = []
    transaction
      .getExecutor()
      .provideConnection(async (connection) => {
        // The connection may be another transaction's by now: Kysely rejects that only in its own executeQuery.
        if (transaction.isCommitted || transaction.isRolledBack) throw new Error('The transaction has already ended')
        await Promise.all(
          batch.map(({ query, resolve, reject }) =>
            connection.executeQuery(query).then(({ rows }) => resolve(rows), reject),
          ),
        )
      })
      .catch((error: unknown) => batch.forEach(({ reject }) => reject(error)))
  }
}
