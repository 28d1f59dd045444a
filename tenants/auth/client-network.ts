import { isIPv6 } from 'node:net'

/**
 * Limits count this as one client: an IPv4 address, or the /64 of an IPv6 address, because one customer of a provider
 * has all addresses of a /64.
 */
export function clientNetwork(address: string): string {
  const groups = expandIPv6(address)
  return groups ? `${groups.slice(0, 4).join(':')}::/64` : withoutIPv4Prefix(address)
}

/** The /48 of an IPv6 address: some customers have all 65,536 networks of one. Null for an IPv4 address. */
export function clientSite(address: string): string | null {
  const groups = expandIPv6(address)
  return groups && `${groups.slice(0, 3).join(':')}::/48`
}

const withoutIPv4Prefix = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

/** The first groups of an IPv6 address, at least four; null for any other text. */
function expandIPv6(address: string): string[] | null {
  const ip = withoutIPv4Prefix(address)
  if (!isIPv6(ip)) return null
  const [start = '', end] = ip.split('::')
  const head = start.split(':').filter(Boolean)
  const tail = (end ?? '').split(':').filter(Boolean)
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0')
  return [...head, ...zeros, ...tail].slice(0, 4).map((group) => parseInt(group, 16).toString(16))
}
