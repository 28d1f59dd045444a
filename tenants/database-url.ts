import { accessSync, constants } from 'node:fs'
import { isLoopback } from './local-addresses.ts'

/** What `pg` does for each `sslmode`; it would take any other value for a connection without TLS. */
const tlsModes: Record<string, string> = {
  disable: 'disable',
  require: 'verify-full',
  'verify-ca': 'verify-full',
  'verify-full': 'verify-full',
  'no-verify': 'no-verify',
}
const fileParameters = ['sslrootcert', 'sslcert', 'sslkey']

/**
 * The connection string with the `sslmode` that all its pools use. Without one, a database on another machine is used
 * with TLS only, and its certificate and host name are verified. Throws an error whose message goes after "it".
 */
export function withTlsMode(url: string): string {
  const { searchParams } = new URL(url)
  const mode = searchParams.get('sslmode') ?? (isLocalDatabase(url) ? 'disable' : 'verify-full')
  if (!tlsModes[mode]) throw new Error(`has an unknown sslmode; choose one of ${Object.keys(tlsModes).join(', ')}`)
  if (searchParams.has('uselibpqcompat')) throw new Error("can't have uselibpqcompat; use sslmode")
  for (const name of fileParameters) checkFile(name, searchParams.get(name))
  const [base = '', query = ''] = url.split('?')
  const others = query.split('&').filter((parameter) => parameter !== '' && !/^ssl(mode)?=/.test(parameter))
  return `${base}?${[...others, `sslmode=${tlsModes[mode]}`].join('&')}`
}

function checkFile(name: string, file: string | null): void {
  if (file === null) return
  try {
    accessSync(file, constants.R_OK)
  } catch {
    throw new Error(`names a file for ${name} that can't be read`)
  }
}

/** The connection string without user and password, wherever it names them. */
export function withoutCredentials(url: string): string {
  const [address = '', query = ''] = url.split('?')
  const others = query.split('&').filter((parameter) => parameter !== '' && !/^(user|password)=/i.test(parameter))
  const base = address.replace(/^(\w+:\/\/)[^/]*@/, '$1')
  return others.length ? `${base}?${others.join('&')}` : base
}

/** A sentence for the terminal about a connection that others could read or change; null for a protected one. */
export function describeUnprotected(url: string): string | null {
  if (isLocalDatabase(url)) return null
  const mode = new URL(url).searchParams.get('sslmode')
  const connection = `The connection to the database on ${getHost(url)}`
  if (mode === 'disable') return `${connection} is not encrypted (sslmode=disable).`
  if (mode === 'no-verify')
    return `${connection} is encrypted, but its certificate is not verified (sslmode=no-verify).`
  return null
}

/** On this machine: a socket folder or a loopback address. */
const isLocalDatabase = (url: string): boolean => {
  const host = getHost(url)
  return host === '' || host.startsWith('/') || isLoopback(host)
}

function getHost(url: string): string {
  const { searchParams, hostname } = new URL(url)
  return searchParams.get('host') ?? decodeURIComponent(hostname)
}
