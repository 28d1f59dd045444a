import type { Ctx, WriteCtx } from '#tenants/context.ts'
import type { TenantTransaction } from '#tenants/platform.ts'

/** Jobs hold ids alone. */
export const queues = {
  transcribe: 'summaries.transcribe',
  collect: 'summaries.collect',
  deleteJob: 'summaries.forget-recording',
  deleteUpload: 'summaries.drop-upload',
} as const

type Enqueue = Pick<TenantTransaction, 'enqueue'> & { coachId: number }

/** One recording after the other for each coach: an upload may take an hour. */
export const requestTranscription = ({ enqueue, coachId }: Enqueue, recordingId: number): Promise<unknown> =>
  enqueue(queues.transcribe, { coachId, recordingId }, { group: { id: String(coachId) } })

export const requestResult = ({ enqueue, coachId }: Enqueue, recordingId: number): Promise<unknown> =>
  enqueue(queues.collect, { coachId, recordingId }, { group: { id: String(coachId) } })

/** Has a refused upload deleted, also though the transaction is rolled back: not in it. */
export const requestUploadDeletion = ({ platform, coachId }: Ctx, uploadId: number): Promise<unknown> =>
  platform.boss.send(queues.deleteUpload, { coachId, uploadId })

/** Has jobs deleted at Rev.ai, with the recording and the transcript that it holds. */
export async function requestJobDeletion(
  { enqueueAll }: Pick<WriteCtx, 'enqueueAll'>,
  jobIds: string[],
): Promise<void> {
  if (jobIds.length)
    await enqueueAll(
      queues.deleteJob,
      jobIds.map((jobId) => ({ data: { jobId } })),
    )
}
