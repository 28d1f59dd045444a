import { Resolver } from 'node:dns/promises'

/** Asks DNS about a name. Each throws `NoAnswer` if no server replies; a name without such records has none. */
export type DnsResolver = {
  listTexts(name: string): Promise<string[]>
  /** The name of which `name` is an alias. */
  listAliases(name: string): Promise<string[]>
  listIpv4(name: string): Promise<string[]>
  listIpv6(name: string): Promise<string[]>
}

/** The question stays open: no server replied, or it failed. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
}

const options = { timeout: 1_000, tries: 2 }
/** The name doesn't exist, or has no such records. */
const empty = new Set(['ENOTFOUND', 'ENODATA'])

/** Asks `servers`, or those of the machine. Nothing is cached: a coach who has added a record sees it found. */
export function createDnsResolver(servers: string[]): DnsResolver {
  const ask = async <T>(query: (resolver: Resolver) => Promise<T[]>): Promise<T[]> => {
    const resolver = new Resolver(options)
    if (servers.length) resolver.setServers(servers)
    try {
      return await query(resolver)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code && empty.has(code)) return []
      throw new NoAnswer(code ?? 'unknown')
    }
  }
  return {
    async listTexts(name) {
      // A long text comes in pieces.
      return (await ask((resolver) => resolver.resolveTxt(name))).map((pieces) => pieces.join(''))
    },
    listAliases: (name) => ask((resolver) => resolver.resolveCname(name)),
    listIpv4: (name) => ask((resolver) => resolver.resolve4(name)),
    listIpv6: (name) => ask((resolver) => resolver.resolve6(name)),
  }
}
