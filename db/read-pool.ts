import pg from 'pg'
import { together, type Statement } from './pg-pipeline.ts'

// Ids and counts are far below 2^53: numbers everywhere, in the ORM's results too.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** A statement that Postgres prepares once per connection under its name: one name, one text. */
export type Query = { name: string; text: string; values?: unknown[] }

export type Reads = {
  /** Runs one statement on its own, without a tenant: for the look-up functions alone. */
  look<Row extends object>(query: Query): Promise<Row[]>
  /** Runs statements in one tenant transaction, all sent in one round trip. Answers the rows of each. */
  asTenant(coachId: number, queries: Query[]): Promise<object[][]>
  close(): Promise<void>
}

type Asked = { query: Query; resolve: (rows: object[]) => void; reject: (error: unknown) => void }

/** `pgbouncer=true` in the address leaves the names of prepared statements out (transaction mode before PgBouncer 1.21). */
export function openReads(url: string, { poolSize = 10 }: { poolSize?: number } = {}): Reads {
  const pool = new pg.Pool({ connectionString: url, max: poolSize })
  // A connection that the server drops is replaced by the pool; the query on it has failed by itself.
  pool.on('error', () => {})
  // The pool listens to idle connections only: one that is lost while it is in use must not end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  const named = !isBehindBouncer(url)
  let asked: Asked[] = []

  return {
    async look<Row extends object>(query: Query) {
      const rows = await new Promise<object[]>((resolve, reject) => {
        if (asked.push({ query, resolve, reject }) === 1) setImmediate(lookAtOnce)
      })
      return rows as Row[]
    },
    async asTenant(coachId, queries) {
      const [, ...rows] = await run([reading(coachId), ...queries])
      return rows
    },
    close: () => pool.end(),
  }

  /** Every request begins with a look: those that came in at the same moment share a round trip. */
  function lookAtOnce(): void {
    const now = asked
    asked = []
    run(now.map(({ query }) => query)).then(
      (answers) => now.forEach(({ resolve }, at) => resolve(answers[at]!)),
      // One that is refused must not take the others with it.
      (error) =>
        now.length === 1
          ? now[0]!.reject(error)
          : now.forEach((one) => void run([one.query]).then(([rows]) => one.resolve(rows!), one.reject)),
    )
  }

  async function run(statements: Statement[]): Promise<object[][]> {
    const client = await pool.connect()
    try {
      const answers = await together(
        client,
        named ? statements : statements.map(({ text, values }) => ({ text, values })),
      )
      client.release()
      return answers.map((answer) => answer.rows)
    } catch (error) {
      client.release(true)
      throw error
    }
  }
}

/**
 * Chooses the tenant, for the transaction that the statement is sent in. `by` and `at` are what the history notes of its
 * changes: the account that makes them (null: nobody, a job of the house) and when.
 */
export const choosing = (coachId: number, by: number | null = null, at: Date | null = null): Query => ({
  name: 'tenant',
  text: `select set_config('app.coach_id', $1, true), set_config('app.actor', $2, true), set_config('app.now', $3, true)`,
  values: [coachId, by ?? '', at?.toISOString() ?? ''],
})

const reading = (coachId: number): Query => ({
  name: 'reading',
  text: `select set_config('app.coach_id', $1, true), set_config('transaction_read_only', 'on', true)`,
  values: [coachId],
})

/** Whether names of prepared statements must be left out: `pgbouncer=true` in the address. */
export function isBehindBouncer(url: string): boolean {
  return new URL(url.replace('@/', '@socket/')).searchParams.get('pgbouncer') === 'true'
}

/** SQL that answers a timestamptz as the API writes it: ISO 8601, UTC, milliseconds, `Z`. */
export const utc = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
