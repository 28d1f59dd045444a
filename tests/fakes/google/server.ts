import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ApiError, CalendarStore, type CalendarInput, type EventInput } from './calendar-store.ts'
import { checkCall } from './calendar-methods.ts'
import { MeetStore } from './meet-store.ts'
import { OAuthError, OAuthServer, type Client } from './oauth.ts'

export type Failure = number | 'quota' | 'garbage' | 'nothing' | 'silence'

export type FakeGoogle = {
  url: string
  client: Client
  oauth: OAuthServer
  /** Environment variables with which the product uses this server. */
  env: Record<string, string>
  /** The calendars of an account: a primary one, one that may only be read, and another one. */
  account(email: string): Map<string, CalendarStore>
  meet: MeetStore
  /** Fails the next `times` requests whose method and path match. */
  fail(path: RegExp, failure: Failure, times?: number): void
  stopFailing(): void
  /** 'GET /calendar/v3/…' of each request. */
  requests: string[]
  close(): Promise<void>
}

/** A server that rejects what Google rejects. `now`: its clock. */
export async function startFakeGoogle({ now = () => new Date(), port = 0 } = {}): Promise<FakeGoogle> {
  const client = { clientId: 'practice.apps.googleusercontent.com', clientSecret: 'GOCSPX-for-tests-only' }
  const oauth = new OAuthServer(client, now)
  const accounts = new Map<string, Map<string, CalendarStore>>()
  const meet = new MeetStore()
  const failures: { path: RegExp; failure: Failure; times: number }[] = []
  const requests: string[] = []

  const account = (email: string): Map<string, CalendarStore> => {
    const known = accounts.get(email)
    if (known) return known
    const inputs: CalendarInput[] = [
      { id: email, summary: email, primary: true },
      { id: 'family@group.calendar.google.com', summary: 'Family' },
      { id: 'holidays@group.v.calendar.google.com', summary: 'Holidays', accessRole: 'reader', canWatch: false },
    ]
    const calendars = new Map(inputs.map((input) => [input.id, new CalendarStore(input, now)]))
    accounts.set(email, calendars)
    return calendars
  }

  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => sendError(response, error))
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const name = `${request.method} ${url.pathname}`
    requests.push(name)
    const body = await readBody(request)
    const failing = failures.find(({ path, times }) => times > 0 && path.test(name))
    if (failing) {
      failing.times -= 1
      return fail(failing.failure, response)
    }
    if (url.pathname === '/auth') return answerConsent(request, response, url, body)
    if (url.pathname === '/token') return sendJson(response, 200, oauth.token(new URLSearchParams(body)))
    if (url.pathname === '/revoke') {
      oauth.revoke(url.searchParams.get('token') ?? new URLSearchParams(body).get('token') ?? '')
      return sendJson(response, 200, {})
    }
    const grant = oauth.findGrant(request.headers.authorization)
    if (!grant) throw new ApiError(401, 'authError')
    if (url.pathname.startsWith('/v2/')) return sendJson(response, 200, meet.call(grant, request.method ?? '', url))
    const sent = readJson(body)
    const call = {
      verb: request.method ?? '',
      path: url.pathname.slice(api.length + 1),
      query: url.searchParams,
      body: sent,
    }
    checkCall(call, grant.scopes)
    const result = callApi(account(grant.email), request, url, (sent ?? {}) as EventBody)
    return result === null ? void response.writeHead(204).end() : sendJson(response, 200, result)
  }

  function answerConsent(request: IncomingMessage, response: ServerResponse, url: URL, body: string): void {
    const params = url.searchParams
    const problem = oauth.checkRequest(params)
    if (problem)
      return void response.writeHead(400, { 'Content-Type': 'text/html' }).end(`<p>Error 400: ${problem}</p>`)
    if (request.method !== 'POST')
      return void response.writeHead(200, { 'Content-Type': 'text/html' }).end(consentPage(params))
    const form = new URLSearchParams(body)
    const to =
      form.get('answer') === 'allow'
        ? oauth.agree(params, { email: form.get('email')!, scopes: form.getAll('scope') })
        : oauth.deny(params)
    response.writeHead(302, { Location: to }).end()
  }

  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    client,
    oauth,
    account,
    meet,
    requests,
    env: { GOOGLE_CLIENT_ID: client.clientId, GOOGLE_CLIENT_SECRET: client.clientSecret, GOOGLE_BASE_URL: url },
    fail: (path, failure, times = Number.POSITIVE_INFINITY) => void failures.push({ path, failure, times }),
    stopFailing: () => void failures.splice(0),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const api = '/calendar/v3'
