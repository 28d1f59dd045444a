import { ApiError } from './calendar-store.ts'

export type FakeMeeting = {
  /** The account of the organizer. */
  email: string
  id: string
  code: string
  startTime: Date
  endTime: Date
  participants: string[]
  /** Null: none was made. `ENDED`: it is being made. */
  transcript: 'ENDED' | { participant: number; text: string; atSeconds: number }[] | null
}

const scope = 'https://www.googleapis.com/auth/meetings.space.readonly'

/** The Meet API, as strict as Google. */
export class MeetStore {
  readonly meetings: FakeMeeting[] = []

  call(
    { email, scopes }: { email: string; scopes: string[] },
    method: string,
    { pathname, searchParams }: URL,
  ): object {
    if (!scopes.includes(scope)) throw new ApiError(403, 'insufficientPermissions')
    if (method !== 'GET') throw new ApiError(405, 'httpMethodNotAllowed')
    const own = this.meetings.filter((meeting) => meeting.email === email)
    if (pathname === '/v2/conferenceRecords')
      return page(
        own.filter(toFilter(searchParams.get('filter') ?? '')).map(toRecord),
        'conferenceRecords',
        searchParams,
      )
    const [, id, part, entries] =
      /^\/v2\/conferenceRecords\/([\w-]+)(?:\/(participants|transcripts)(?:\/1\/(entries))?)?$/.exec(pathname) ?? []
    const meeting = own.find((one) => one.id === id)
    if (!meeting) throw new ApiError(404, 'notFound')
    const name = `conferenceRecords/${meeting.id}`
    const { transcript, participants, startTime } = meeting
    if (!part) return toRecord(meeting)
    if (part === 'participants')
      return page(
        participants.map((displayName, index) => ({
          name: `${name}/participants/${index}`,
          signedinUser: { displayName },
        })),
        'participants',
        searchParams,
      )
    const state = transcript === 'ENDED' ? 'ENDED' : 'FILE_GENERATED'
    if (!entries)
      return page(transcript === null ? [] : [{ name: `${name}/transcripts/1`, state }], 'transcripts', searchParams)
    if (!Array.isArray(transcript)) throw new ApiError(404, 'notFound')
    const toTime = (seconds: number) => new Date(startTime.getTime() + seconds * 1000).toISOString()
    const listed = transcript.map(({ participant, text, atSeconds }, index) => ({
      name: `${name}/transcripts/1/entries/${index}`,
      participant: `${name}/participants/${participant}`,
      text,
      languageCode: 'en-US',
      startTime: toTime(atSeconds),
      endTime: toTime(atSeconds + 4),
    }))
    return page(listed, 'transcriptEntries', searchParams)
  }
}

const toRecord = ({ id, startTime, endTime, code }: FakeMeeting): object => ({
  name: `conferenceRecords/${id}`,
  startTime: startTime.toISOString(),
  endTime: endTime.toISOString(),
  space: `spaces/${code}`,
})

function page(items: object[], name: string, params: URLSearchParams): object {
  const size = Number(params.get('pageSize') ?? 25)
  if (!(size >= 1 && size <= 100)) throw new ApiError(400, 'invalid')
  const from = Number(params.get('pageToken') ?? 0)
  const next = from + size < items.length ? { nextPageToken: String(from + size) } : {}
  // Google leaves an empty list out.
  return { ...(items.length ? { [name]: items.slice(from, from + size) } : {}), ...next }
}

/** Such as `space.meeting_code="abc-defg-hij" AND start_time>="2026-03-10T14:00:00Z"`. */
function toFilter(filter: string): (meeting: FakeMeeting) => boolean {
  const terms = filter.split(' AND ').map((term) => /^([\w.]+)(=|>=|<=)"([^"]+)"$/.exec(term))
  return ({ code, startTime }) =>
    terms.every((term) => {
      const [, field, operator, value = ''] = term ?? []
      if (field === 'space.meeting_code' && operator === '=') return code === value
      const time = Date.parse(value)
      if (field !== 'start_time' || operator === '=' || Number.isNaN(time)) throw new ApiError(400, 'invalid')
      return operator === '>=' ? startTime.getTime() >= time : startTime.getTime() <= time
    })
}
