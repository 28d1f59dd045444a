import pg from 'pg'
import { createPipelinePool, setTenantText, type PipelineClient, type Statement } from './pg-pipeline.ts'
import { traceStatements } from './tracing.ts'

// Ids and counts stay far below 2^53: read them as numbers, in the ORM's results too.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** A statement. Postgres prepares a named one once per connection; a name must always have the same text. */
export type Query = { name?: string; text: string; values?: unknown[] }

type GlobalOptions = { alone?: boolean; durable?: boolean; readOnly?: boolean }
export type ReadPool = {
  /**
   * Runs one statement by itself, without a tenant: for the lookup functions and the tables of no tenant. Those of the
   * same moment share a transaction, unless `alone`, for statements that lock several rows. `durable` false: a crash of
   * the database may undo what changed within the last second. `readOnly`: the database refuses any change.
   */
  queryGlobal<Row extends object>(query: Query, options?: GlobalOptions): Promise<Row[]>
  /**
   * Runs statements in one read-only transaction of a tenant, in one round trip. Returns the rows of each. `clientId`:
   * of what this client of the tenant may see.
   */
  queryAsTenant(coachId: number, queries: Query[], clientId?: number | null): Promise<object[][]>
  close(): Promise<void>
}

/** How long a request waits for a free connection: then the database is overloaded, and it is answered with a 503. */
export const acquireTimeoutMs = 1_500

type PendingQuery = { query: Query; resolve: (rows: object[]) => void; reject: (error: unknown) => void }

export function openReadPool(url: string, { poolSize = 10, acquireMs = acquireTimeoutMs } = {}): ReadPool {
  const pool = createPipelinePool({
    connectionString: url,
    max: poolSize,
    namedStatements: !isPgBouncer(url),
    connectionTimeoutMillis: acquireMs,
  })
  // The pool replaces a connection that the server drops; the query on it fails by itself.
  pool.on('error', () => {})
  // The pool listens to idle connections only: losing one in use must not end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  let pending: PendingQuery[] = []

  return {
    queryGlobal<Row extends object>(query: Query, { alone = false, durable = true, readOnly = false } = {}) {
      return traceStatements([query], async () => {
        if (readOnly) return (await run([startReadOnly, query]))[1] as Row[]
        if (!durable) return (await run([commitLater, query]))[1] as Row[]
        if (alone) return (await run([query]))[0] as Row[]
        const rows = await new Promise<object[]>((resolve, reject) => {
          if (pending.push({ query, resolve, reject }) === 1) setImmediate(runPending)
        })
        return rows as Row[]
      })
    },
    async queryAsTenant(coachId, queries, clientId = null) {
      const settings = [setReadTenant(coachId), ...(clientId === null ? [] : [setClient(clientId)])]
      return (await run([...settings, ...queries])).slice(settings.length)
    },
    close: () => pool.end(),
  }

  /** Every request begins with a global query: those of the same moment share a round trip. */
  function runPending(): void {
    const batch = pending
    pending = []
    run(batch.map(({ query }) => query)).then(
      (results) => batch.forEach(({ resolve }, index) => resolve(results[index]!)),
      // Run them one by one, so that one that fails doesn't fail the others.
      (error) =>
        batch.length === 1 || !isStatementError(error)
          ? batch.forEach(({ reject }) => reject(error))
          : batch.forEach((one) => void run([one.query]).then(([rows]) => one.resolve(rows!), one.reject)),
    )
  }

  async function run(statements: Statement[]): Promise<object[][]> {
    const client = await pool.connect()
    try {
      const results = await (client as unknown as PipelineClient).executePipeline(statements)
      client.release()
      return results.map(({ rows }) => rows)
    } catch (error) {
      client.release(true)
      throw error
    }
  }
}

/** Whether Postgres refused a statement, quickly: another one of the same batch may succeed. */
export const isStatementError = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code !== '57014'

/** The commit doesn't wait until the disk has it. */
const commitLater: Statement = {
  name: 'commit-later',
  text: "select set_config('synchronous_commit', 'off', true)",
}

/** Nothing in the transaction can undo it after the first query. */
const startReadOnly: Statement = {
  name: 'read-only',
  text: "select set_config('transaction_read_only', 'on', true)",
}

/** For the transaction that the statements of a pipeline form by themselves: `begin` and `commit` would be two more. */
const setReadTenant = (coachId: number): Statement => ({
  name: 'set-read-tenant',
  text: "select set_config('app.coach_id', $1, true), set_config('transaction_read_only', 'on', true)",
  values: [coachId],
})

/**
 * Limits the transaction to what a client of the tenant may see and change in the portal, after `setTenant`; null: ends
 * that. A client has few rows in any table: one plan serves all clients, and planning takes longer than running it.
 */
export const setClient = (clientId: number | null): Query & { name: string } => ({
  name: 'set-client',
  text: "select set_config('app.client_id', $1, true), set_config('plan_cache_mode', $2, true)",
  values: clientId === null ? ['', 'auto'] : [clientId, 'force_generic_plan'],
})

/**
 * Until the end of the transaction: whether named statements are planned once for each connection, which is for those
 * that take longer to plan than to run, or (auto) again for the values of each run where Postgres expects that to help.
 */
export const setPlanMode = (mode: 'force_generic_plan' | 'auto'): Query & { name: string } => ({
  name: `plan-${mode}`,
  text: `select set_config('plan_cache_mode', '${mode}', true)`,
})

/**
 * Chooses the tenant of the transaction that the statement runs in. The history records the signed `actor`, who makes
 * the changes (see `DatabaseSigner`): the tenant itself, an administrator or nobody.
 */
export const setTenant = (coachId: number, actor: string): Query => ({
  name: 'set-tenant',
  text: setTenantText,
  values: [coachId, actor],
})

/** Whether the URL says `pgbouncer=true`: statements must not be prepared by name (transaction mode before 1.21). */
export function isPgBouncer(url: string): boolean {
  return new URL(url.replace('@/', '@socket/')).searchParams.get('pgbouncer') === 'true'
}

/**
 * SQL: a timestamptz, which `PipelineClient` returns as the API writes it (ISO 8601, UTC, milliseconds, `Z`). Inside of
 * SQL it is no text. A `to_char` takes Postgres five times as long.
 */
export const isoTimestamp = (column: string): string => `(${column} at time zone interval '0')`
