import { isIP } from 'node:net'
import { AppError } from '#app/lib/errors.ts'
import { looksLikePlatform } from '../accounts/subdomains.ts'
import type { Config } from '../config.ts'

const reject = (message: string): AppError => new AppError('validation_failed', message, { field: 'hostname' })

/** Names that never lead to another machine, or only inside of a network. */
const internalSuffixes = ['localhost', 'local', 'internal', 'invalid', 'onion', 'arpa', 'lan', 'home', 'corp', 'test']

export const hostnamePattern = /^(?=.{4,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])$/

/** The name that a coach typed or pasted: lower case, without the parts of a URL. */
export function normalizeHostname(text: string): string {
  const name = text.trim().toLowerCase()
  return name
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '')
    .replace(/\.$/, '')
}

/** Finds the problem of a name as such; null: it may be a domain of a coach. */
export function findNameProblem(hostname: string): string | null {
  if (hostname.includes('*')) return 'A wildcard is not possible. Enter one address, such as coaching.example.com'
  if (isIP(hostname.replace(/^\[(.*)\]$/, '$1')) || /^[\d.]+(:\d+)?$/.test(hostname))
    return 'This is an IP address. Enter a domain, such as coaching.example.com'
  // Letters of other scripts look like Latin ones.
  if (/[^\0-\x7f]/.test(hostname) || hostname.split('.').some((label) => /^..--/.test(label)))
    return 'Domains with letters beyond a–z are not possible'
  if (!hostnamePattern.test(hostname)) return 'Enter a domain, such as coaching.example.com'
  const isInternal = internalSuffixes.some((suffix) => hostname.endsWith(`.${suffix}`))
  return isInternal ? 'This domain can’t be reached from the internet' : null
}

/**
 * Throws validation_failed for a domain below which everybody registers names, an address of the platform, and one that
 * looks like it.
 */
export async function checkHostname(config: Pick<Config, 'platformName' | 'origin'>, hostname: string): Promise<void> {
  const { getDomain, parse } = await import('tldts')
  const options = { allowPrivateDomains: true }
  const { domain, publicSuffix } = parse(hostname, options)
  if (!domain) throw reject(`Anyone can register names under ${publicSuffix ?? hostname}. Enter a domain of your own`)
  const platform = new URL(config.origin).hostname
  const isPlatforms =
    hostname === platform || hostname.endsWith(`.${platform}`) || domain === getDomain(platform, options)
  if (isPlatforms) throw reject(`This is an address of ${config.platformName}`)
  if (hostname.split('.').some((label) => looksLikePlatform(config, label)))
    throw reject(`This domain looks like an address of ${config.platformName}`)
}

/** Whether nothing is left of the domain but the name that was registered: most providers allow no CNAME there. */
export async function isApex(hostname: string): Promise<boolean> {
  const { getDomain } = await import('tldts')
  return getDomain(hostname, { allowPrivateDomains: true }) === hostname
}
