import { dayMs } from '#app/lib/time.ts'
import { setRecordingState } from '#modules/scheduling/index.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { deleteFiles } from '#tenants/files/files.ts'
import { forEachCoach } from '#tenants/for-each-coach.ts'
import { withTenant, type Platform } from '#tenants/platform.ts'
import { getSettings } from '../services/settings.ts'
import { requestJobDeletion } from './queue.ts'

/** The kind of the files of recordings: the table. */
export const recordingKind = 'session_recording'

/** Deletes the recordings of sessions, here and at Rev.ai. Returns how many there were. */
export async function eraseRecordings(ctx: WriteCtx, appointmentIds: number[]): Promise<number> {
  const rows = await ctx.query<{ id: number; jobId: string | null }>({
    name: 'summaries.erase-recordings',
    text: `delete from session_recording where coach_id = $1 and appointment_id = any($2::bigint[])
      returning id, job_id as "jobId"`,
    values: [ctx.coachId, appointmentIds],
  })
  if (!rows.length) return 0
  await setRecordingState(ctx, appointmentIds, { audioUrl: null })
  await deleteFiles(
    ctx,
    recordingKind,
    rows.map(({ id }) => id),
  )
  await requestJobDeletion(
    ctx,
    rows.flatMap(({ jobId }) => jobId ?? []),
  )
  return rows.length
}

/** Deletes kept recordings of sessions that ended longer ago than their coach keeps them. */
export async function deleteOldRecordings(platform: Platform): Promise<void> {
  await forEachCoach(platform, async ({ id }) => {
    const ctx = await loadCoachContext(platform, id, 'old-recordings')
    const old = ctx ? await listOld(ctx) : []
    if (ctx && old.length) await ctx.write((tx) => eraseRecordings(tx, old))
  })
}

async function listOld(ctx: Ctx): Promise<number[]> {
  const { recordingDays } = await getSettings(ctx)
  const rows = await ctx.query<{ id: number }>({
    name: 'summaries.old-recordings',
    text: `select a.id from session_recording r join appointment a on a.coach_id = $1 and a.id = r.appointment_id
      where r.coach_id = $1 and r.status = 'kept' and a.end_time < $2`,
    values: [ctx.coachId, new Date(ctx.now().getTime() - (recordingDays ?? 0) * dayMs)],
  })
  return rows.map(({ id }) => id)
}

/** Deletes the files whose recordings were deleted with their sessions. */
export async function deleteOrphanedRecordings(platform: Platform): Promise<void> {
  await forEachCoach(platform, async ({ id: coachId }) => {
    await withTenant(platform, coachId, async (tx) => {
      const left = await tx.query<{ id: number }>({
        name: 'summaries.left-recordings',
        text: `select record_id as id from stored_file f where coach_id = $1 and kind = '${recordingKind}'
          and not exists (select 1 from session_recording r where r.coach_id = $1 and r.id = f.record_id)`,
        values: [coachId],
      })
      if (left.length)
        await deleteFiles(
          { ...tx, coachId },
          recordingKind,
          left.map(({ id }) => id),
        )
    })
  })
}
