import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

/** `lost`: it is done, but the answer doesn't arrive. `unanswered`: the same, and the connection stays open. */
export type Failure = number | 'garbage' | 'nothing' | 'silence' | 'lost' | 'unanswered'

export type FakeJob = {
  id: string
  status: 'in_progress' | 'transcribed' | 'failed'
  failure?: string
  options: z.output<typeof Options>
  /** The recording as it arrived. */
  media: { bytes: number; fileName: string; start: string }
  transcript: object | null
  /** The length of the recording, once it was transcribed. */
  seconds?: number
}

export type FakeRevAi = {
  url: string
  /** Environment variables with which the product uses this server. */
  env: Record<string, string>
  jobs: Map<string, FakeJob>
  /** A job ends. `monologues`: who says what, in seconds. Returns the webhook that Rev.ai would send. */
  finish(id: string, result: { monologues: Monologue[] } | { failure: string }): Webhook | null
  /** Fails the next `times` requests whose method and path match. */
  fail(path: RegExp, failure: Failure, times?: number): void
  stopFailing(): void
  /** 'POST /jobs' of each request. */
  requests: string[]
  close(): Promise<void>
}
export type Monologue = { speaker: number; text: string; start: number; end: number }
/** An unsigned request: its header is all that it proves. */
export type Webhook = { url: string; headers: Record<string, string>; body: string }

const accessToken = 'revai-token-for-tests-only'
const base = '/speechtotext/v1'
const failures = [
  'internal_processing',
  'download_failure',
  'duration_exceeded',
  'duration_too_short',
  'invalid_media',
  'empty_media',
  'transcription',
  'insufficient_balance',
  'invoicing_limit_exceeded',
]

const Target = z.strictObject({ url: z.url(), auth_headers: z.record(z.string(), z.string()).optional() })
const Options = z.strictObject({
  metadata: z.string().max(512).optional(),
  delete_after_seconds: z.int().min(0).max(2_592_000).optional(),
  notification_config: Target.optional(),
  skip_diarization: z.boolean().optional(),
  remove_disfluencies: z.boolean().optional(),
  language: z.string().optional(),
})

class ApiError extends Error {
  readonly status: number
  readonly details: object
  constructor(status: number, title: string, details: object = {}) {
    super(title)
    this.status = status
    this.details = details
  }
}

type FakeOptions = {
  /** Its clock. */
  now?: () => Date
  port?: number
  /** The transcript of every recording: jobs end as soon as they are submitted. */
  monologues?: Monologue[]
}

/** A server that rejects what Rev.ai rejects. */
export async function startFakeRevAi({
  now = () => new Date(),
  port = 0,
  monologues,
}: FakeOptions = {}): Promise<FakeRevAi> {
  const jobs = new Map<string, FakeJob>()
  const failing: { path: RegExp; failure: Failure; times: number }[] = []
  const requests: string[] = []

  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => sendError(response, error))
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const path = url.pathname.replace(base, '')
    const name = `${request.method} ${path}`
    requests.push(name)
    const failed = failing.find((one) => one.times > 0 && one.path.test(name))
    if (failed) failed.times -= 1
    const failure = failed?.failure
    if (failure === 'silence') return
    if (failure === 'nothing') return void response.destroy()
    if (failure === 'garbage') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in')
    if (typeof failure === 'number') throw new ApiError(failure, 'Failed')
    if (!url.pathname.startsWith(`${base}/`)) throw new ApiError(404, 'Not found')
    if (request.headers.authorization !== `Bearer ${accessToken}`)
      throw new ApiError(401, 'Authorization has been denied for this request')
    checkQuery(name, url.searchParams)
    const body = await readBody(request)
    const result = callApi(request, path, body)
    if (failure === 'lost') return void response.destroy()
    if (failure === 'unanswered') return
    if (result === null) return void response.writeHead(204).end()
    sendJson(response, 200, result)
  }

  function callApi({ method, headers }: IncomingMessage, path: string, body: Buffer): object | null {
    if (path === '/jobs' && method === 'POST') return toJob(submit(headers['content-type'] ?? '', body))
    if (path === '/jobs' && method === 'GET') return [...jobs.values()].toReversed().map(toJob)
    const [, id = '', part] = /^\/jobs\/(\w+)(\/transcript)?$/.exec(path) ?? []
    const job = jobs.get(id)
    if (!job) throw new ApiError(404, 'could not find job')
    const allow = (...allowed: string[]): void => {
      if (!allowed.includes(job.status))
        throw new ApiError(409, 'Invalid state', { current_value: job.status, allowed_values: allowed })
    }
    if (method === 'GET' && !part) return toJob(job)
    if (method === 'GET') {
      if (headers.accept !== 'application/vnd.rev.transcript.v1.0+json') throw new ApiError(406, 'Not acceptable')
      allow('transcribed')
      return job.transcript
    }
    if (method === 'DELETE' && !part) {
      allow('transcribed', 'failed')
      jobs.delete(id)
      return null
    }
    throw new ApiError(405, 'Method not allowed')
  }

  function submit(contentType: string, body: Buffer): FakeJob {
    const form = readForm(contentType, body)
    const parsed = Options.safeParse(form.options)
    if (!parsed.success)
      throw new ApiError(400, 'Your request parameters didn’t validate', {
        parameters: { [parsed.error.issues[0]!.path.join('.')]: [parsed.error.issues[0]!.message] },
      })
    const id = randomBytes(8).toString('hex')
    const job: FakeJob = {
      id,
      status: monologues ? 'transcribed' : 'in_progress',
      options: parsed.data,
      media: form.media,
      transcript: monologues ? toTranscript(monologues) : null,
      ...(monologues ? { seconds: measure(monologues) } : {}),
    }
    jobs.set(id, job)
    return job
  }

  const toJob = ({ id, status, failure, options, seconds }: FakeJob): object => ({
    id,
    status,
    type: 'async',
    created_on: now().toISOString(),
    ...(options.metadata ? { metadata: options.metadata } : {}),
    ...(seconds === undefined ? {} : { duration_seconds: seconds }),
    ...(failure ? { failure, failure_detail: 'It failed' } : {}),
  })

  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    env: { REVAI_ACCESS_TOKEN: accessToken, REVAI_BASE_URL: url },
    jobs,
    requests,
    finish(id, result) {
      const job = jobs.get(id)!
      if ('failure' in result) {
        if (!failures.includes(result.failure)) throw new Error(`Rev.ai knows no failure ${result.failure}`)
        Object.assign(job, { status: 'failed', failure: result.failure })
      } else
        Object.assign(job, {
          status: 'transcribed',
          transcript: toTranscript(result.monologues),
          seconds: measure(result.monologues),
        })
      const target = job.options.notification_config
      return target
        ? {
            url: target.url,
            headers: { 'content-type': 'application/json', ...target.auth_headers },
            body: JSON.stringify({ job: toJob(job) }),
          }
        : null
    },
    fail: (path, failure, times = Number.POSITIVE_INFINITY) => void failing.push({ path, failure, times }),
    stopFailing: () => void failing.splice(0),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The list of jobs alone takes search params. */
