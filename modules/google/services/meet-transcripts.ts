import type { z } from 'zod'
import type { FoundRecording, RecordedSession, RecordingContent, RecordingSource } from '#modules/core/manifest.ts'
import { isSamePerson, overlapsMostly } from '#modules/core/recording-match.ts'
import type { Ctx } from '#tenants/context.ts'
import { findConnection } from '../queries/connection.ts'
import {
  Conference,
  ConferencesResponse,
  EntriesResponse,
  MeetParticipantsResponse,
  TranscriptsResponse,
} from '../vendor/meet-responses.ts'
import { callMeet } from './call.ts'
import { recordMeet } from './meet-connection.ts'

/** Meetings that begin so long before or after a session are not shown to the coach. */
const nearMs = 3 * 3_600_000
/** Meetings of one session whose participants are asked for, and the pages of one list. */
const maxAsked = 5
const maxPages = 200
const pageSize = '100'

declare module '#modules/core/manifest.ts' {
  interface RecordingSourceNames {
    meet: true
  }
}
const limits = 'Google makes transcripts for organizers in paid Workspace editions alone, and keeps them for 30 days.'

/** The transcripts of Google Meet. */
export const meetTranscripts: RecordingSource = {
  name: 'meet',
  label: 'Google Meet',
  withoutSound: `Google Meet has no transcript of this session yet. ${limits}`,
  limits,
  isConnected: async (ctx) => {
    if (!ctx.platform.config.google) return false
    const connection = await findConnection(ctx)
    return connection !== null && connection.readsMeet && connection.state !== 'needs_reconnect'
  },
  find: (ctx, session) => recordMeet(ctx, () => findMeetings(ctx, session)),
  open: (ctx, id) => recordMeet(ctx, () => openTranscript(ctx, id)),
}

/** The code of a meeting in its address, such as https://meet.google.com/abc-defg-hij; null for others. */
export function readMeetingCode(address: string | null): string | null {
  const url = address === null ? null : URL.parse(address)
  if (url?.hostname !== 'meet.google.com') return null
  return /^\/([a-z]{3}-[a-z]{4}-[a-z]{3})(?:\/|$)/.exec(url.pathname)?.[1] ?? null
}

async function findMeetings(ctx: Ctx, session: RecordedSession): Promise<FoundRecording[]> {
  const { startTime, endTime, meetingUrl } = session
  const toTime = (time: number) => new Date(time).toISOString()
  const [from, to] = [toTime(startTime.getTime() - nearMs), toTime(endTime.getTime() + nearMs)]
  const isNear = `start_time>="${from}" AND start_time<="${to}"`
  const code = readMeetingCode(meetingUrl)
  const ofMeeting = code === null ? [] : await listConferences(ctx, `space.meeting_code="${code}" AND ${isNear}`)
  const found: FoundRecording[] = []
  let asked = 0
  for (const conference of await listConferences(ctx, isNear)) {
    const times = { startTime: new Date(conference.startTime), endTime: new Date(conference.endTime ?? ctx.now()) }
    const isThen = overlapsMostly(times, session)
    const isMeeting = isThen && ofMeeting.some(({ name }) => name === conference.name)
    const isAttended = isThen && !isMeeting && asked++ < maxAsked && (await tookPart(ctx, conference, session))
    found.push({
      id: conference.name,
      title: 'Google Meet',
      ...times,
      evidence: isMeeting ? 'meeting' : isAttended ? 'attendee' : 'time',
    })
  }
  return found
}

const listConferences = async (ctx: Ctx, filter: string): Promise<Conference[]> =>
  (await listPages(ctx, ConferencesResponse, 'conferenceRecords', { filter })).flatMap((page) => page.conferenceRecords)

/** Whether the attendee was in the meeting. The names of others are not kept. */
async function tookPart(ctx: Ctx, { name }: Conference, { attendee }: RecordedSession): Promise<boolean> {
  const names = await listNames(ctx, name)
  return [...names.values()].some((participant) => isSamePerson(attendee, { name: participant, email: null }))
}

/** The names of those who took part, by Google's id. */
async function listNames(ctx: Ctx, conference: string): Promise<Map<string, string>> {
  const pages = await listPages(ctx, MeetParticipantsResponse, `${conference}/participants`)
  return new Map(
    pages
      .flatMap(({ participants }) => participants)
      .map(({ name, signedinUser, anonymousUser, phoneUser }) => [
        name,
        (signedinUser ?? anonymousUser ?? phoneUser)?.displayName ?? '',
      ]),
  )
}

async function openTranscript(ctx: Ctx, id: string): Promise<RecordingContent | null> {
  if (!/^conferenceRecords\/[\w-]+$/.test(id)) return null
  const conference = Conference.parse(await callMeet(ctx, id))
  const transcripts = (await listPages(ctx, TranscriptsResponse, `${id}/transcripts`)).flatMap(
    (page) => page.transcripts,
  )
  if (!transcripts.length || transcripts.some(({ state }) => state !== 'FILE_GENERATED')) return null
  const names = await listNames(ctx, id)
  const start = Date.parse(conference.startTime)
  const cues: string[] = []
  for (const { name } of transcripts)
    for (const { transcriptEntries } of await listPages(ctx, EntriesResponse, `${name}/entries`))
      for (const { participant, text, startTime, endTime } of transcriptEntries) {
        const times = [startTime, endTime].map((time) => formatTime(Date.parse(time) - start))
        cues.push(`${times.join(' --> ')}\n<v ${escape(names.get(participant) ?? '')}>${escape(text)}`)
      }
  return { kind: 'transcript', fileName: 'Google Meet.vtt', text: ['WEBVTT', ...cues].join('\n\n') }
}

const escape = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** As '00:00:05.000'. */
const formatTime = (ms: number): string => {
  const hours = Math.floor(Math.max(ms, 0) / 3_600_000)
  return `${String(hours).padStart(2, '0')}:${new Date(Math.max(ms, 0) % 3_600_000).toISOString().slice(14, 23)}`
}

type Paged = { nextPageToken?: string | undefined }

async function listPages<Schema extends z.ZodType<Paged>>(
  ctx: Ctx,
  schema: Schema,
  path: string,
  params: Record<string, string> = {},
): Promise<z.output<Schema>[]> {
  const pages: z.output<Schema>[] = []
  const query = new URLSearchParams({ pageSize, ...params })
  while (pages.length < maxPages) {
    const page = schema.parse(await callMeet(ctx, `${path}?${query}`))
    pages.push(page)
    if (!page.nextPageToken) break
    query.set('pageToken', page.nextPageToken)
  }
  return pages
}
