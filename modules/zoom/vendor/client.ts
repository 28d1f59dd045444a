import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import type { Config, ZoomConfig } from '#tenants/config.ts'
import { fromFailure, fromResponse, parseJson, ZoomError } from './errors.ts'
import { TokenResponse } from './responses.ts'

/** Milliseconds. A refresh holds a transaction. An hour of sound over a slow line takes minutes. */
const timeouts = { call: 15_000, token: 8_000, download: 30 * 60_000 }
/** Bytes of the longest response and of the longest transcript. */
const maxResponse = 5_000_000
const maxRedirects = 5

/** Throws unavailable without ZOOM_CLIENT_ID. */
export function requireZoom({ zoom }: Config): ZoomConfig {
  if (!zoom) throw new AppError('unavailable', 'Zoom is not connected on this platform.')
  return zoom
}

/** The one address to which Zoom sends coaches back; it must be listed in the app's settings at Zoom. */
export const getRedirectUri = ({ origin }: Config): string => `${origin}/zoom/callback`

export const getAuthorizeUrl = (config: Config): string => `${getOAuthUrl(requireZoom(config))}/authorize`

const getOAuthUrl = ({ baseUrl }: ZoomConfig): string => `${baseUrl ?? 'https://zoom.us'}/oauth`
const getApiUrl = ({ baseUrl }: ZoomConfig): string => `${baseUrl ?? 'https://api.zoom.us'}/v2`

/** Calls the token endpoint. Throws ZoomError. */
export async function fetchTokens(config: Config, form: Record<string, string>): Promise<TokenResponse> {
  const text = await postOAuth(config, 'token', form)
  return parse(TokenResponse, text)
}

/** Tells Zoom that a token is no longer used. False if Zoom is away; a token that it doesn't know has ended already. */
export async function revokeToken(config: Config, token: string): Promise<boolean> {
  try {
    await postOAuth(config, 'revoke', { token })
    return true
  } catch (error) {
    return error instanceof ZoomError && error.kind !== 'busy' && error.kind !== 'down'
  }
}

function postOAuth(config: Config, path: string, form: Record<string, string>): Promise<string> {
  const zoom = requireZoom(config)
  const credentials = Buffer.from(`${zoom.clientId}:${zoom.clientSecret}`).toString('base64')
  return send(`${getOAuthUrl(zoom)}/${path}`, timeouts.token, {
    method: 'POST',
    headers: { Authorization: `Basic ${credentials}`, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  })
}

export type ZoomApi = {
  get<Schema extends z.ZodType>(schema: Schema, path: string): Promise<z.output<Schema>>
}

/** The API as a user. Its calls throw ZoomError. */
export function createApi(config: Config, accessToken: string): ZoomApi {
  const url = getApiUrl(requireZoom(config))
  const headers = { Authorization: `Bearer ${accessToken}` }
  return {
    get: async (schema, path) => parse(schema, await send(`${url}${path}`, timeouts.call, { headers })),
  }
}

/** A meeting's id in a path. One that begins with a slash or has two is encoded twice. */
export function encodeUuid(uuid: string): string {
  const once = encodeURIComponent(uuid)
  return uuid.startsWith('/') || uuid.includes('//') ? encodeURIComponent(once) : once
}

/** Opens a file of a recording. Only Zoom's addresses are called, also after a redirect. Throws ZoomError. */
export async function download(config: Config, address: string, token: string): Promise<Readable> {
  const zoom = requireZoom(config)
  const signal = AbortSignal.timeout(timeouts.download)
  try {
    let next = address
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      if (!isZoomAddress(zoom, next)) throw new ZoomError('refused', { code: 'foreign_address' })
      const headers = { Authorization: `Bearer ${token}` }
      const response = await fetch(next, { headers, signal, redirect: 'manual' })
      const location = isRedirect(response.status) ? response.headers.get('location') : null
      if (location === null) {
        if (!response.ok || !response.body) throw fromResponse(response, await readText(response))
        return Readable.fromWeb(response.body as ReadableStream)
      }
      await response.body?.cancel()
      next = URL.parse(location, next)?.href ?? ''
    }
    throw new ZoomError('refused', { code: 'too_many_redirects' })
  } catch (error) {
    throw fromFailure(error)
  }
}

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status)

/** Opens a transcript. Throws ZoomError. */
export async function downloadText(config: Config, address: string, token: string): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of await download(config, address, token)) {
      chunks.push(chunk as Buffer)
      if ((size += (chunk as Buffer).length) > maxResponse) throw new ZoomError('refused', { code: 'too_large' })
    }
  } catch (error) {
    throw fromFailure(error)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The text of a response, as far as it isn't longer than any that makes sense. Throws ZoomError. */
async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    if ((size += chunk.length) > maxResponse) throw new ZoomError('down', { code: 'garbage' })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function isZoomAddress({ baseUrl }: ZoomConfig, address: string): boolean {
  const url = URL.parse(address)
  if (!url) return false
  if (baseUrl && url.origin === new URL(baseUrl).origin) return true
  return (
    url.protocol === 'https:' && url.port === '' && (url.hostname === 'zoom.us' || url.hostname.endsWith('.zoom.us'))
  )
}

async function send(url: string, timeoutMs: number, init: RequestInit): Promise<string> {
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
    const text = await readText(response)
    if (!response.ok) throw fromResponse(response, text)
    return text
  } catch (error) {
    throw fromFailure(error)
  }
}

function parse<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  const parsed = schema.safeParse(parseJson(text))
  if (!parsed.success) throw fromFailure(parsed.error)
  return parsed.data
}
