import { BlockList, isIP } from 'node:net'
import type { DnsResolver } from '#tenants/domains/resolver.ts'

/** The address to connect to, found and checked before, so that a second look-up can't lead elsewhere. */
export type PinnedAddress = { address: string; family: 4 | 6 }

const privateRanges = new BlockList()
for (const range of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]) {
  const [network, prefix] = range.split('/')
  privateRanges.addSubnet(network!, Number(prefix), 'ipv4')
}
/** Tunnels, which lead to IPv4 addresses, and documentation. */
for (const range of ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']) {
  const [network, prefix] = range.split('/')
  privateRanges.addSubnet(network!, Number(prefix), 'ipv6')
}
/** The only part of IPv6 that is public: without the mapped IPv4, local and multicast ones. */
const globalRange = new BlockList()
globalRange.addSubnet('2000::', 3, 'ipv6')

export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !privateRanges.check(address, 'ipv4')
  return family === 6 && globalRange.check(address, 'ipv6') && !privateRanges.check(address, 'ipv6')
}

/**
 * The address of a host, which must be public, and so must all that DNS names for it. Null if there is none, or one is
 * not public. Throws NoAnswer.
 */
export async function findPublicAddress(dns: DnsResolver, hostname: string): Promise<PinnedAddress | null> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const literal = isIP(host)
  const addresses = literal ? [host] : await listAddresses(dns, host)
  const [address] = addresses
  if (!address || !addresses.every(isPublicAddress)) return null
  return { address, family: isIP(address) as 4 | 6 }
}

async function listAddresses(dns: DnsResolver, host: string): Promise<string[]> {
  const [ipv4, ipv6] = await Promise.all([dns.listIpv4(host), dns.listIpv6(host)])
  return [...ipv4, ...ipv6]
}