const eventPath = new RegExp(`^${api}/calendars/([^/]+)/events(?:/([^/]+))?$`)

type EventBody = EventInput & { id?: string; type?: string; address?: string; token?: string }

/** Undefined for none. */
function readJson(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError(400, 'parseError')
  }
}

/** Returns the response's body, null for none. */
function callApi(
  calendars: Map<string, CalendarStore>,
  request: IncomingMessage,
  url: URL,
  body: EventBody,
): object | null {
  const params = Object.fromEntries(url.searchParams)
  const listed = new RegExp(`^${api}/users/me/calendarList(?:/([^/]+))?$`).exec(url.pathname)
  if (listed?.[1]) return getCalendar(calendars, listed[1]).listed()
  if (listed) {
    const shown = [...calendars.values()].filter(({ hidden }) => !hidden || params.showHidden === 'true')
    return { kind: 'calendar#calendarList', items: shown.map((one) => one.listed()) }
  }
  if (url.pathname === `${api}/channels/stop`) return stopChannel(calendars, String(body.id))
  const [, calendarId, eventId] = eventPath.exec(url.pathname) ?? []
  if (!calendarId) throw new ApiError(404, 'notFound')
  const calendar = getCalendar(calendars, calendarId)
  const ifMatch = request.headers['if-match'] ?? null
  if (request.method === 'POST' && eventId === 'watch') return calendar.watch(body)
  if (request.method === 'GET') return eventId ? calendar.get(decodeURIComponent(eventId)) : calendar.list(params)
  if (calendar.accessRole === 'reader') throw new ApiError(403, 'requiredAccessLevel')
  if (body.conferenceData && params.conferenceDataVersion !== '1') delete body.conferenceData
  if (request.method === 'POST' && !eventId) return calendar.insert(body)
  if (request.method === 'PATCH' && eventId) return calendar.patch(decodeURIComponent(eventId), body, ifMatch)
  if (request.method === 'DELETE' && eventId) return calendar.delete(decodeURIComponent(eventId), ifMatch), null
  throw new ApiError(405, 'httpMethodNotAllowed')
}

function getCalendar(calendars: Map<string, CalendarStore>, encodedId: string): CalendarStore {
  const calendar = calendars.get(decodeURIComponent(encodedId))
  if (!calendar) throw new ApiError(404, 'notFound')
  return calendar
}

function stopChannel(calendars: Map<string, CalendarStore>, id: string): null {
  for (const calendar of calendars.values()) if (calendar.channels.delete(id)) return null
  throw new ApiError(404, 'channelUnknown')
}

function fail(failure: Failure, response: ServerResponse): void {
  if (failure === 'silence') return
  if (failure === 'nothing') return void response.destroy()
  if (failure === 'garbage')
    return void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><p>Sign in to the Wi-Fi')
  if (failure === 'quota') throw new ApiError(403, 'rateLimitExceeded')
  throw new ApiError(failure, reasons[failure] ?? 'backendError', failure === 429 ? { 'Retry-After': '600' } : {})
}

const reasons: Record<number, string> = {
  400: 'invalid',
  401: 'authError',
  403: 'forbidden',
  404: 'notFound',
  410: 'fullSyncRequired',
  412: 'conditionNotMet',
  429: 'rateLimitExceeded',
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function sendJson(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response
    .writeHead(status, { 'Content-Type': 'application/json; charset=UTF-8', ...headers })
    .end(JSON.stringify(body))
}

function sendError(response: ServerResponse, error: unknown): void {
  if (error instanceof OAuthError) return sendJson(response, error.status, { error: error.message })
  if (!(error instanceof ApiError)) return sendJson(response, 500, { error: { code: 500, message: String(error) } })
  const { status, reason, headers } = error
  const body = { error: { code: status, message: reason, errors: [{ domain: 'global', reason, message: reason }] } }
  sendJson(response, status, body, headers)
}

/** The page on which a coach chooses an account and ticks what the product may do. */
function consentPage(params: URLSearchParams): string {
  const boxes = params
    .get('scope')!
    .split(' ')
    .map((scope) => `<label><input type="checkbox" name="scope" value="${scope}" checked> ${scope}</label><br>`)
  return `<!doctype html><html lang="en"><title>Sign in with Google</title><form method="post">
<h1>Choose an account</h1><label>Email <input name="email" value="coach@gmail.com"></label><br>${boxes.join('')}
<button name="answer" value="allow">Allow</button> <button name="answer" value="deny">Cancel</button></form></html>`
}
