import { isIPv6 } from 'node:net'

/**
 * Limits count this as one client: an IPv4 address, or the /64 of an IPv6 address, because one customer of a provider has
 * all addresses of a /64.
 */
export function clientNetwork(address: string): string {
  const ip = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!isIPv6(ip)) return ip
  const [start = '', end] = ip.split('::')
  const head = start.split(':').filter(Boolean)
  const tail = (end ?? '').split(':').filter(Boolean)
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0')
  const network = [...head, ...zeros, ...tail].slice(0, 4).map((group) => parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}
