import { dayMs } from '#app/lib/time.ts'
import { forEachCoach } from '../for-each-coach.ts'
import { withTenant, type Platform, type TenantTransaction } from '../platform.ts'
import { deleteQueue } from './files.ts'
import type { FileKey, StoredBytes } from './store.ts'

/** Bytes without a row belong to a request that has not ended, unless they are older. */
const orphanMs = dayMs

/** Deletes the bytes of a file, or the parts of one. */
export async function deleteStoredBytes(
  { fileStore }: Platform,
  { key, storeId }: { key: FileKey; storeId: string | null },
): Promise<void> {
  if (storeId !== null) await fileStore.dropParts({ key, storeId })
  await fileStore.delete(key)
}

/** Deletes uploads that nobody finished. */
export async function deleteExpiredUploads(platform: Platform): Promise<void> {
  await forEachCoach(platform, ({ id }) =>
    withTenant(platform, id, async (tx) => {
      const expired = await tx.query<{ key: FileKey; storeId: string }>({
        name: 'upload.expire',
        text: `delete from file_upload where coach_id = $1 and expires_at <= $2 returning key, store_id as "storeId"`,
        values: [id, platform.now()],
      })
      if (expired.length)
        await tx.enqueueAll(
          deleteQueue,
          expired.map((data) => ({ data })),
        )
    }),
  )
}

/** Deletes the bytes of a coach who is erased, after the commit. Their rows go with the other tables. */
export async function deleteBytesOfCoach(tx: TenantTransaction, coachId: number): Promise<void> {
  const files = await tx.query<{ key: FileKey; storeId: string | null }>({
    name: 'file.keys-of-coach',
    text: `select key, null::text as "storeId" from stored_file where coach_id = $1
      union all select key, store_id from file_upload where coach_id = $1
      union all select key, null from practice_export where coach_id = $1 and key is not null`,
    values: [coachId],
  })
  if (files.length)
    await tx.enqueueAll(
      deleteQueue,
      files.map((data) => ({ data })),
    )
}

/** Deletes bytes that no row names, and logs rows without bytes. Returns how many of each there were. */
export async function reconcileFiles(platform: Platform): Promise<{ deleted: number; missing: number }> {
  const result = { deleted: 0, missing: 0 }
  const seen = new Set<number>()
  for await (const { coachId, bytes } of groupByCoach(platform.fileStore.list())) {
    seen.add(coachId)
    await reconcile(coachId, bytes)
  }
  await forEachCoach(platform, async ({ id }) => {
    if (!seen.has(id)) await reconcile(id, [])
  })
  return result

  async function reconcile(coachId: number, bytes: StoredBytes[]): Promise<void> {
    const oldest = platform.now().getTime() - orphanMs
    const rows = await listKeys(platform, coachId, new Date(oldest))
    const known = new Set(rows.map(({ key }) => key))
    for (const { key, modifiedAt } of bytes) {
      if (known.has(key) || modifiedAt.getTime() > oldest) continue
      await platform.fileStore.delete(key)
      result.deleted++
    }
    const present = new Set(bytes.map(({ key }) => key))
    const missing = rows.filter(({ key, mustBePresent }) => mustBePresent && !present.has(key)).length
    result.missing += missing
    if (missing) platform.log.error({ account: coachId, files: missing }, 'files have lost their bytes')
  }
}

/** The store lists the files of one coach together. */
async function* groupByCoach(
  listed: AsyncIterable<StoredBytes>,
): AsyncGenerator<{ coachId: number; bytes: StoredBytes[] }> {
  let group: { coachId: number; bytes: StoredBytes[] } | undefined
  for await (const one of listed) {
    // Other keys are not of files.
    if (!/^[1-9]\d{0,15}\/[0-9a-f]{32}$/.test(one.key)) continue
    const coachId = Number(one.key.split('/')[0])
    if (group && group.coachId !== coachId) yield group
    if (group?.coachId !== coachId) group = { coachId, bytes: [] }
    group!.bytes.push(one)
  }
  if (group) yield group
}

/** `mustBePresent`: the file was stored before the bytes were listed. */
type KnownKey = { key: FileKey; mustBePresent: boolean }

async function listKeys(platform: Platform, coachId: number, oldest: Date): Promise<KnownKey[]> {
  const [rows] = await platform.readPool.queryAsTenant(coachId, [
    {
      name: 'file.known-keys',
      text: `select key, created_at <= $2 as "mustBePresent" from stored_file where coach_id = $1
        union all select key, false from file_upload where coach_id = $1
        union all select key, false from practice_export where coach_id = $1 and key is not null`,
      values: [coachId, oldest],
    },
  ])
  return rows as KnownKey[]
}
