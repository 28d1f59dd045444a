import { ApiError } from './calendar-store.ts'

/** What Google accepts of a call: https://developers.google.com/workspace/calendar/api/v3/reference */
type Method = { name: string; scopes: string[]; query: Checks; body?: Checks }
/** Whether a value is allowed. */
type Check = (value: unknown) => boolean
type Checks = Record<string, Check>

const text: Check = (value) => typeof value === 'string'
const bool: Check = (value) => typeof value === 'boolean'
const isAmong =
  (...values: string[]): Check =>
  (value) =>
    values.includes(value as string)
const integer =
  (min: number, max = 2 ** 31 - 1): Check =>
  (value) =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max
const list =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)
const object =
  (checks: Checks): Check =>
  (value) =>
    isObject(value) && Object.entries(value).every(([name, field]) => checks[name]?.(field))
const record: Check = (value) => isObject(value) && Object.values(value).every(text)
const instant: Check = (value) => isDateTime(value) && /(Z|[+-]\d\d:\d\d)$/.test(value as string)

/** In the address everything is text. */
const flag = isAmong('true', 'false')
const number =
  (min: number, max?: number): Check =>
  (value) =>
    /^\d{1,10}$/.test(String(value)) && integer(min, max)(Number(value))

const shared: Checks = {
  alt: isAmong('json'),
  fields: text,
  key: text,
  prettyPrint: flag,
  quotaUser: text,
}
const listing: Checks = {
  alwaysIncludeEmail: flag,
  eventTypes: text,
  iCalUID: text,
  maxAttendees: number(1),
  maxResults: number(1, 2500),
  orderBy: isAmong('startTime', 'updated'),
  pageToken: text,
  privateExtendedProperty: text,
  q: text,
  sharedExtendedProperty: text,
  showDeleted: flag,
  showHiddenInvitations: flag,
  singleEvents: flag,
  syncToken: text,
  timeMax: instant,
  timeMin: instant,
  timeZone: isZone,
  updatedMin: instant,
}
const writing: Checks = {
  conferenceDataVersion: number(0, 1),
  maxAttendees: number(1),
  sendNotifications: flag,
  sendUpdates: isAmong('all', 'externalOnly', 'none'),
  supportsAttachments: flag,
}
const channel: Checks = {
  id: text,
  resourceId: text,
  type: isAmong('web_hook'),
  address: text,
  token: text,
  expiration: text,
  params: record,
}
const event: Checks = {
  id: text,
  summary: text,
  description: text,
  location: text,
  colorId: text,
  start: isTime,
  end: isTime,
  status: isAmong('confirmed', 'tentative', 'cancelled'),
  transparency: isAmong('opaque', 'transparent'),
  visibility: isAmong('default', 'public', 'private', 'confidential'),
  recurrence: list(text),
  sequence: integer(0),
  attendees: list(object({ email: text, displayName: text, responseStatus: text, optional: bool })),
  reminders: object({
    useDefault: bool,
    overrides: list(object({ method: isAmong('email', 'popup'), minutes: integer(0, 40_320) })),
  }),
  extendedProperties: object({ private: record, shared: record }),
  source: object({ url: text, title: text }),
  conferenceData: object({
    createRequest: object({
      requestId: text,
      conferenceSolutionKey: object({ type: isAmong('hangoutsMeet', 'addOn') }),
    }),
  }),
}

const base = 'https://www.googleapis.com/auth/calendar'
const forLists = [base, `${base}.readonly`, `${base}.calendarlist`, `${base}.calendarlist.readonly`]
const forReading = [base, `${base}.readonly`, `${base}.events`, `${base}.events.readonly`]
const forWriting = [base, `${base}.events`]
/** Those that a coach can agree to; any other is refused. */
export const knownScopes = [
  'openid',
  'email',
  'profile',
  ...forLists,
  ...forReading,
  'https://www.googleapis.com/auth/meetings.space.readonly',
]

