import type { Config } from '../config.ts'
import type { DomainProblem } from './states.ts'
import { NoAnswer, type DnsResolver } from './resolver.ts'

type Claim = { hostname: string; token: string }
export type DnsRecord<Type = 'TXT' | 'CNAME' | 'A' | 'AAAA'> = { type: Type; name: string; value: string }

const proofName = (hostname: string): string => `_practice-verify.${hostname}`
const proofText = (token: string): string => `practice-verify=${token}`

/** The host of the platform, to which domains lead. */
const getTarget = ({ origin }: Pick<Config, 'origin'>): string => new URL(origin).hostname

/** The records that a coach adds: the proof, and the way here. */
export function listDnsRecords(
  config: Pick<Config, 'origin'>,
  { hostname, token }: Claim,
): [DnsRecord<'TXT'>, DnsRecord<'CNAME'>] {
  return [
    { type: 'TXT', name: proofName(hostname), value: proofText(token) },
    { type: 'CNAME', name: hostname, value: getTarget(config) },
  ]
}

/** The records in place of the CNAME where a domain can't have one. None if DNS doesn't answer now. */
export async function listAddressRecords(
  dns: DnsResolver,
  config: Pick<Config, 'origin'>,
  hostname: string,
): Promise<DnsRecord[]> {
  const target = getTarget(config)
  const [ipv4, ipv6] = await Promise.all([dns.listIpv4(target).catch(() => []), dns.listIpv6(target).catch(() => [])])
  return [
    ...ipv4.map((value) => ({ type: 'A' as const, name: hostname, value })),
    ...ipv6.map((value) => ({ type: 'AAAA' as const, name: hostname, value })),
  ]
}

/** Returns what is wrong with the DNS of a domain; null: it is the coach's, and leads here. */
export async function verifyDomain(
  dns: DnsResolver,
  config: Pick<Config, 'origin'>,
  { hostname, token }: Claim,
): Promise<DomainProblem | null> {
  try {
    const texts = await dns.listTexts(proofName(hostname))
    if (!texts.some((text) => text.trim() === proofText(token))) return texts.length ? 'other_proof' : 'no_proof'
    return await verifyAddress(dns, getTarget(config), hostname)
  } catch (error) {
    if (error instanceof NoAnswer) return 'no_answer'
    throw error
  }
}

async function verifyAddress(dns: DnsResolver, target: string, hostname: string): Promise<DomainProblem | null> {
  const aliases = await dns.listAliases(hostname)
  if (aliases.some((alias) => isBelow(alias.toLowerCase().replace(/\.$/, ''), target))) return null
  const [ipv4, ipv6, ownIpv4, ownIpv6] = await Promise.all([
    dns.listIpv4(hostname),
    dns.listIpv6(hostname),
    dns.listIpv4(target),
    dns.listIpv6(target),
  ])
  if (!ipv4.length && !ipv6.length) return 'no_address'
  // A provider that resolves the alias itself, or a domain that can't have one, has the same addresses.
  if (!ipv4.every((address) => ownIpv4.includes(address))) return 'other_address'
  return ipv6.every((address) => ownIpv6.includes(address)) ? null : 'other_ipv6'
}

const isBelow = (name: string, parent: string): boolean => name === parent || name.endsWith(`.${parent}`)
