import { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { id } from '#app/lib/zod-types.ts'
import { getAppointment } from '#modules/scheduling/index.ts'
import { FileAnswer, FileAnswerOut, operation, type Operation } from '#tenants/api/operation.ts'
import type { Ctx } from '#tenants/context.ts'
import { attachmentHeaders } from '#modules/core/attachment-headers.ts'
import { toSafeFileName } from '#tenants/files/file-name.ts'
import { findSource } from '#tenants/files/files.ts'
import { findMinutes } from './minutes.ts'
import { findRecording, RecordingOut, type RecordingRow } from './queries.ts'
import { addRecording, deleteRecording } from './recordings.ts'

const summaries = { tags: ['Session summaries'] }
const byAppointment = { find: (ctx: Ctx, params: { id?: number }) => getAppointment(ctx, params.id!) }

const MinutesOut = z.object({
  included: z.int(),
  used: z.int().describe('Also those of recordings that wait to be sent'),
  left: z.int(),
  resetsAt: z.iso.datetime().nullable(),
})
const NewRecording = z.object({ uploadId: id('Choose a recording') })

/** The recording of a session, until it is a transcript, or as long as the coach keeps it. */
export const recordingOperations: Operation[] = [
  operation({
    ...summaries,
    method: 'get',
    path: '/appointments/{id}/recording',
    summary: 'The recording of a session that has no transcript yet, or that is kept',
    answers: { 200: RecordingOut },
    refusals: [404],
    handle: async (ctx, { params }) => RecordingOut.parse(await requireRecording(ctx, params.id!)),
  }),
  operation({
    ...summaries,
    method: 'get',
    path: '/transcription-minutes',
    summary: 'The minutes of transcription of this month',
    description:
      'Counted when a recording is sent to be transcribed; transcripts cost none. They start again with the month, in the ' +
      'time zone of the coach. Without Rev.ai, or on a plan without transcription: all 0.',
    answers: { 200: MinutesOut },
    handle: async (ctx) => {
      const minutes = await findMinutes(ctx)
      return minutes
        ? { ...minutes, resetsAt: minutes.resetsAt.toISOString() }
        : { included: 0, used: 0, left: 0, resetsAt: null }
    },
  }),
  operation({
    ...summaries,
    method: 'get',
    path: '/appointments/{id}/recording/file',
    summary: 'The sound or video of a session',
    description: 'Also a range of it, as players ask for.',
    answers: { 200: FileAnswerOut, 206: FileAnswerOut, 304: null },
    refusals: [404, 416, 503],
    handle: async (ctx, { params }) => {
      const { fileId, fileName } = await requireRecording(ctx, params.id!)
      const file = await findSource(ctx, fileId)
      return new FileAnswer(file, attachmentHeaders(toSafeFileName(fileName), file.contentType))
    },
  }),
  operation({
    ...summaries,
    method: 'post',
    path: '/appointments/{id}/recording',
    summary: 'Have the recording of a session transcribed',
    description:
      'From a complete upload of audio or video (POST /api/uploads). It is deleted when its transcript is there, unless the coach keeps recordings. Before ' +
      'the session, without consent, or if there is a recording or a transcript already: 409. Without Rev.ai: 503. ' +
      'A refused upload is deleted, but not if it is incomplete or Rev.ai is missing.',
    body: NewRecording,
    answers: { 202: RecordingOut },
    refusals: [403, 409, 503],
    ...byAppointment,
    handle: async (ctx, { params, body }) => RecordingOut.parse(await addRecording(ctx, params.id!, body)),
  }),
  operation({
    ...summaries,
    method: 'delete',
    path: '/appointments/{id}/recording',
    summary: 'Delete the recording of a session permanently',
    answers: { 204: null },
    refusals: [404],
    ...byAppointment,
    handle: (ctx, { params }) => deleteRecording(ctx, params.id!),
  }),
]

async function requireRecording(ctx: Ctx, appointmentId: number): Promise<RecordingRow> {
  const { id } = await getAppointment(ctx, appointmentId)
  const found = await findRecording(ctx, id)
  if (!found) throw new AppError('not_found', 'Recording not found', { subject: 'recording' })
  return found
}
