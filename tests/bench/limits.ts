import { asOwner } from '#tests/support/as-db-owner.ts'
import { load, residentMegabytes, type Workload } from './load.ts'
import { fetchRaw, type ServerProcess } from './servers.ts'
import { median } from './table.ts'

/** Records as long as they may be. */
const heavyInteractions = 300
const interactionLength = 50_000
const heavyCoaches = 6
const lightCoaches = 20
const heavySearches = 20
const password = 'the password of the bench'

export type LimitsData = { light: Account[]; heavy: Account[] }
export type Account = { id: number; email: string; cookie: string }

/** Creates an empty database. Returns its URL. */
export async function createEmptyDatabase(serverUrl: string, name: string): Promise<string> {
  await asOwner(serverUrl, async (owner) => {
    await owner.query(`drop database if exists ${name}`)
    await owner.query(`create database ${name}`)
  })
  return serverUrl.replace(/[^/?]*(\?|$)/, `${name}$1`)
}

/** Registers coaches, each with a client, and gives six of them 300 interactions of 50,000 letters. */
export async function createLimitsData(port: number, ownerUrl: string): Promise<LimitsData> {
  const accounts: Account[] = []
  for (let n = 0; n < lightCoaches + heavyCoaches; n++) accounts.push(await register(port, `coach${n}@example.com`))
  const [light, heavy] = [accounts.slice(0, lightCoaches), accounts.slice(lightCoaches)]
  await asOwner(ownerUrl, async (owner) => {
    for (const { id } of heavy) {
      await owner.query(`select set_config('app.coach_id', $1, false)`, [String(id)])
      await owner.query(interactionsSql, [id, heavyInteractions, interactionLength])
    }
    await owner.query('analyze')
  })
  return { light, heavy }
}

export async function register(port: number, email: string): Promise<Account> {
  const send = (target: string, cookie: string, body: object) =>
    fetch(`http://localhost:${port}${target}`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const registered = await send('/api/register', '', { email, password, firstName: 'Coach', lastName: 'Number' })
  const { id } = (await registered.json()) as { id: number }
  const cookie = registered.headers.getSetCookie()[0]!.split(';')[0]!
  const added = await send('/api/clients', cookie, { name: 'Ada Lovelace', email: 'ada@example.com' })
  if (added.status !== 201) throw new Error(`POST /api/clients: status ${added.status}`)
  return { id, email, cookie }
}

const interactionsSql = `
  insert into client_interaction
    (coach_id, client_id, name, content, interaction_date, source, version, created_at, updated_at)
  select $1, (select id from client where coach_id = $1), 'Call',
    left(repeat(md5(n::text) || ' went well ', $3::int / 40), $3::int), now() - n * interval '1 hour', 'manual', 1, now(),
    now()
  from generate_series(1, $2::int) as n`

/** CPU milliseconds of server and Postgres per sign-in. */
export async function measureSignIn(port: number, { light }: LimitsData, pids: () => number[]): Promise<number> {
  let index = 0
  const requests = light.map(({ email }) => {
    const body = JSON.stringify({ email, password })
    const head = `Host: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`
    return Buffer.from(`POST /api/login HTTP/1.1\r\n${head}\r\n\r\n${body}`)
  })
  const workload: Workload = { name: 'Sign-in', status: 200, next: () => requests[index++ % requests.length]! }
  await load(port, workload, 1, pids)
  return (await load(port, workload, 4, pids)).cpu
}

/** The p95 of a practice, alone and while another one searches 20 times at once, over and over. */
export async function measureNeighbor(
  port: number,
  { light: [neighbor], heavy: [heavy] }: LimitsData,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<{ quiet: number; busy: number; ratio: number }> {
  const request = Buffer.from(
    `GET /api/clients HTTP/1.1\r\nHost: localhost\r\nCookie: ${neighbor!.cookie}\r\nAccept: */*\r\n\r\n`,
  )
  const workload: Workload = { name: 'GET /api/clients', status: 200, next: () => request }
  const measure = async () => (await load(port, workload, seconds, () => [], 1)).p95
  await measure()
  const results: { quiet: number; busy: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const quiet = await measure()
    const busy = await whileRepeating(
      heavySearches,
      () => getPage(port, '/api/search?in=content&q=nowhere', heavy!.cookie, [200, 429]),
      measure,
    )
    results.push({ quiet, busy })
  }
  return {
    quiet: median(results.map(({ quiet }) => quiet)),
    busy: median(results.map(({ busy }) => busy)),
    ratio: median(results.map(({ quiet, busy }) => busy / quiet)),
  }
}

/** The most memory in MB while six coaches read their largest list, of 15 MB, to the end and again. */
export async function measureLists({ port, pid }: ServerProcess, { heavy }: LimitsData): Promise<number> {
  let highest = 0
  const watch = setInterval(() => (highest = Math.max(highest, residentMegabytes(pid))), 20)
  await Promise.all(
    heavy.map(async ({ cookie }) => {
      for (let round = 0; round < 5; round++)
        for (let next: string | undefined = '/api/client-interactions'; next; )
          next = await getPage(port, next, cookie, [200])
    }),
  )
  clearInterval(watch)
  return highest
}

/** Runs `work` on `count` loops at once while `measure` runs. */
export async function whileRepeating<Result>(
  count: number,
  work: () => Promise<unknown>,
  measure: () => Promise<Result>,
): Promise<Result> {
  let isMeasured = false
  const loops = Array.from({ length: count }, async () => {
    while (!isMeasured) await work()
  })
  try {
    return await measure()
  } finally {
    isMeasured = true
    await Promise.all(loops)
  }
}

/** Returns the path of the list's next page, if there is one. */
export async function getPage(
  port: number,
  target: string,
  cookie: string,
  statuses: number[],
): Promise<string | undefined> {
  const { status, headers } = await fetchRaw(port, target, { cookie })
  if (!statuses.includes(status)) throw new Error(`${target}: status ${status}`)
  const next = /<([^>]+)>; rel="next"/.exec(String(headers.link ?? ''))?.[1]
  return next?.replace(/^https?:\/\/[^/]+/, '')
}
