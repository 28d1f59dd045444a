import { AppError } from '#app/lib/errors.ts'
import { assertNotReadOnly } from '#modules/crm/index.ts'
import type { RecordingContent } from '#modules/core/manifest.ts'
import { lockAppointment } from '#modules/scheduling/index.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { keepFile, withContent, type StoredContent } from '#tenants/files/files.ts'
import type { Platform } from '#tenants/platform.ts'
import { findTranscript } from '../queries/transcripts.ts'
import { recordingKind } from '../recordings/erase.ts'
import { findRecording } from '../recordings/queries.ts'
import { insertRecording, setKept } from '../recordings/recordings.ts'
import { requireConsent } from '../services/consents.ts'
import { getSettings } from '../services/settings.ts'
import { listConnectedSources } from './sources.ts'

export const keepSoundQueue = 'summaries.keep-sound'

type Data = { coachId: number; appointmentId: number }

/** Has the sound fetched of a session whose transcript was found, if the coach keeps recordings. */
export async function requestSound(ctx: WriteCtx, appointmentId: number): Promise<void> {
  if ((await getSettings(ctx)).recordingDays !== null)
    await ctx.enqueue(keepSoundQueue, { coachId: ctx.coachId, appointmentId }, { group: { id: String(ctx.coachId) } })
}

/**
 * Keeps the sound of a session that has a transcript from elsewhere, to listen to. Idempotent. Throws upstream_failed
 * while it isn't ready.
 */
export async function keepFoundSound(platform: Platform, { coachId, appointmentId }: Data): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, `sound-${appointmentId}`)
  if (!ctx || !(await shouldKeepSound(ctx, appointmentId))) return
  const sound = await openSound(ctx, appointmentId)
  if (!sound) return
  const { content, fileName, size } = sound
  try {
    await withContent(ctx, content, {}, async (tx, stored) => {
      if (size !== null && stored.size !== size) throw new AppError('upstream_failed', 'The recording is incomplete.')
      await keep(tx, appointmentId, { fileName, stored })
    })
  } catch (error) {
    content.destroy()
    // The session or its consent has ended in the meantime, or the storage is full.
    if (error instanceof AppError && error.status < 500) return
    throw error
  }
}

async function shouldKeepSound(ctx: Ctx, appointmentId: number): Promise<boolean> {
  const [{ recordingDays }, transcript, recording] = await Promise.all([
    getSettings(ctx),
    findTranscript(ctx, appointmentId),
    findRecording(ctx, appointmentId),
  ])
  return recordingDays !== null && transcript !== null && recording === null
}

async function openSound(
  ctx: Ctx,
  appointmentId: number,
): Promise<Extract<RecordingContent, { kind: 'sound' }> | null> {
  const [found] = await ctx.query<{ source: string; sourceId: string }>({
    name: 'summaries.found-recording',
    text: `select source, source_id as "sourceId" from recording_search
      where coach_id = $1 and appointment_id = $2 and source_id is not null`,
    values: [ctx.coachId, appointmentId],
  })
  const source = found && (await listConnectedSources(ctx)).find(({ name }) => name === found.source)
  if (!source || source.withoutSound) return null
  const opened = await source.open(ctx, found.sourceId, { acceptsSound: true, acceptsTranscript: false })
  if (!opened) throw new AppError('upstream_failed', 'The recording is not ready yet.')
  return opened.kind === 'sound' ? opened : null
}

async function keep(
  ctx: WriteCtx,
  appointmentId: number,
  { fileName, stored }: { fileName: string; stored: StoredContent },
): Promise<void> {
  const { client } = await lockAppointment(ctx, appointmentId)
  if (client) await assertNotReadOnly(ctx, client.id)
  await requireConsent(ctx, { id: appointmentId, clientId: client?.id ?? null })
  if (!(await shouldKeepSound(ctx, appointmentId))) throw new AppError('conflict', 'This recording is no longer kept.')
  const id = await insertRecording(ctx, appointmentId, async (recordId) => {
    const fileId = await keepFile(ctx, stored, { kind: recordingKind, recordId })
    return { fileId, name: fileName, size: stored.size }
  })
  await setKept(ctx, { id, appointmentId })
}
