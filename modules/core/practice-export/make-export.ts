import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { exportQueues, keptMs } from '#tenants/exports/exports.ts'
import { createKey } from '#tenants/files/files.ts'
import { withTenant, type Platform } from '#tenants/platform.ts'
import { writeExport } from './write-export.ts'

/** Milliseconds between two writes of the progress. */
const progressMs = 1_000

/** Writes the export that the coach has asked for to the store; nothing if it is done, or has been replaced. */
export async function makeExport(platform: Platform, { coachId, id }: { coachId: number; id: number }): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, `export ${id}`, { orClosed: true })
  if (!ctx || !(await isPending(platform, coachId, id))) return
  const key = createKey(coachId)
  let size = 0
  try {
    await writeExport(
      ctx,
      async (archive) => {
        const meter = new Transform({
          transform(chunk: Buffer, _encoding, done) {
            size += chunk.length
            done(null, chunk)
          },
        })
        // Bytes of an export don't count as used: a practice whose storage is full can leave, too.
        await Promise.all([pipeline(archive, meter), platform.fileStore.write(key, meter)])
      },
      { onProgress: createProgress(platform, { coachId, id }) },
    )
    if (!(await finish(platform, { coachId, id, key, size }))) await platform.fileStore.delete(key)
  } catch (error) {
    await platform.fileStore.delete(key).catch(() => {})
    throw error
  }
}

async function isPending(platform: Platform, coachId: number, id: number): Promise<boolean> {
  const [rows] = await platform.readPool.queryAsTenant(coachId, [
    {
      name: 'practice-export.is-pending',
      text: 'select 1 from practice_export where coach_id = $1 and id = $2 and key is null',
      values: [coachId, id],
    },
  ])
  return rows!.length > 0
}

/** Marks an export that was given up, so that the coach can ask for another one, and tells them. */
export function failExport(platform: Platform, { coachId, id }: { coachId: number; id: number }): Promise<void> {
  return withTenant(platform, coachId, async (tx) => {
    const rows = await tx.query({
      name: 'practice-export.fail',
      text: `update practice_export set failed_at = $3
        where coach_id = $1 and id = $2 and num_nonnulls(key, failed_at) = 0 returning id`,
      values: [coachId, id, platform.now()],
    })
    if (rows.length) await tx.enqueue(exportQueues.email, { coachId, id })
  })
}

/** Writes the progress once a second: each write is a transaction. */
function createProgress(platform: Platform, { coachId, id }: { coachId: number; id: number }): (part: number) => void {
  let last = performance.now()
  let percent = 0
  return (part) => {
    const next = Math.min(99, Math.floor(part * 100))
    if (next <= percent || performance.now() - last < progressMs) return
    last = performance.now()
    percent = next
    withTenant(platform, coachId, ({ query }) =>
      query({
        name: 'practice-export.progress',
        text: 'update practice_export set progress = $3 where coach_id = $1 and id = $2 and key is null',
        values: [coachId, id, percent],
      }),
    ).catch((error: unknown) => platform.log.warn({ err: error }, 'the progress of an export could not be written'))
  }
}

/** Returns false if the export has been replaced in the meantime. */
function finish(
  platform: Platform,
  { coachId, id, key, size }: { coachId: number; id: number; key: string; size: number },
): Promise<boolean> {
  return withTenant(platform, coachId, async (tx) => {
    const now = platform.now()
    const rows = await tx.query({
      name: 'practice-export.finish',
      text: `update practice_export set progress = 100, key = $3, size = $4, finished_at = $5, expires_at = $6,
          failed_at = null
        where coach_id = $1 and id = $2 and key is null returning id`,
      values: [coachId, id, key, size, now, new Date(now.getTime() + keptMs)],
    })
    if (!rows.length) return false
    await tx.enqueue(exportQueues.email, { coachId, id })
    return true
  })
}