function checkQuery(name: string, params: URLSearchParams): void {
  for (const [param, value] of params) {
    const number = Number(value)
    const isAllowed =
      name === 'GET /jobs' &&
      (param === 'starting_after' || (param === 'limit' && Number.isInteger(number) && number >= 1 && number <= 1000))
    if (!isAllowed)
      throw new ApiError(400, 'Your request parameters didn’t validate', { parameters: { [param]: ['Invalid'] } })
  }
}

/** The two parts of a multipart form: the recording and its options. */
function readForm(contentType: string, body: Buffer): { media: FakeJob['media']; options: unknown } {
  const boundary = /^multipart\/form-data;.*boundary=(\S+)$/.exec(contentType)?.[1]
  if (!boundary) throw new ApiError(415, 'Unsupported media type')
  const parts = body
    .toString('latin1')
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const split = part.indexOf('\r\n\r\n')
      return { head: part.slice(0, split), content: part.slice(split + 4, -2) }
    })
  const find = (name: string) => parts.find(({ head }) => head.includes(`name="${name}"`))
  const media = find('media')
  if (!media) throw new ApiError(400, 'No media file provided')
  if (media.content.length === 0) throw new ApiError(400, 'The media file is empty')
  const options = find('options')
  return {
    media: {
      bytes: media.content.length,
      fileName: /filename="([^"]*)"/.exec(media.head)?.[1] ?? '',
      start: media.content.slice(0, 20),
    },
    options: options ? JSON.parse(Buffer.from(options.content, 'latin1').toString('utf8')) : {},
  }
}

const measure = (monologues: Monologue[]): number => Math.max(0, ...monologues.map(({ end }) => end))

/** Words with their times, and punctuation without. */
function toTranscript(monologues: Monologue[]): object {
  return {
    monologues: monologues.map(({ speaker, text, start, end }) => {
      const tokens = text.match(/[\p{L}\p{N}'’-]+|[^\p{L}\p{N}'’-]+/gu) ?? []
      const step = (end - start) / tokens.length
      return {
        speaker,
        elements: tokens.map((value, index) =>
          /[\p{L}\p{N}]/u.test(value)
            ? { type: 'text', value, ts: start + index * step, end_ts: start + (index + 1) * step, confidence: 0.9 }
            : { type: 'punct', value },
        ),
      }
    }),
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function sendError(response: ServerResponse, error: unknown): void {
  if (!(error instanceof ApiError)) return sendJson(response, 500, { title: String(error) })
  sendJson(response, error.status, { title: error.message, status: error.status, ...error.details })
}
