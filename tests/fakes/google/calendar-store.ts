import { createHash, randomBytes } from 'node:crypto'

/** An error as Google's APIs send it. */
export class ApiError extends Error {
  readonly status: number
  readonly reason: string
  readonly headers: Record<string, string>
  constructor(status: number, reason: string, headers: Record<string, string> = {}) {
    super(reason)
    this.status = status
    this.reason = reason
    this.headers = headers
  }
}

export type Time = { date?: string; dateTime?: string; timeZone?: string }
export type FakeEvent = {
  id: string
  status: 'confirmed' | 'cancelled'
  etag: string
  updated: string
  summary?: string
  start?: Time
  end?: Time
  [field: string]: unknown
}
/** Null removes what the event has. */
type TimePatch = { [Name in keyof Time]: Time[Name] | null }
export type EventPatch = { summary?: string; start?: TimePatch; end?: TimePatch; [field: string]: unknown }
export type EventInput = { summary?: string; start?: Time; end?: Time; [field: string]: unknown }

export type FakeChannel = { id: string; resourceId: string; address: string; token: string; expiration: number }
type ListParams = Record<string, string>

/** Params that a sync token forbids, and those that must be the same as when it was issued. */
const forbiddenWithToken = ['timeMin', 'timeMax', 'updatedMin', 'orderBy', 'q', 'iCalUID', 'privateExtendedProperty']
const boundParams = ['singleEvents', 'showDeleted', 'maxAttendees', 'eventTypes', 'alwaysIncludeEmail']

/** A calendar with a version counter: each change of an event is a new version of the calendar. */
export class CalendarStore {
  readonly id: string
  readonly summary: string
  readonly accessRole: 'owner' | 'writer' | 'reader'
  readonly primary: boolean
  readonly timeZone: string
  readonly canWatch: boolean
  readonly channels = new Map<string, FakeChannel>()
  /** Meet links stay pending until `finishMeetLinks`. */
  delaysMeetLinks = false
  /** Hidden from the list of calendars. */
  hidden = false
  /** Events of a page. */
  pageSize = 2500
  private readonly events = new Map<string, { event: FakeEvent; version: number }>()
  private version = 0
  private oldestToken = 0
  private readonly now: () => Date

  constructor(input: CalendarInput, now: () => Date) {
    this.id = input.id
    this.summary = input.summary ?? input.id
    this.accessRole = input.accessRole ?? 'owner'
    this.primary = input.primary ?? false
    this.timeZone = input.timeZone ?? 'America/New_York'
    this.canWatch = input.canWatch ?? true
    this.now = now
  }

  /** The messages to watching channels; `sync` opens each of them. */
  readonly notifications: { channel: FakeChannel; state: 'sync' | 'exists' }[] = []

  listed() {
    const { id, summary, accessRole, primary, timeZone, hidden } = this
    const flags = { ...(primary ? { primary } : {}), ...(hidden ? { hidden } : {}) }
    return { kind: 'calendar#calendarListEntry', id, summary, accessRole, timeZone, ...flags }
  }

  /** All events that are not deleted. */
  current(): FakeEvent[] {
    return [...this.events.values()].map(({ event }) => event).filter(({ status }) => status !== 'cancelled')
  }

  get(id: string): FakeEvent {
    const found = this.events.get(id)
    if (!found) throw new ApiError(404, 'notFound')
    return found.event
  }

  insert(input: EventInput & { id?: string }): FakeEvent {
    const id = input.id ?? randomBytes(13).toString('hex')
    if (!/^[a-v0-9]{5,1024}$/.test(id)) throw new ApiError(400, 'invalid')
    // Also that of a deleted event.
    if (this.events.has(id)) throw new ApiError(409, 'duplicate')
    checkTimes(input)
    return this.store({ ...input, id, status: 'confirmed', etag: '', updated: '' })
  }

  patch(id: string, input: EventPatch, ifMatch: string | null = null): FakeEvent {
    const before = this.get(id)
    if (ifMatch !== null && ifMatch !== '*' && ifMatch !== before.etag) throw new ApiError(412, 'conditionNotMet')
    if (before.status === 'cancelled') throw new ApiError(410, 'deleted')
    const times = { start: mergeTime(before.start, input.start), end: mergeTime(before.end, input.end) }
    checkTimes(times)
    return this.store({ ...before, ...input, ...times, id })
  }

  delete(id: string, ifMatch: string | null = null): void {
    const before = this.get(id)
    if (ifMatch !== null && ifMatch !== '*' && ifMatch !== before.etag) throw new ApiError(412, 'conditionNotMet')
    if (before.status === 'cancelled') throw new ApiError(410, 'deleted')
    this.store({ ...before, status: 'cancelled' })
  }

  /** A deleted occurrence of a series, as Google stores it. */
  deleteOccurrence(seriesId: string, originalStartTime: Time): FakeEvent {
    return this.store({
      id: `${seriesId}_${(originalStartTime.dateTime ?? originalStartTime.date)!.replaceAll(/[-:]|\..*/g, '')}`,
      status: 'cancelled',
      etag: '',
      updated: '',
      recurringEventId: seriesId,
      originalStartTime,
    })
  }

  /** Removes deleted events, as Google does after a while, and ends all sync tokens. */
  expireSyncTokens(): void {
    this.oldestToken = ++this.version
    for (const [id, { event }] of this.events) if (event.status === 'cancelled') this.events.delete(id)
  }

