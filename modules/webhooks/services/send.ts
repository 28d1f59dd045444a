import { request as httpRequest } from 'node:http'
import { request as httpsRequest, type RequestOptions } from 'node:https'
import { hasLocalOrigin } from '#tenants/config.ts'
import { NoAnswer } from '#tenants/domains/resolver.ts'
import type { Platform } from '#tenants/platform.ts'
import { findPublicAddress, type PinnedAddress } from './public-address.ts'

/** `status` null: there was no response. `problem` null: the receiver took it. */
export type SendResult = { status: number | null; response: string | null; problem: string | null }

/** Bytes of a response that are read. */
const maxResponseBytes = 16 * 1024
/** Characters of a response that the log keeps. */
const keptCharacters = 500

/**
 * Posts to the address of a coach: to a public one alone, unless this installation is a developer's own. Redirects are
 * not followed: they could lead anywhere.
 */
export async function send(
  { config, dns }: Pick<Platform, 'config' | 'dns'>,
  { url, headers, body }: { url: string; headers: Record<string, string>; body: string },
  { timeoutMs = 10_000 } = {},
): Promise<SendResult> {
  const target = new URL(url)
  try {
    const address = hasLocalOrigin(config) ? null : await findPublicAddress(dns, target.hostname)
    if (!address && !hasLocalOrigin(config)) return failed('The address does not exist, or is not public.')
    const { status, text } = await post(target, address, { headers, body, timeoutMs })
    const response = text.slice(0, keptCharacters)
    return { status, response, problem: describeStatus(status) }
  } catch (error) {
    return failed(describeError(error))
  }
}

const failed = (problem: string): SendResult => ({ status: null, response: null, problem })

function describeStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400
    ? 'The server redirected the call. Enter the address that it leads to.'
    : `The server answered with the status ${status}.`
}

const problems: Record<string, string> = {
  ECONNREFUSED: 'The server refused the connection.',
  ECONNRESET: 'The server closed the connection.',
  ENOTFOUND: 'The address does not exist.',
}

function describeError(error: unknown): string {
  if (error instanceof NoAnswer) return 'The address could not be looked up.'
  const { code = '', name = '' } = error as NodeJS.ErrnoException
  if (name === 'AbortError' || name === 'TimeoutError') return 'There was no response within 10 seconds.'
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) return 'The certificate of the server is not valid.'
  return problems[code] ?? 'The server could not be reached.'
}

function post(
  url: URL,
  address: PinnedAddress | null,
  { headers, body, timeoutMs }: { headers: Record<string, string>; body: string; timeoutMs: number },
): Promise<{ status: number; text: string }> {
  const options: RequestOptions = {
    method: 'POST',
    agent: false,
    headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body), ...headers },
    signal: AbortSignal.timeout(timeoutMs),
    ...(address ? { lookup: pinTo(address) } : {}),
  }
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, (response) => {
      const chunks: Buffer[] = []
      let size = 0
      const finish = () => {
        const text = Buffer.concat(chunks).toString('utf8').replaceAll('\0', '')
        resolve({ status: response.statusCode!, text })
        response.destroy()
      }
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        size += chunk.length
        if (size >= maxResponseBytes) finish()
      })
      response.on('end', finish)
      response.on('error', reject)
    })
    request.on('error', reject)
    request.end(body)
  })
}

/** Connects to this address, whatever the name leads to by now. */
const pinTo = ({ address, family }: PinnedAddress): NonNullable<RequestOptions['lookup']> =>
  function lookup(_hostname, options, callback) {
    if (options.all) callback(null, [{ address, family }])
    else callback(null, address, family)
  }