const methods: { route: RegExp; method: Method }[] = [
  {
    route: /^GET users\/me\/calendarList$/,
    method: {
      name: 'calendarList.list',
      scopes: forLists,
      query: {
        maxResults: number(1, 250),
        minAccessRole: isAmong('freeBusyReader', 'owner', 'reader', 'writer'),
        pageToken: text,
        showDeleted: flag,
        showHidden: flag,
        syncToken: text,
      },
    },
  },
  {
    route: /^GET users\/me\/calendarList\/[^/]+$/,
    method: { name: 'calendarList.get', scopes: forLists, query: {} },
  },
  {
    route: /^POST channels\/stop$/,
    method: { name: 'channels.stop', scopes: [...forLists, ...forReading], query: {}, body: channel },
  },
  {
    route: /^POST calendars\/[^/]+\/events\/watch$/,
    method: { name: 'events.watch', scopes: forReading, query: listing, body: channel },
  },
  {
    route: /^GET calendars\/[^/]+\/events$/,
    method: { name: 'events.list', scopes: forReading, query: listing },
  },
  {
    route: /^GET calendars\/[^/]+\/events\/[^/]+$/,
    method: {
      name: 'events.get',
      scopes: forReading,
      query: { alwaysIncludeEmail: flag, maxAttendees: number(1), timeZone: isZone },
    },
  },
  {
    route: /^POST calendars\/[^/]+\/events$/,
    method: { name: 'events.insert', scopes: forWriting, query: writing, body: event },
  },
  {
    route: /^PATCH calendars\/[^/]+\/events\/[^/]+$/,
    method: {
      name: 'events.patch',
      scopes: forWriting,
      query: { ...writing, alwaysIncludeEmail: flag },
      body: { ...event, start: isTimePatch, end: isTimePatch },
    },
  },
  {
    route: /^DELETE calendars\/[^/]+\/events\/[^/]+$/,
    method: {
      name: 'events.delete',
      scopes: forWriting,
      query: { sendNotifications: flag, sendUpdates: writing.sendUpdates! },
    },
  },
]

/**
 * Throws what Google returns for a call that doesn't exist, to one without its permission, and to a parameter or a
 * field that is unknown or of another type. `path`: after `/calendar/v3/`.
 */
export function checkCall(
  { verb, path, query, body }: { verb: string; path: string; query: URLSearchParams; body: unknown },
  granted: string[],
): void {
  const found = methods.find(({ route }) => route.test(`${verb} ${path}`))?.method
  if (!found) throw new ApiError(404, 'notFound')
  if (!found.scopes.some((scope) => granted.includes(scope))) throw new ApiError(403, 'insufficientPermissions')
  const allowed = { ...shared, ...found.query }
  for (const [name, value] of query) if (!allowed[name]?.(value)) throw new ApiError(400, 'invalidParameter')
  if (found.body ? !object(found.body)(body) : body !== undefined) throw new ApiError(400, 'parseError')
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isZone(value: unknown): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: String(value) }))
  } catch {
    return false
  }
}

function isDateTime(value: unknown): boolean {
  return (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/.test(String(value)) &&
    !Number.isNaN(Date.parse(String(value)))
  )
}

/** Null removes a part of the time. */
function isTimePatch(value: unknown): boolean {
  return isObject(value) && isTime(Object.fromEntries(Object.entries(value).filter(([, part]) => part !== null)))
}

/** A day, or a time with an offset or a zone. */
function isTime(value: unknown): boolean {
  if (!object({ date: text, dateTime: text, timeZone: isZone })(value)) return false
  const { date, dateTime, timeZone } = value as Record<string, string>
  if (date !== undefined) return dateTime === undefined && /^\d{4}-\d\d-\d\d$/.test(date)
  return isDateTime(dateTime) && (instant(dateTime) || timeZone !== undefined)
}
