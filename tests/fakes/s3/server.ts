import { createHash, createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import S3rver from 's3rver'

/** A status, no answer at all, or one that stops in its middle, with or without an end. */
export type Failure = 403 | 500 | 503 | 'silence' | 'cut' | 'stall'

export type FakeS3 = {
  url: string
  bucket: string
  /** Environment variables with which the product uses this server. */
  env: Record<string, string>
  /** Fails the next `times` requests whose 'METHOD /path?query' matches. */
  fail(path: RegExp, failure: Failure, times?: number): void
  stopFailing(): void
  /** As with SSE-KMS: the tag of a part is another one each time, and not its MD5. */
  encryptsParts: boolean
  /** 'METHOD /path?query' of each request. */
  requests: string[]
  close(): Promise<void>
}

const [accessKeyId, secretAccessKey, region, bucket] = ['S3RVER', 'a secret for tests only', 'eu-central-1', 'files']
const validMs = 15 * 60_000

/**
 * s3rver behind a proxy that rejects what S3 rejects and s3rver takes: wrong or old signatures, and requests without
 * one.
 */
export async function startFakeS3(): Promise<FakeS3> {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'fake-s3-'))
  const store = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
  })
  const { port: storePort } = await store.run()
  const failures: { path: RegExp; failure: Failure; times: number }[] = []
  const requests: string[] = []
  /**
   * Multipart uploads that were completed or aborted: s3rver doesn't know how to abort, and fails for those that ended.
   */
  const ended = new Set<string>()
  /** The tags of the parts of each upload, by their numbers. */
  const tags = new Map<string, Map<number, string>>()
  const fake = { encryptsParts: false }

  const server = createServer((request, response) => {
    const name = `${request.method} ${request.url}`
    requests.push(name)
    const failing = failures.find(({ path: failed, times }) => times > 0 && failed.test(name))
    if (failing) {
      failing.times -= 1
      if (failing.failure !== 'cut' && failing.failure !== 'stall') return fail(request, response, failing.failure)
    }
    const refusal = findRefusal(request)
    if (refusal) return sendError(request, response, 403, refusal)
    const { url = '/', method = 'GET', headers } = request
    const { searchParams } = new URL(url, 'http://localhost')
    const uploadId = searchParams.get('uploadId')
    const partNumber = Number(searchParams.get('partNumber'))
    if (uploadId && ended.has(uploadId)) return sendError(request, response, 404, 'NoSuchUpload')
    if (uploadId && method === 'DELETE') return void (ended.add(uploadId), response.writeHead(204).end())
    if (uploadId && method === 'GET') return void listParts(response, tags.get(uploadId))
    const toStore = () =>
      forward({ host: '127.0.0.1', port: storePort, path: url, method, headers }, respond).once('error', () =>
        response.destroy(),
      )
    const respond = (answer: IncomingMessage): void => {
      if (uploadId && method === 'POST' && answer.statusCode === 200) ended.add(uploadId)
      if (uploadId && partNumber && answer.statusCode === 200) {
        if (fake.encryptsParts) answer.headers.etag = `"${randomBytes(16).toString('hex')}"`
        tags.set(uploadId, (tags.get(uploadId) ?? new Map()).set(partNumber, answer.headers.etag!))
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      if (failing)
        answer.once('data', (chunk: Buffer) =>
          response.write(chunk.subarray(0, chunk.length >> 1), () => {
            if (failing.failure === 'cut') response.destroy()
          }),
        )
      else answer.pipe(response)
    }
    if (!uploadId || method !== 'POST') return void request.pipe(toStore())
    void buffer(request).then((body) => {
      if (hasTags(String(body), tags.get(uploadId))) toStore().end(body)
      else sendError(request, response, 400, 'InvalidPart')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(fake, {
    url,
    bucket,
    env: {
      S3_BUCKET: bucket,
      S3_ENDPOINT: url,
      S3_REGION: region,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
    fail: (failed: RegExp, failure: Failure, times = 1) => void failures.push({ path: failed, failure, times }),
    stopFailing: () => void (failures.length = 0),
    requests,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await store.close()
      rmSync(directory, { recursive: true, force: true })
    },
  })
}

type Tags = Map<number, string> | undefined

function listParts(response: ServerResponse, tags: Tags): void {
  const parts = [...(tags ?? [])].toSorted(([a], [b]) => a - b)
  const list = parts.map(([number, tag]) => `<Part><PartNumber>${number}</PartNumber><ETag>${tag}</ETag></Part>`)
  response.writeHead(200, { 'content-type': 'application/xml' })
  response.end(`<?xml version="1.0" encoding="UTF-8"?><ListPartsResult>${list.join('')}</ListPartsResult>`)
}

/** Whether each part of a list that completes an upload is the one that was written last. */
const hasTags = (body: string, tags: Tags): boolean =>
  [...body.matchAll(/<Part>.*?<\/Part>/gs)].every(([part]) => {
    const number = Number(/<PartNumber>(\d+)</.exec(part)?.[1])
    const tag = /<ETag>(.*?)<\/ETag>/.exec(part)?.[1]?.replaceAll('&quot;', '"')
    return tag !== undefined && tag === tags?.get(number)
  })

function fail(request: IncomingMessage, response: ServerResponse, failure: Exclude<Failure, 'cut' | 'stall'>): void {
  if (failure === 'silence') return void request.resume()
  sendError(request, response, failure, { 403: 'AccessDenied', 500: 'InternalError', 503: 'SlowDown' }[failure])
}

function sendError(request: IncomingMessage, response: ServerResponse, status: number, code: string): void {
  request.resume()
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`)
}

/** The code of the error, or null for a request that S3 would serve. */
function findRefusal(request: IncomingMessage): string | null {
  const { authorization = '', 'x-amz-date': time = '', 'x-amz-content-sha256': hash = '' } = request.headers
  const signed =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      authorization,
    )
  if (!signed) return 'AccessDenied'
  const [, keyId, date, usedRegion, names, signature] = signed as unknown as string[]
  if (keyId !== accessKeyId) return 'InvalidAccessKeyId'
  if (usedRegion !== region) return 'AuthorizationHeaderMalformed'
  const sentAt = String(time).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
  if (!(Math.abs(Date.parse(sentAt) - Date.now()) < validMs)) return 'RequestTimeTooSkewed'
  const scope = `${date}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(toCanonicalRequest(request, names!, String(hash)))].join('\n')
  const key = [date!, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${secretAccessKey}`,
  )
  return hmac(key, toSign).toString('hex') === signature ? null : 'SignatureDoesNotMatch'
}

function toCanonicalRequest({ method, url = '/', headers }: IncomingMessage, names: string, hash: string): string {
  const [pathname = '', query = ''] = url.split('?')
  const params = query
    .split('&')
    .filter(Boolean)
    .map((param) => (param.includes('=') ? param : `${param}=`))
    .sort()
  const lines = names.split(';').map((name) => `${name}:${String(headers[name] ?? '').trim()}\n`)
  return [method, pathname, params.join('&'), lines.join(''), names, hash].join('\n')
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
