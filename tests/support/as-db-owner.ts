import pg from 'pg'

/** Works on a database as its owner, by a connection of its own. */
export async function asOwner<T>(url: string, work: (db: pg.Client) => Promise<T>): Promise<T> {
  const db = new pg.Client({ connectionString: url })
  await db.connect()
  try {
    return await work(db)
  } finally {
    await db.end()
  }
}
