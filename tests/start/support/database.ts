import { mkdirSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { startEmbedded } from '#db/embedded/embedded.ts'
import { createTempFolder } from './process.ts'

/** A database of the test's own, and what runs a statement in it as the superuser. */
export async function startDatabase() {
  const dir = path.join(createTempFolder(), 'open')
  mkdirSync(dir, { mode: 0o755 })
  const embedded = await startEmbedded({ dir: path.join(dir, 'postgres') })
  onTestFinished(() => embedded.stop())
  const run = async (sql: string): Promise<pg.QueryResult> => {
    const db = new pg.Client({ connectionString: embedded.ownerUrl.replace('practice_owner@', 'postgres@') })
    await db.connect()
    return db.query(sql).finally(() => db.end())
  }
  return { ownerUrl: embedded.ownerUrl, run }
}
