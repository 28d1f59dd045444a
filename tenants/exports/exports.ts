import { AppError } from '#app/lib/errors.ts'
import { formatTime, dayMs } from '#app/lib/time.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import { confirmPassword } from '../auth/confirm-password.ts'
import type { Device } from '../auth/device.ts'
import { recordSecurityEvent } from '../auth/security-events.ts'
import { authorize, type Ctx, type WriteCtx } from '../context.ts'
import type { FileSource } from '../files/file-reply.ts'
import { deleteQueue } from '../files/files.ts'
import type { FileKey } from '../files/store.ts'

export const exportQueues = { make: 'platform.make-export', email: 'mail.export-ready' }

/** Milliseconds until the next one may be asked for. */
const pauseMs = 3_600_000
/** After this time one that is not finished has failed: the process that made it was killed, again and again. */
export const maxRunMs = 6 * 3_600_000
/** How long it can be downloaded. */
export const keptMs = 3 * dayMs

export type ExportEntry = {
  id: number
  state: 'running' | 'failed' | 'ready' | 'expired'
  /** Percent. */
  progress: number
  /** Bytes. */
  size: number | null
  createdAt: string
  expiresAt: string | null
}

type Row = Omit<ExportEntry, 'state'> & { key: FileKey | null; hasFailed: boolean }

/** The coach's latest export; null if there is none. */
export async function findExport(ctx: Ctx): Promise<ExportEntry | null> {
  const row = await findRow(ctx)
  if (!row) return null
  const { key: _, hasFailed: __, ...entry } = row
  return { ...entry, state: getState(ctx, row) }
}

async function findRow(ctx: Ctx): Promise<Row | undefined> {
  const [row] = await ctx.query<Row>({
    name: 'practice-export.latest',
    text: `select id, progress, key, size, ${isoTimestamp('created_at')} as "createdAt",
        ${isoTimestamp('expires_at')} as "expiresAt", failed_at is not null as "hasFailed"
      from practice_export where coach_id = $1 order by id desc limit 1`,
    values: [ctx.coachId],
  })
  return row
}

function getState(ctx: Ctx, { key, createdAt, expiresAt, hasFailed }: Row): ExportEntry['state'] {
  const now = ctx.now().getTime()
  if (hasFailed) return 'failed'
  if (key === null) return now - Date.parse(createdAt) > maxRunMs ? 'failed' : 'running'
  return Date.parse(expiresAt!) <= now ? 'expired' : 'ready'
}

/**
 * Begins to write everything of the practice to a file, and deletes the former one. Throws validation_failed for a
 * wrong password, conflict while one is being made and within an hour of the last one.
 */
export async function requestExport(ctx: Ctx, currentPassword: string, device: Device): Promise<void> {
  authorize(ctx, 'core:export:read')
  await confirmPassword(ctx, currentPassword)
  await ctx.write(async (tx) => {
    const { coachId } = tx
    const now = tx.now()
    // Two requests at the same time must not get past the limit.
    await tx.query({
      name: 'practice-export.lock-account',
      text: 'select id from account where id = $1 for no key update',
      values: [coachId],
    })
    const latest = await findExport(tx)
    if (latest?.state === 'running') throw new AppError('conflict', 'Your export is being made already.')
    const next = latest ? Date.parse(latest.createdAt) + pauseMs : 0
    if (latest?.state !== 'failed' && next > now.getTime())
      throw new AppError(
        'conflict',
        `You can make one export an hour. Try again at ${formatTime(new Date(next), tx.account)}.`,
      )
    await deleteExports(tx)
    const [row] = await tx.query<{ id: number }>({
      name: 'practice-export.insert',
      text: 'insert into practice_export (coach_id, created_at) values ($1, $2) returning id',
      values: [coachId, now],
    })
    await recordSecurityEvent(tx, coachId, { kind: 'export_requested', device, now })
    await tx.enqueue(exportQueues.make, { coachId, id: row!.id })
  })
}

/** Deletes the coach's exports, or those that have expired, and their bytes after the commit. */
export async function deleteExports(
  { query, enqueueAll, coachId }: Pick<WriteCtx, 'query' | 'enqueueAll' | 'coachId'>,
  expiredAt: Date | null = null,
): Promise<void> {
  const rows = await query<{ key: FileKey | null }>({
    name: 'practice-export.delete',
    text: `delete from practice_export where coach_id = $1 and ($2::timestamptz is null or expires_at <= $2)
      returning key`,
    values: [coachId, expiredAt],
  })
  const jobs = rows.flatMap(({ key }) => (key === null ? [] : [{ data: { key } }]))
  if (jobs.length) await enqueueAll(deleteQueue, jobs)
}

/** The file as responses send it. Throws not_found before it is ready, and once it has expired. */
export async function openExport(ctx: Ctx): Promise<FileSource> {
  authorize(ctx, 'core:export:read')
  const row = await findRow(ctx)
  if (!row?.key || getState(ctx, row) !== 'ready') throw new AppError('not_found', 'This export is not there any more.')
  const { id, key, size } = row
  return { size: size!, tag: `export-${id}`, read: (range) => ctx.platform.fileStore.read(key, range) }
}
