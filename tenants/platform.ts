import type { MikroORM } from '@mikro-orm/postgresql'
import type { Logger } from 'pino'
import { fromKysely, PgBoss } from 'pg-boss'
import { openOrm, type Entity, type EntityManager } from '#db/orm.ts'
import { prepareAs } from '#db/deferred-begin.ts'
import { choosing, openReads, type Query, type Reads } from '#db/read-pool.ts'
import type { Config } from './config.ts'
import type { Extensions } from './extensions.ts'
import { secretsFrom, type Secrets } from './auth/signing-keys.ts'

/** What one process shares between all requests and jobs: the pools, the settings, the clock. */
export type Platform = {
  config: Config
  orm: MikroORM
  reads: Reads
  boss: PgBoss
  secrets: Secrets
  log: Logger
  now(): Date
  /** The rows that every new account begins with, of all modules, in the account's transaction. */
  newAccount: NewAccountStep
  /** What modules react to, and what they show in each other's screens. */
  extensions: Extensions
  close(): Promise<void>
}

export type NewAccountStep = (tx: TenantTransaction, coachId: number) => Promise<void>

/** One transaction of one tenant. `rows` and `em` see the same uncommitted state. */
export type TenantTransaction = {
  em: EntityManager
  rows<Row extends object>(query: Query): Promise<Row[]>
  /** Puts a job into the queue `name` in this transaction: it runs if, and only if, the change is committed. */
  enqueue(name: string, data: object, options?: { singletonKey?: string }): Promise<void>
}

export async function openPlatform(options: {
  config: Config
  appUrl: string
  entities: Entity[]
  log: Logger
  newAccount: NewAccountStep
  extensions: Extensions
  now?: () => Date
}): Promise<Platform> {
  const { config, appUrl, entities, log, newAccount, extensions, now = () => new Date() } = options
  const orm = await openOrm(appUrl, { entities, fused: true })
  const reads = openReads(appUrl)
  const boss = new PgBoss({
    connectionString: appUrl,
    max: 3,
    migrate: false,
    createSchema: false,
    // The role that serves owns no index: its rebuilding stays with the owner.
    reindex: false,
    // How soon a killed worker's jobs are noticed (see the heartbeat of the queues).
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    supervise: config.role !== 'web',
    schedule: config.role !== 'web',
  })
  let closing = false
  // While it closes, a connection may hear of the database's end before its own. As `err`: the log's serializer takes what may be kept.
  boss.on('error', (error) => {
    if (!closing) log.warn({ err: error }, 'the job queue has a problem')
  })
  await boss.start()
  return {
    config,
    orm,
    reads,
    boss,
    log,
    now,
    newAccount,
    extensions,
    secrets: secretsFrom(config.secretKeys),
    async close() {
      closing = true
      await boss.stop({ graceful: true, timeout: 5_000 })
      await reads.close()
      await orm.close(true)
    },
  }
}

/**
 * Runs `work` in one transaction as the tenant `coachId`. Commits when it returns, rolls back when it throws. `by` is the
 * account whose changes these are, for the history.
 */
export async function inTenant<T>(
  platform: Platform,
  coachId: number,
  work: (tx: TenantTransaction) => Promise<T>,
  by: number | null = null,
): Promise<T> {
  return platform.orm.em.fork().transactional(async (em) => {
    const tx = transaction(platform, em)
    await tx.rows(choosing(coachId, by, platform.now()))
    return work(tx)
  })
}

/**
 * Runs `work` as the tenant `coachId` inside `tx`, the open transaction of `own`: one connection, one commit. A second
 * connection, asked for while the first is held, would bring as many of these at once as the pool has to a standstill.
 */
export async function inOtherTenant<T>(
  platform: Platform,
  { tx, own }: { tx: TenantTransaction; own: number },
  coachId: number,
  work: (tx: TenantTransaction) => Promise<T>,
): Promise<T> {
  const become = (id: number) => tx.rows(choosing(id, own, platform.now()))
  await tx.em.flush()
  await become(coachId)
  try {
    const em = tx.em.fork({ clear: true, keepTransactionContext: true })
    const result = await work(transaction(platform, em))
    await em.flush()
    return result
  } finally {
    // Where a statement failed there is nothing to go back to: the transaction can only be rolled back.
    await become(own).catch(() => {})
  }
}

function transaction(platform: Platform, em: EntityManager): TenantTransaction {
  const kysely = em.getTransactionContext<KyselyTransaction>()
  if (!kysely) throw new Error('no transaction is open')
  return {
    em,
    async rows<Row extends object>({ name, text, values }: Query) {
      prepareAs(name, text)
      const result = await kysely.executeQuery({
        sql: text,
        parameters: values ?? [],
        query: { kind: 'RawNode' },
        queryId: { queryId: 'rows' },
      })
      return result.rows as Row[]
    },
    async enqueue(name, data, options = {}) {
      await platform.boss.send(name, data, { ...options, db: fromKysely(kysely) })
    },
  }
}

type KyselyTransaction = Parameters<typeof fromKysely>[0]
