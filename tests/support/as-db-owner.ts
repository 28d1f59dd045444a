import pg from 'pg'
import type { PlanName } from '#tenants/accounts/plans.ts'

/** Connects to a database as its owner while `work` runs. */
export async function asOwner<T>(url: string, work: (db: pg.Client) => Promise<T>): Promise<T> {
  const db = new pg.Client({ connectionString: url })
  await db.connect()
  try {
    return await work(db)
  } finally {
    await db.end()
  }
}

const pools = new Map<string, pg.Pool>()

/** Runs statements of a coach as the database's owner, in one transaction, on a connection that stays open. */
export async function runForCoach(ownerUrl: string, id: number, statements: string): Promise<pg.QueryResult> {
  let pool = pools.get(ownerUrl)
  if (!pool) {
    pool = new pg.Pool({ connectionString: ownerUrl, max: 1, allowExitOnIdle: true })
    // The test's database is dropped while the connection is open.
    pool.on('error', () => {})
    pools.set(ownerUrl, pool)
  }
  const results = await pool.query(`select set_config('app.coach_id', '${id}', true); ${statements}`)
  // One for each statement.
  return [results].flat().at(-1)!
}

/** Sets what the serving role may not write in an account. */
export async function changeAccountAsOwner(
  ownerUrl: string,
  id: number,
  changes: { plan?: PlanName; isAdmin?: boolean },
): Promise<void> {
  await runForCoach(
    ownerUrl,
    id,
    `update account set plan = coalesce(${toLiteral(changes.plan)}, plan),
      is_admin = coalesce(${toLiteral(changes.isAdmin?.toString())}::boolean, is_admin) where id = ${id}`,
  )
}

const toLiteral = (value: string | undefined): string => (value === undefined ? 'null' : pg.escapeLiteral(value))
