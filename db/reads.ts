import pg from 'pg'

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

const begin = { name: 'begin', text: 'begin read only' }
const commit = { name: 'commit', text: 'commit' }

/** `pgbouncer=true` in the address leaves the names of prepared statements out (transaction mode before PgBouncer 1.21). */
export function openReads(url: string, { poolSize = 10 }: { poolSize?: number } = {}): Reads {
  const unnamed = new URL(url.replace('@/', '@socket/')).searchParams.get('pgbouncer') === 'true'
  const pool = new pg.Pool({ connectionString: url, max: poolSize, pipeline: true })
  // A connection that the server drops is replaced by the pool; the query on it has failed by itself.
  pool.on('error', () => {})
  const sent = (query: Query) => (unnamed ? { text: query.text, values: query.values } : query)

  return {
    async look<Row extends object>(query: Query) {
      return (await pool.query<Row>(sent(query))).rows
    },
    async asTenant(coachId, queries) {
      const client = await pool.connect()
      try {
        const answers = await Promise.all([
          client.query(sent(begin)),
          client.query(sent({ name: 'tenant', text: `select set_config('app.coach_id', $1, true)`, values: [String(coachId)] })),
          ...queries.map((query) => client.query<object>(sent(query))),
          client.query(sent(commit)),
        ])
        client.release()
        return answers.slice(2, -1).map((answer) => answer.rows as object[])
      } catch (error) {
        // The statements behind the failed one are still on their way: this connection isn't used again.
        client.release(true)
        throw error
      }
    },
    close: () => pool.end(),
  }
}

/** SQL that answers a timestamptz as the API writes it: ISO 8601, UTC, milliseconds, `Z`. */
export const utc = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
