import { getErrorCode } from './error-mapping.ts'
import type { ReadPool } from './read-pool.ts'

let isFull = false

/** Remembers that a statement failed because the disk of the database is full. */
export function reportDiskError(error: unknown): void {
  if (getErrorCode(error) === '53100') isFull = true
}

/** Whether the database can store more rows. Tries it only after a statement has failed because it couldn't. */
export async function hasDiskSpace(readPool: ReadPool): Promise<boolean> {
  if (!isFull) return true
  await readPool.queryGlobal({ name: 'disk.fill', text: fillPages })
  await readPool.queryGlobal({ name: 'disk.clean', text: `delete from rate_limit where window_ends_at = 'epoch'` })
  isFull = false
  return true
}

/** Several pages of text that compresses badly: a smaller row could fit into a page that exists. */
const fillPages = `insert into rate_limit (key, attempts, window_ends_at)
  select string_agg(md5(random()::text), ''), 0, 'epoch' from generate_series(1, 32) n, generate_series(1, 70) group by n`
