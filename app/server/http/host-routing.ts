import { AppError } from '#app/lib/errors.ts'
import type { Config } from '#tenants/config.ts'

/** At which door a request stands: the platform's own (`label` null), or the coach's with that subdomain. */
export type Door = { hostname: string; label: string | null }

const local = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Reads the Host header. The port doesn't matter: a proxy may have another one. Throws unknown_host. */
export function doorOf(host: string | undefined, config: Config): Door {
  const hostname = (host ?? '')
    .toLowerCase()
    .replace(/:\d{1,5}$/, '')
    .replace(/\.$/, '')
  const platform = new URL(config.origin).hostname
  if (hostname === platform || local.has(hostname)) return { hostname, label: null }
  const label = hostname.endsWith(`.${platform}`) ? hostname.slice(0, -platform.length - 1) : ''
  if (!/^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$/.test(label)) throw unknownHost()
  return { hostname, label }
}

export function unknownHost(): AppError {
  return new AppError('unknown_host', 'There is nothing at this address.')
}

/** The origin of a coach's own host, by the configured one: links never follow the request's Host header. */
export function coachOrigin(config: Config, subdomain: string): string {
  const origin = new URL(config.origin)
  origin.hostname = `${subdomain}.${origin.hostname}`
  return origin.origin
}

/**
 * Refuses a write that another site's page makes in a visitor's browser: its Origin isn't this host's own, or it has none
 * and the browser says that it comes from elsewhere. A client that sends neither (curl, a script) passes. Throws cross_origin.
 */
export function refuseCrossSite(method: string, headers: Headers, door: Door): void {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  const own =
    origin !== null
      ? URL.canParse(origin) && new URL(origin).host === headers.get('host')?.toLowerCase() && isHttp(origin)
      : site === null || site === 'same-origin' || site === 'none'
  if (!own) throw new AppError('cross_origin', `This request came from another site, not from ${door.hostname}.`)
}

const isHttp = (origin: string): boolean => origin.startsWith('http://') || origin.startsWith('https://')

/** The address of the client: of the socket, or what the outermost of `trusted` proxies wrote down. */
export function clientAddress(headers: Headers, socketAddress: string, trusted: number): string {
  if (!trusted) return socketAddress
  const hops = (headers.get('x-forwarded-for') ?? '')
    .split(',')
    .map((hop) => hop.trim())
    .filter(Boolean)
  return hops.at(-trusted) ?? socketAddress
}
