import { AppError } from '#app/lib/errors.ts'
import { dayMs } from '#app/lib/time.ts'
import type { FoundRecording, RecordedSession, RecordingContent, RecordingSource } from '#modules/core/manifest.ts'
import { isSamePerson, overlapsMostly } from '#modules/core/recording-match.ts'
import type { Ctx } from '#tenants/context.ts'
import { findConnection } from '../queries/connection.ts'
import { describeError } from '../status.ts'
import { download, downloadText, encodeUuid, type ZoomApi } from '../vendor/client.ts'
import { ZoomError } from '../vendor/errors.ts'
import {
  ParticipantsResponse,
  RecordingResponse,
  RecordingsResponse,
  type Recording,
  type RecordingFile,
} from '../vendor/responses.ts'
import { callZoom } from './call.ts'

/** Recordings that begin so long before or after a session are not shown to the coach. */
const nearMs = 3 * 3_600_000
/** Pages of recordings and of participants that are read. */
const maxPages = 10
/** Meetings of one session whose participants are asked for. */
const maxAsked = 5

declare module '#modules/core/manifest.ts' {
  interface RecordingSourceNames {
    zoom: true
  }
}

/** The recordings of Zoom's cloud. */
export const zoomRecordings: RecordingSource = {
  name: 'zoom',
  label: 'Zoom',
  isConnected: async (ctx) => {
    if (!ctx.platform.config.zoom) return false
    const connection = await findConnection(ctx)
    return connection !== null && connection.state !== 'needs_reconnect'
  },
  find: (ctx, session) => forCoach(() => callZoom(ctx, (api) => findRecordings(api, session))),
  open: (ctx, id, options) => forCoach(() => openRecording(ctx, id, options)),
}

/** The number of a meeting in its address, such as https://us02web.zoom.us/j/86512345678?pwd=…; null for others. */
export function readMeetingNumber(address: string | null): string | null {
  const url = address === null ? null : URL.parse(address)
  if (!url || !/(?:^|\.)zoom\.us$/.test(url.hostname)) return null
  return /^\/(?:[jsw]|wc)\/(?:join\/)?(\d{9,12})(?:\/|$)/.exec(url.pathname)?.[1] ?? null
}

async function findRecordings(api: ZoomApi, session: RecordedSession): Promise<FoundRecording[]> {
  const number = readMeetingNumber(session.meetingUrl)
  const found: FoundRecording[] = []
  let asked = 0
  for (const recording of await listNear(api, session)) {
    const times = toTimes(recording)
    const isThen = overlapsMostly(times, session)
    const isMeeting = isThen && recording.id === number
    const isAttended = isThen && !isMeeting && asked++ < maxAsked && (await tookPart(api, recording, session))
    found.push({
      id: recording.uuid,
      title: recording.topic || 'Zoom meeting',
      ...times,
      evidence: isMeeting ? 'meeting' : isAttended ? 'attendee' : 'time',
    })
  }
  return found
}

function toTimes({ start_time, duration }: Recording) {
  const startTime = new Date(start_time)
  return { startTime, endTime: new Date(startTime.getTime() + Math.max(duration, 1) * 60_000) }
}

async function listNear(api: ZoomApi, { startTime, endTime }: RecordedSession): Promise<Recording[]> {
  const toDate = (time: number) => new Date(time).toISOString().slice(0, 10)
  const query = new URLSearchParams({
    from: toDate(startTime.getTime() - dayMs),
    to: toDate(endTime.getTime() + dayMs),
    page_size: '300',
  })
  const listed: Recording[] = []
  for (let page = 0, next = ''; page < maxPages; page++) {
    if (next) query.set('next_page_token', next)
    const response = await api.get(RecordingsResponse, `/users/me/recordings?${query}`)
    listed.push(...response.meetings.flatMap((meeting) => meeting ?? []))
    next = response.next_page_token
    if (!next) break
  }
  return listed.filter((recording) => {
    const times = toTimes(recording)
    return (
      times.endTime.getTime() > startTime.getTime() - nearMs && times.startTime.getTime() < endTime.getTime() + nearMs
    )
  })
}

/** Whether the attendee was in the meeting. What it says of others is not kept. */
async function tookPart(api: ZoomApi, { uuid }: Recording, { attendee }: RecordedSession): Promise<boolean> {
  const query = new URLSearchParams({ page_size: '300' })
  for (let page = 0; page < maxPages; page++) {
    const response = await api
      .get(ParticipantsResponse, `/past_meetings/${encodeUuid(uuid)}/participants?${query}`)
      // Zoom keeps participants for a while, and has none of some meetings: the coach is asked.
      .catch((error: unknown) => {
        if (error instanceof ZoomError && (error.kind === 'not_found' || error.kind === 'refused')) return null
        throw error
      })
    if (!response) return false
    if (
      response.participants.some(
        (one) => one && isSamePerson(attendee, { name: one.name, email: one.user_email ?? null }),
      )
    )
      return true
    if (!response.next_page_token) return false
    query.set('next_page_token', response.next_page_token)
  }
  return false
}

const isTranscript = ({ file_type }: RecordingFile): boolean => file_type === 'TRANSCRIPT'
const isSound = ({ file_type, recording_type }: RecordingFile): boolean =>
  file_type === 'M4A' && recording_type === 'audio_only'

async function openRecording(
  ctx: Ctx,
  uuid: string,
  { acceptsSound, acceptsTranscript = true }: { acceptsSound: boolean; acceptsTranscript?: boolean },
): Promise<RecordingContent | null> {
  const query = 'include_fields=download_access_token&ttl=3600'
  const recording = await callZoom(ctx, (api) =>
    api.get(RecordingResponse, `/meetings/${encodeUuid(uuid)}/recordings?${query}`),
  ).catch((error: unknown) => {
    if (error instanceof ZoomError && error.kind === 'not_found') return null
    throw error
  })
  const files = (recording?.recording_files ?? []).flatMap((file) => file ?? [])
  const token = recording?.download_access_token
  if (!recording || !token) return null
  const { config } = ctx.platform
  const transcript = acceptsTranscript ? files.find(isTranscript) : undefined
  if (transcript?.status === 'completed') {
    const text = await downloadText(config, transcript.download_url, token)
    return { kind: 'transcript', fileName: `${recording.topic || 'Zoom meeting'}.vtt`.slice(-255), text }
  }
  // A transcript that is being made is waited for.
  const sound =
    transcript || !acceptsSound ? undefined : files.find((file) => isSound(file) && file.status === 'completed')
  if (!sound) return null
  return {
    kind: 'sound',
    fileName: `${recording.topic || 'Zoom meeting'}.m4a`.slice(-255),
    content: await download(config, sound.download_url, token),
    size: sound.file_size ?? null,
  }
}

/** Throws upstream_failed with a message for the coach. */
async function forCoach<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ZoomError)) throw error
    throw new AppError(
      'upstream_failed',
      error.kind === 'revoked'
        ? 'Zoom has ended the connection. Connect again in Settings.'
        : describeError(error.code),
    )
  }
}
