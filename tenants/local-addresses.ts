import { isIP } from 'node:net'

/** Whether a host name or IP address means this machine: localhost, 127.0.0.0/8 or ::1, also as ::ffff:127.0.0.1. */
export function isLoopback(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/^::ffff:/, '')
  if (isIP(name) === 4) return name.startsWith('127.')
  return name === '::1' || name === 'localhost' || name.endsWith('.localhost')
}