  list(params: ListParams): object {
    const token = params.syncToken === undefined ? null : this.readToken(params.syncToken, params)
    const isIncluded = ({ event, version }: { event: FakeEvent; version: number }) =>
      token === null ? params.showDeleted === 'true' || event.status !== 'cancelled' : version > token
    const found = [...this.events.values()].filter(isIncluded).sort((a, b) => a.version - b.version)
    const from = Number(params.pageToken ?? 0)
    const size = Math.min(this.pageSize, Number(params.maxResults ?? 250))
    const items = found.slice(from, from + size).map(({ event }) => toListed(event))
    const isLast = from + size >= found.length
    return {
      kind: 'calendar#events',
      timeZone: this.timeZone,
      items,
      ...(isLast ? { nextSyncToken: this.createToken(params) } : { nextPageToken: String(from + size) }),
    }
  }

  watch({ id, type, address, token = '' }: { id?: string; type?: string; address?: string; token?: string }): object {
    if (!this.canWatch) throw new ApiError(400, 'pushNotSupportedForRequestedResource')
    if (!id || type !== 'web_hook' || !address) throw new ApiError(400, 'required')
    if (!address.startsWith('https://')) throw new ApiError(400, 'push.webhookUrlNotHttps')
    if (token.length > 256) throw new ApiError(400, 'invalid')
    if (this.channels.has(id)) throw new ApiError(400, 'channelIdNotUnique')
    const expiration = this.now().getTime() + 7 * 86_400_000
    const channel = { id, address, token, resourceId: randomBytes(8).toString('hex'), expiration }
    this.channels.set(id, channel)
    this.notifications.push({ channel, state: 'sync' })
    return { kind: 'api#channel', id, resourceId: channel.resourceId, token, expiration: String(expiration) }
  }

  finishMeetLinks(): void {
    for (const { event } of this.events.values())
      if (isPendingMeet(event)) this.store({ ...event, ...meetLink(event.id) })
  }

  private store(event: FakeEvent): FakeEvent {
    const version = ++this.version
    const { conferenceData, ...rest } = event
    const request = (conferenceData as { createRequest?: object } | undefined)?.createRequest
    const meet =
      request && !event.hangoutLink
        ? this.delaysMeetLinks
          ? { conferenceData }
          : meetLink(event.id)
        : { conferenceData }
    const stored = { ...rest, ...(request ? meet : conferenceData ? { conferenceData } : {}) } as FakeEvent
    stored.etag = `"${version}"`
    stored.updated = this.now().toISOString()
    this.events.set(event.id, { event: stored, version })
    for (const channel of this.channels.values())
      if (channel.expiration > this.now().getTime()) this.notifications.push({ channel, state: 'exists' })
    return stored
  }

  private createToken(params: ListParams): string {
    return Buffer.from(JSON.stringify([this.id, this.version, hashParams(params)])).toString('base64url')
  }

  private readToken(token: string, params: ListParams): number {
    if (forbiddenWithToken.some((name) => params[name] !== undefined)) throw new ApiError(400, 'invalid')
    let values: unknown[]
    try {
      values = JSON.parse(Buffer.from(token, 'base64url').toString())
    } catch {
      throw new ApiError(400, 'invalid')
    }
    const [calendar, version, hash] = values
    if (calendar !== this.id || hash !== hashParams(params)) throw new ApiError(400, 'invalid')
    if (Number(version) < this.oldestToken) throw new ApiError(410, 'fullSyncRequired')
    return Number(version)
  }
}

export type CalendarInput = {
  id: string
  summary?: string
  accessRole?: 'owner' | 'writer' | 'reader'
  primary?: boolean
  timeZone?: string
  canWatch?: boolean
}

const hashParams = (params: ListParams): string =>
  createHash('sha256')
    .update(JSON.stringify(boundParams.map((name) => params[name] ?? null)))
    .digest('hex')

/** A deleted event has little but its id. */
function toListed(event: FakeEvent): object {
  if (event.status !== 'cancelled') return { kind: 'calendar#event', ...event }
  const { id, status, etag, recurringEventId, originalStartTime } = event
  return {
    kind: 'calendar#event',
    id,
    status,
    etag,
    ...(recurringEventId ? { recurringEventId, originalStartTime } : {}),
  }
}

const mergeTime = (before: Time = {}, change: TimePatch = {}): Time =>
  Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== null))

function checkTimes({ start, end }: EventInput): void {
  if ([start, end].some((time) => time?.date && time.dateTime)) throw new ApiError(400, 'invalid')
  const toNumber = (time: Time | undefined) => Date.parse(time?.dateTime ?? time?.date ?? '')
  if (Number.isNaN(toNumber(start)) || Number.isNaN(toNumber(end))) throw new ApiError(400, 'required')
  if (toNumber(end) < toNumber(start)) throw new ApiError(400, 'timeRangeEmpty')
}

const isPendingMeet = ({ hangoutLink, conferenceData }: FakeEvent): boolean =>
  !hangoutLink && (conferenceData as { createRequest?: object } | undefined)?.createRequest !== undefined

const meetLink = (id: string) => {
  const letters = id.replaceAll(/[^a-z]/g, '').padEnd(10, 'x')
  const hangoutLink = `https://meet.google.com/${letters.slice(0, 3)}-${letters.slice(3, 7)}-${letters.slice(7, 10)}`
  return { hangoutLink, conferenceData: { entryPoints: [{ entryPointType: 'video', uri: hangoutLink }] } }
}
