import { createHash, createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** `stops`: the body ends before it is complete. */
export type Failure = number | 'garbage' | 'nothing' | 'silence' | 'stops'

type Part<T> = T | 'processing' | null
export type NewRecording = {
  /** The account of the host. */
  email: string
  uuid?: string
  /** The room's number. */
  number: string
  topic: string
  startTime: Date
  minutes: number
  participants?: { name: string; email?: string }[]
  /** WebVTT. */
  transcript?: Part<string>
  sound?: Part<Buffer>
}
export type FakeRecording = Required<NewRecording>

export type FakeZoom = {
  url: string
  client: { clientId: string; clientSecret: string }
  /** Environment variables with which the product uses this server. */
  env: Record<string, string>
  recordings: FakeRecording[]
  addRecording(recording: NewRecording): FakeRecording
  /** The address to which the coach returns after agreeing to `scopes`, by default all of the app. */
  agree(params: URLSearchParams, consent: { email: string; scopes?: string[] }): string
  /** As a user who removes the app at Zoom. */
  revokeAccount(email: string): void
  expireAccessTokens(): void
  hasAccess(email: string): boolean
  /** Zoom's id of a user. */
  toUserId(email: string): string
  /** A signed event, by default of now. */
  createEvent(event: string, payload: object, options?: { at?: Date; secret?: string }): Webhook
  /** Fails the next `times` requests whose method and path match. */
  fail(path: RegExp, failure: Failure, times?: number): void
  stopFailing(): void
  /** Lets the next request that matches wait until the returned function is called. */
  hold(path: RegExp): () => void
  /** 'GET /v2/…' of each request. */
  requests: string[]
  close(): Promise<void>
}
export type Webhook = { body: string; headers: Record<string, string> }

/** The scopes in the app's settings at Zoom. */
const appScopes = [
  'user:read:user',
  'cloud_recording:read:list_user_recordings',
  'cloud_recording:read:list_recording_files',
  'meeting:read:list_past_participants',
]
const webhookSecret = 'zoom-webhook-secret-for-tests'
const accessSeconds = 3599
const dayMs = 86_400_000

type Grant = { email: string; scopes: string[]; ended: boolean }
type Code = Grant & { redirectUri: string; challenge: string; isUsed: boolean }

class ApiError extends Error {
  readonly status: number
  readonly body: object
  readonly headers: Record<string, string>
  constructor(status: number, body: object, headers: Record<string, string> = {}) {
    super(JSON.stringify(body))
    this.status = status
    this.body = body
    this.headers = headers
  }
}
const apiError = (status: number, code: number, message: string): ApiError => new ApiError(status, { code, message })
const oauthError = (status: number, error: string): ApiError => new ApiError(status, { reason: error, error })

type FakeOptions = {
  /** Its clock. */
  now?: () => Date
  port?: number
  /** A meeting of an hour that each account has recorded two hours ago. */
  everybody?: Pick<NewRecording, 'number' | 'topic' | 'sound'>
}

/** A server that rejects what Zoom rejects. */
export async function startFakeZoom({
  now = () => new Date(),
  port = 0,
  everybody,
}: FakeOptions = {}): Promise<FakeZoom> {
  const client = { clientId: 'zoom-client', clientSecret: 'zoom-secret-for-tests-only' }
  const codes = new Map<string, Code>()
  const refreshTokens = new Map<string, { grant: Grant; isUsed: boolean }>()
  const accessTokens = new Map<string, { grant: Grant; expiresAt: number }>()
  const downloadTokens = new Map<string, { uuid: string; expiresAt: number }>()
  const recordings: FakeRecording[] = []
  const failures: { path: RegExp; failure: Failure; times: number }[] = []
  const held: { path: RegExp; released: Promise<void> }[] = []
  const requests: string[] = []
  let url = ''

  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => sendError(response, error))
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const to = new URL(request.url ?? '/', 'http://localhost')
    const name = `${request.method} ${to.pathname}`
    requests.push(name)
    const body = await readBody(request)
    const at = held.findIndex(({ path }) => path.test(name))
    if (at >= 0) await held.splice(at, 1)[0]!.released
    const failing = failures.find(({ path, times }) => times > 0 && path.test(name))
    if (failing) failing.times -= 1
    const failure = failing?.failure
    if (failure === 'silence') return
    if (failure === 'nothing') return void response.destroy()
    if (failure === 'garbage') return void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>Sign in')
    if (typeof failure === 'number')
      throw new ApiError(failure, { code: failure, message: 'Failed' }, failure === 429 ? { 'Retry-After': '600' } : {})
    if (to.pathname === '/oauth/authorize') return answerConsent(request, response, to, body)
    if (to.pathname === '/oauth/token') return sendJson(response, 200, issue(request, new URLSearchParams(body)))
    if (to.pathname === '/oauth/revoke') return sendJson(response, 200, revoke(request, new URLSearchParams(body)))
    if (to.pathname.startsWith('/rec/download/')) return download(request, response, to, failure === 'stops')
    sendJson(response, 200, callApi(request, to))
  }

  function answerConsent(request: IncomingMessage, response: ServerResponse, to: URL, body: string): void {
    const problem = checkRequest(to.searchParams)
    if (problem) return void response.writeHead(400, { 'Content-Type': 'text/html' }).end(`<p>${problem}</p>`)
    if (request.method !== 'POST') return void response.writeHead(200, { 'Content-Type': 'text/html' }).end(consentPage)
    const form = new URLSearchParams(body)
    const back =
      form.get('answer') === 'allow'
        ? agree(to.searchParams, { email: form.get('email')! })
        : toReturn(to.searchParams, { error: 'access_denied' })
    response.writeHead(302, { Location: back }).end()
  }

  function checkRequest(params: URLSearchParams): string | null {
    if (params.get('client_id') !== client.clientId) return 'Invalid client_id (4,700)'
    if (!params.get('redirect_uri')?.endsWith('/zoom/callback')) return 'Invalid redirect (4,700)'
    if (params.get('response_type') !== 'code') return 'Invalid response_type'
    if (params.get('code_challenge_method') !== 'S256' || !params.get('code_challenge')) return 'Invalid challenge'
    // Apps of the present kind have their scopes in their settings.
    return params.has('scope') ? 'Invalid scope (4,702)' : null
  }

  function agree(params: URLSearchParams, { email, scopes = appScopes }: { email: string; scopes?: string[] }): string {
    const problem = checkRequest(params)
    if (problem) throw new Error(problem)
    const code = randomBytes(16).toString('base64url')
    const challenge = params.get('code_challenge')!
    codes.set(code, { email, scopes, ended: false, redirectUri: params.get('redirect_uri')!, challenge, isUsed: false })
    return toReturn(params, { code })
  }

  function requireClient({ headers }: IncomingMessage): void {
    const expected = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64')
    if (headers.authorization !== `Basic ${expected}`) throw oauthError(401, 'invalid_client')
    if (headers['content-type'] !== 'application/x-www-form-urlencoded') throw oauthError(400, 'invalid_request')
  }

  function issue(request: IncomingMessage, form: URLSearchParams): object {
    requireClient(request)
    if (form.get('grant_type') === 'refresh_token') return refresh(form.get('refresh_token') ?? '')
    if (form.get('grant_type') !== 'authorization_code') throw oauthError(400, 'unsupported_grant_type')
    const code = codes.get(form.get('code') ?? '')
    const verifier = form.get('code_verifier') ?? ''
    const isProved = code?.challenge === createHash('sha256').update(verifier).digest('base64url')
    if (!code || code.isUsed || !isProved) throw oauthError(400, 'invalid_grant')
    if (form.get('redirect_uri') !== code.redirectUri) throw oauthError(400, 'invalid_request')
    code.isUsed = true
    return toTokens({ email: code.email, scopes: code.scopes, ended: false })
  }

  /** Each refresh gives a new refresh token; one that is used again ends the connection. */
  function refresh(token: string): object {
    const known = refreshTokens.get(token)
    if (!known || known.grant.ended) throw oauthError(400, 'invalid_grant')
    if (known.isUsed) {
      known.grant.ended = true
      throw oauthError(400, 'invalid_grant')
    }
    known.isUsed = true
    return toTokens(known.grant)
  }

  function toTokens(grant: Grant): object {
    const [access, next] = [randomBytes(24), randomBytes(24)].map((bytes) => `eyJ.${bytes.toString('base64url')}`)
    accessTokens.set(access!, { grant, expiresAt: now().getTime() + accessSeconds * 1000 })
    refreshTokens.set(next!, { grant, isUsed: false })
    const scope = grant.scopes.join(' ')
    return { access_token: access, token_type: 'bearer', refresh_token: next, expires_in: accessSeconds, scope }
  }

  function revoke(request: IncomingMessage, form: URLSearchParams): object {
    requireClient(request)
    const token = form.get('token') ?? ''
    const grant = refreshTokens.get(token)?.grant ?? accessTokens.get(token)?.grant
    if (!grant) throw oauthError(400, 'invalid_token')
    grant.ended = true
    return { status: 'success' }
  }

  function callApi({ method, headers }: IncomingMessage, { pathname, searchParams: params }: URL): object {
    const access = accessTokens.get(headers.authorization?.replace(/^Bearer /, '') ?? '')
    if (!access || access.grant.ended || access.expiresAt <= now().getTime())
      throw apiError(401, 124, 'Invalid access token.')
    const { email, scopes } = access.grant
    const requireScope = (scope: string): void => {
      if (!scopes.includes(scope))
        throw apiError(400, 4711, `Invalid access token, does not contain scopes:[${scope}].`)
    }
    if (method !== 'GET') throw apiError(405, 405, 'Method not allowed')
    if (pathname === '/v2/users/me') {
      requireScope('user:read:user')
      return { id: toUserId(email), email, account_id: 'account', display_name: 'Coach' }
    }
    if (pathname === '/v2/users/me/recordings') {
      requireScope('cloud_recording:read:list_user_recordings')
      return listRecordings(email, params)
    }
    const files = /^\/v2\/meetings\/([^/]+)\/recordings$/.exec(pathname)
    if (files) {
      requireScope('cloud_recording:read:list_recording_files')
      const recording = findRecording(email, files[1]!)
      if (!recording) throw apiError(404, 3301, 'There is no recording for this meeting.')
      if (params.get('include_fields') !== 'download_access_token') return toMeeting(recording)
      const ttl = Number(params.get('ttl') ?? 0)
      if (!(ttl >= 0 && ttl <= 604_800)) throw apiError(300, 300, 'Invalid ttl.')
      const token = randomBytes(24).toString('base64url')
      downloadTokens.set(token, { uuid: recording.uuid, expiresAt: now().getTime() + ttl * 1000 })
      return { ...toMeeting(recording), download_access_token: token }
    }
    const past = /^\/v2\/past_meetings\/([^/]+)\/participants$/.exec(pathname)
    if (past) {
      requireScope('meeting:read:list_past_participants')
      const recording = findRecording(email, past[1]!)
      if (!recording) throw apiError(404, 3001, 'Meeting does not exist.')
      const participants = recording.participants.map(({ name, email: of = '' }) => ({ id: '', name, user_email: of }))
      return { page_count: 1, page_size: 300, total_records: participants.length, next_page_token: '', participants }
    }
    throw apiError(404, 404, 'No such path.')
  }

  function listRecordings(email: string, params: URLSearchParams): object {
    const [from, to] = ['from', 'to'].map((name) => params.get(name) ?? '')
    if (![from, to].every((date) => /^\d{4}-\d\d-\d\d$/.test(date!))) throw apiError(400, 300, 'Invalid date.')
    const [start, end] = [Date.parse(from!), Date.parse(to!) + dayMs]
    if (end - start > 32 * dayMs) throw apiError(400, 300, 'The range is longer than a month.')
    const size = Number(params.get('page_size') ?? 30)
    if (!(size >= 1 && size <= 300)) throw apiError(400, 300, 'Invalid page_size.')
    if (everybody && !recordings.some((one) => one.email === email))
      addRecording({ ...everybody, email, startTime: new Date(now().getTime() - 7_200_000), minutes: 60 })
    const all = recordings.filter(
      (one) => one.email === email && one.startTime.getTime() >= start && one.startTime.getTime() < end,
    )
    const offset = Number(params.get('next_page_token') ?? 0)
    const next = offset + size < all.length ? String(offset + size) : ''
    return {
      from,
      to,
      page_size: size,
      next_page_token: next,
      meetings: all.slice(offset, offset + size).map(toMeeting),
    }
  }

  /** The path must be encoded twice for some ids: Zoom reads a slash in it as the end. */
  function findRecording(email: string, encoded: string): FakeRecording | null {
    const once = decodeURIComponent(encoded)
    const isTwice = /%2F/i.test(once)
    const uuid = isTwice ? decodeURIComponent(once) : once
    const needsTwice = uuid.startsWith('/') || uuid.includes('//')
    const found = recordings.find((one) => one.uuid === uuid && one.email === email)
    return found && needsTwice === isTwice ? found : null
  }

  function toMeeting({ uuid, number, topic, startTime, minutes, transcript, sound, email }: FakeRecording): object {
    const file = (part: Part<string | Buffer>, type: object, name: string) =>
      part === null
        ? []
        : [
            {
              id: `${uuid}-${name}`,
              ...type,
              status: part === 'processing' ? 'processing' : 'completed',
              ...(part === 'processing'
                ? {}
                : {
                    file_size: Buffer.byteLength(part),
                    download_url: `${url}/rec/download/${encodeURIComponent(uuid)}/${name}`,
                  }),
            },
          ]
    return {
      uuid,
      id: Number(number),
      account_id: 'account',
      host_id: toUserId(email),
      host_email: email,
      topic,
      type: 2,
      start_time: startTime.toISOString().replace('.000', ''),
      duration: minutes,
      recording_files: [
        ...file(sound, { file_type: 'M4A', file_extension: 'M4A', recording_type: 'audio_only' }, 'sound'),
        ...file(
          transcript,
          { file_type: 'TRANSCRIPT', file_extension: 'VTT', recording_type: 'audio_transcript' },
          'transcript',
        ),
        { file_type: 'CHAT', file_extension: 'TXT', recording_type: 'chat_file', status: 'completed' },
      ],
    }
  }

  function download({ headers }: IncomingMessage, response: ServerResponse, { pathname }: URL, stops: boolean): void {
    const [, encoded, name] = /^\/rec\/download\/([^/]+)\/(\w+)$/.exec(pathname) ?? []
    const token = downloadTokens.get(headers.authorization?.replace(/^Bearer /, '') ?? '')
    const uuid = decodeURIComponent(encoded ?? '')
    if (token?.uuid !== uuid || token.expiresAt <= now().getTime()) throw apiError(401, 124, 'Invalid download token.')
    const recording = recordings.find((one) => one.uuid === uuid)
    const content = name === 'sound' ? recording?.sound : recording?.transcript
    if (!content || content === 'processing') throw apiError(404, 3301, 'There is no recording for this meeting.')
    const bytes = Buffer.from(content)
    response.writeHead(200, { 'Content-Type': 'application/octet-stream' })
    response.end(stops ? bytes.subarray(0, bytes.length / 2) : bytes)
  }

  function addRecording(recording: NewRecording): FakeRecording {
    const uuid = randomBytes(16).toString('base64')
    const added = { uuid, participants: [], transcript: null, sound: null, ...recording }
    recordings.push(added)
    return added
  }

  const endGrants = (email: string): void => {
    for (const { grant } of refreshTokens.values()) if (grant.email === email) grant.ended = true
  }

  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    client,
    recordings,
    requests,
    env: {
      ZOOM_CLIENT_ID: client.clientId,
      ZOOM_CLIENT_SECRET: client.clientSecret,
      ZOOM_WEBHOOK_SECRET: webhookSecret,
      ZOOM_BASE_URL: url,
    },
    addRecording,
    agree,
    toUserId,
    revokeAccount: endGrants,
    expireAccessTokens: () => accessTokens.clear(),
    hasAccess: (email) =>
      [...refreshTokens.values()].some(({ grant, isUsed }) => grant.email === email && !grant.ended && !isUsed),
    createEvent(event, payload, { at = now(), secret = webhookSecret } = {}) {
      const body = JSON.stringify({ event, event_ts: at.getTime(), payload })
      const timestamp = String(Math.floor(at.getTime() / 1000))
      const signature = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')
      return {
        body,
        headers: {
          'content-type': 'application/json',
          'x-zm-request-timestamp': timestamp,
          'x-zm-signature': `v0=${signature}`,
        },
      }
    },
    fail: (path, failure, times = Number.POSITIVE_INFINITY) => void failures.push({ path, failure, times }),
    hold(path) {
      const { promise, resolve } = Promise.withResolvers<void>()
      held.push({ path, released: promise })
      return resolve
    },
    stopFailing: () => void failures.splice(0),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const toUserId = (email: string): string => createHash('sha256').update(email).digest('base64url').slice(0, 22)

function toReturn(params: URLSearchParams, answer: Record<string, string>): string {
  const to = new URL(params.get('redirect_uri')!)
  for (const [name, value] of Object.entries({ ...answer, state: params.get('state') ?? '' }))
    to.searchParams.set(name, value)
  return to.href
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function sendJson(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body))
}

function sendError(response: ServerResponse, error: unknown): void {
  if (error instanceof ApiError) return sendJson(response, error.status, error.body, error.headers)
  sendJson(response, 500, { code: 500, message: String(error) })
}

/** The page on which a coach signs in and allows the app. */
const consentPage = `<!doctype html><html lang="en"><title>Zoom</title><form method="post"><h1>Sign in</h1>
<label>Email <input name="email" value="coach@zoom.example"></label>
<button name="answer" value="allow">Allow</button> <button name="answer" value="deny">Decline</button></form></html>`
