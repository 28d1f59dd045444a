import { isIP } from 'node:net'
import { AppError } from '#app/lib/errors.ts'
import { subdomainPattern } from '#tenants/accounts/branding-rules.ts'
import type { Config } from '#tenants/config.ts'
import { hostnamePattern } from '#tenants/domains/hostname.ts'

/**
 * The host of a request: the platform's (`label` null) or a coach's: the name of a subdomain, or a domain of their own.
 */
export type HostContext = { hostname: string; label: string | null }

const localHostnames = new Set(['localhost', '127.0.0.1', '[::1]'])

const parseHostname = (host = ''): string =>
  host
    .toLowerCase()
    .replace(/:\d{1,5}$/, '')
    .replace(/\.$/, '')

/** Parses the Host header. Ignores the port, since a proxy may use another one. Throws unknown_host. */
export function resolveHost(host: string | undefined, config: Config): HostContext {
  const context = findHost(host, config)
  if (!context) throw unknownHostError()
  return context
}

/** As `resolveHost`; null for a name that can't be a host of the product. */
export function findHost(host: string | undefined, config: Config): HostContext | null {
  const hostname = parseHostname(host)
  const platform = getHostname(config.origin)
  if (hostname === platform || localHostnames.has(hostname)) return { hostname, label: null }
  const subdomain = hostname.endsWith(`.${platform}`) ? hostname.slice(0, -platform.length - 1) : null
  const isPossible = subdomain === null ? isDomain(hostname) : subdomainPattern.test(subdomain)
  return isPossible ? { hostname, label: subdomain ?? hostname } : null
}

const isDomain = (hostname: string): boolean => hostnamePattern.test(hostname) && !isIP(hostname)

/** Whether the Host header names the platform's host or a subdomain of it. */
export function isOfPlatform(host: string | undefined, config: Config): boolean {
  const [hostname, platform] = [parseHostname(host), getHostname(config.origin)]
  return hostname === platform || hostname.endsWith(`.${platform}`)
}

/** Whether a coach's host is a domain of their own. */
export const isOwnDomain = ({ label }: HostContext): boolean => label?.includes('.') === true

/** As `new URL(origin).hostname`, which takes a microsecond for each request. */
const getHostname = (origin: string): string => origin.replace(/^https?:\/\//, '').replace(/:\d+$/, '')

export function unknownHostError(): AppError {
  return new AppError('unknown_host', 'No practice at this address.')
}

/**
 * Rejects a cross-site write: its Origin has another scheme or host, or it has none and Sec-Fetch-Site says cross-site.
 * Requests without both headers (curl, scripts) pass. Throws cross_origin.
 */
export function rejectCrossSite(method: string, headers: Headers, host: HostContext, config: Config): void {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  const isSameSite =
    origin !== null
      ? origin === `${new URL(config.origin).protocol}//${headers.get('host')?.toLowerCase()}`
      : site === null || site === 'same-origin' || site === 'none'
  if (!isSameSite) throw new AppError('cross_origin', `This request came from another site, not from ${host.hostname}.`)
}

/** The client's IP address: the socket's, or the one that the outermost of the trusted proxies received. */
export function clientAddress(headers: Headers, socketAddress: string, trustedProxies: number): string {
  if (!trustedProxies) return socketAddress
  const hops = (headers.get('x-forwarded-for') ?? '')
    .split(',')
    .map((hop) => withoutPort(hop.trim()))
    .filter(Boolean)
  return hops.at(-trustedProxies) ?? socketAddress
}

/** Some proxies add the client's port, a new one for each connection. */
const withoutPort = (hop: string): string => hop.replace(/^\[([^\]]*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1')

/** Headers that browsers send by themselves. */
const browserHeaders =
  /^(host|connection|keep-alive|user-agent|accept(-.+)?|cookie|referer|cache-control|pragma|if-(none-match|modified-since)|sec-.+|upgrade-insecure-requests|dnt|priority|te|save-data)$/

/** Whether a proxy may have passed the request on: it has another header, or HTTP 1.0, which no browser speaks. */
export const isForwarded = (headers: Headers, httpVersion = '1.1'): boolean =>
  httpVersion === '1.0' || [...headers.keys()].some((name) => !browserHeaders.test(name))
