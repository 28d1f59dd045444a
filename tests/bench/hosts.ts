import pg from 'pg'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { median, type TableRow } from './table.ts'

const [rounds, lookups] = [9, 500]

/** Compares the look-up of each request with 10,000 domains of coaches to that with ten. */
export async function measureHosts(
  serverUrl: string,
  prepare: (ownerUrl: string) => Promise<{ appUrl: string }>,
): Promise<Omit<TableRow, 'cpu'>> {
  const databases: { appUrl: string; domains: number }[] = []
  for (const domains of [10, 10_000]) {
    const ownerUrl = await createHostsDatabase(serverUrl, domains)
    const { appUrl } = await prepare(ownerUrl)
    await addDomains(ownerUrl, domains)
    databases.push({ appUrl, domains })
  }
  const [few, many] = await timeLookups(databases)
  const ratio = many! / few!
  return {
    workload: 'Host look-up, 10,000 domains to ten',
    product: `${many!.toFixed(0)} µs`,
    baseline: `${few!.toFixed(0)} µs`,
    ratio: ratio.toFixed(2),
    goal: '≤ 1.1',
    met: ratio <= 1.1,
  }
}

/** Creates an empty database for practices with domains. Returns its URL. */
async function createHostsDatabase(serverUrl: string, domains: number): Promise<string> {
  const name = `bench_hosts_${domains}`
  await asOwner(serverUrl, async (owner) => {
    await owner.query(`drop database if exists ${name}`)
    await owner.query(`create database ${name}`)
  })
  return serverUrl.replace(/[^/?]*(\?|$)/, `${name}$1`)
}

/** Adds practices on Premium, each with a domain that serves it. */
async function addDomains(ownerUrl: string, domains: number): Promise<void> {
  await asOwner(ownerUrl, async (owner) => {
    await owner.query('alter table account no force row level security')
    await owner.query(
      `insert into account (email, first_name, last_name, subdomain, custom_domain, plan, created_at, updated_at)
        select concat('coach', n, '@example.com'), 'Coach', n::text, concat('coach-', n), concat('coaching-', n, '.example.com'),
          'premium', now(), now() from generate_series(1, $1::int) n`,
      [domains],
    )
    await owner.query('alter table account force row level security')
    await owner.query('analyze account')
  })
}

/** Microseconds of a look-up in each database, measured in turn: the medians. */
async function timeLookups(databases: { appUrl: string; domains: number }[]): Promise<number[]> {
  const clients = await Promise.all(
    databases.map(async ({ appUrl }) => {
      const client = new pg.Client({ connectionString: appUrl })
      await client.connect()
      return client
    }),
  )
  const times: number[][] = databases.map(() => [])
  for (let round = 0; round <= rounds; round++)
    for (const [index, client] of clients.entries()) {
      const time = await timeRound(client, databases[index]!.domains)
      // The first round warms up.
      if (round) times[index]!.push(time)
    }
  await Promise.all(clients.map((client) => client.end()))
  return times.map(median)
}

async function timeRound(client: pg.Client, domains: number): Promise<number> {
  const started = performance.now()
  for (let n = 0; n < lookups; n++) {
    const host = `coaching-${1 + ((n * 7919) % domains)}.example.com`
    const { rows } = await client.query({
      name: 'viewer',
      text: 'select account, tenant, owner, is_stale as "isStale" from find_viewer($1, $2, $3)',
      values: [null, host, new Date()],
    })
    if (!rows[0].tenant) throw new Error(`There is no practice at ${host}.`)
  }
  return ((performance.now() - started) / lookups) * 1000
}
