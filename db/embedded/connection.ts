import pg from 'pg'

export const port = 5432

/** Runs one statement as the superuser. */
export async function query<Row extends pg.QueryResultRow>(
  sockets: string,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({
    host: sockets,
    port,
    user: 'postgres',
    database: 'postgres',
    connectionTimeoutMillis: 5_000,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<Row>(sql, values)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** The host is the encoded socket folder, the only form that pg, MikroORM and libpq all accept. */
export function formatUrl(sockets: string, user: string, name: string): string {
  return `postgresql://${user}@${encodeURIComponent(sockets)}:${port}/${name}`
}
