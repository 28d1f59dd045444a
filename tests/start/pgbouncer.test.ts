import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { formatUrl } from '#db/embedded/connection.ts'
import { prepareDataDir, type DataDir } from '#db/embedded/data-dir.ts'
import { startEmbedded } from '#db/embedded/embedded.ts'
import { ensureRunning, stopServer } from '#db/embedded/server.ts'
import { processTree } from '#tests/bench/load.ts'
import { mailServer } from '#tests/support/mail-server.ts'
import { startPgBouncer } from './support/pgbouncer.ts'
import {
  call,
  createTempFolder,
  getPostmaster,
  getStatus,
  queryAsSuperuser,
  serve,
  waitUntilReady,
  type Answer,
  type RunningProcess,
} from './support/process.ts'

const recoveryMs = 5_000
/** A statement waits 10 seconds for an answer. */
const longestAnswerMs = 15_000

test('two web processes and a worker behind PgBouncer survive a database that is stopped, frozen and killed', async () => {
  const { dataDir, url, folder } = await startDatabase()
  const mails = await mailServer()
  onTestFinished(() => mails.close())
  let delivered = 0
  void (async () => {
    for (;;) if ((await mails.next()).raw.includes('Subject: Reset your')) delivered++
  })()
  const env = {
    DATABASE_URL: url,
    DATA_DIR: folder,
    SECRET_KEY: 'a key for this test alone',
    RATE_LIMIT_FACTOR: '1000',
    SMTP_URL: mails.url,
  }
  const first = await serve({ ...env, ROLE: 'web' })
  await waitUntilReady(first)
  const [second] = await Promise.all([serve({ ...env, ROLE: 'web' }), serve({ ...env, ROLE: 'worker' })])
  const web = [first, second]
  await waitUntilReady(second)

  await expectSeparateCoaches(web)

  const coach = await register(first, 'busy@example.com')
  await queryAsSuperuser(dataDir.root, `update account set plan = 'premium' where email = '${coach.email}'`)
  const load = startLoad(web, coach)
  onTestFinished(async () => void (await load.stop()))
  const outages: [what: string, begin: () => Promise<unknown>, end: () => Promise<unknown>][] = [
    ['stopped', () => stopServer(dataDir), () => ensureRunning(dataDir)],
    ['frozen', async () => signal(dataDir, 'SIGSTOP'), async () => signal(dataDir, 'SIGCONT')],
    ['killed', async () => process.kill(getPostmaster(dataDir.root), 'SIGKILL'), () => ensureRunning(dataDir)],
  ]
  for (const [what, begin, end] of outages) {
    await load.acknowledges(20)
    await begin()
    for (const { port } of web) await expect.poll(() => getStatus(port, '/readyz'), { timeout: 5_000 }).toBe(503)
    await load.answers(503)
    await end()
    const began = performance.now()
    await Promise.all([...web.map((process) => waitUntilReady(process)), load.answers(201)])
    expect(performance.now() - began, what).toBeLessThan(recoveryMs)
  }
  const { acknowledged, resets, unexpected, slowestMs } = await load.stop()

  expect(unexpected).toEqual([])
  expect(slowestMs).toBeLessThan(longestAnswerMs)
  const kept = await queryAsSuperuser<{ email: string }>(
    dataDir.root,
    `select email from client where coach_id = ${coach.id}`,
  )
  const emails = new Set(kept.map(({ email }) => email))
  expect(acknowledged.filter((email) => !emails.has(email))).toEqual([])
  // A job that runs when its database goes is repeated.
  await expect.poll(() => delivered, { timeout: 30_000 }).toBeGreaterThanOrEqual(resets)
})

type Coach = { id: number; email: string; cookie: string }

/** Starts an embedded database that nobody restarts, and PgBouncer in front of it. */
async function startDatabase() {
  const folder = createTempFolder()
  const dir = path.join(folder, 'postgres')
  await (await startEmbedded({ dir })).stop()
  const dataDir = await prepareDataDir(dir)
  const { sockets } = await ensureRunning(dataDir)
  onTestFinished(() => {
    // A frozen one doesn't stop.
    signal(dataDir, 'SIGCONT')
    return stopServer(dataDir)
  })
  return { dataDir, url: await startPgBouncer(formatUrl(sockets, 'practice_owner', 'practice'), folder), folder }
}

/** Sends a signal to the server, then to its processes: a stopped one starts no more of them. */
function signal({ root }: DataDir, name: 'SIGSTOP' | 'SIGCONT'): void {
  const postmaster = getPostmaster(root)
  if (!trySignal(postmaster, name)) return
  for (const pid of processTree(postmaster)) trySignal(pid, name)
}

/** Returns false if the process has ended. */
function trySignal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return pid > 0 && process.kill(pid, name)
  } catch {
    return false
  }
}

/** Many coaches share few connections: each one gets their own records, and the limits of plans hold. */
async function expectSeparateCoaches(web: RunningProcess[]): Promise<void> {
  const coaches = await Promise.all(Array.from({ length: 6 }, (_, n) => register(web[n % 2]!, `coach${n}@example.com`)))
  const every = <Result>(count: number, work: (coach: Coach, process: RunningProcess, n: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: count }, (_, n) => work(coaches[n % 6]!, web[n % 2]!, n)))
  const added = await every(60, ({ cookie, email }, process, n) =>
    call(process, 'POST', '/api/clients', { cookie, body: { name: `Client of ${email}`, email: `c${n}@example.com` } }),
  )
  const statuses = added.map(({ status }) => status).toSorted()
  expect(statuses).toEqual([...Array<number>(6).fill(201), ...Array<number>(54).fill(403)])
  await every(300, async ({ cookie, email }, process) => {
    const { body } = await call<{ name: string }[]>(process, 'GET', '/api/clients?limit=10', { cookie })
    expect(body.map(({ name }) => name)).toEqual([`Client of ${email}`])
  })
}

/** Writes and reads until `stop`, at both web processes. */
function startLoad(web: RunningProcess[], { cookie, email }: Coach) {
  const acknowledged: string[] = []
  const unexpected: string[] = []
  let [resets, slowestMs, stopped] = [0, 0, false]
  const lastAnswers = web.map(() => ({ status: 0, at: 0 }))

  const repeat = async (index: number, expected: number, send: (n: number) => Promise<Answer<unknown>>) => {
    for (let n = 0; !stopped; n++) {
      const began = performance.now()
      const { status, retryAfter, summary } = await send(n)
      slowestMs = Math.max(slowestMs, performance.now() - began)
      if (status === 503 ? retryAfter !== '5' : status !== expected) unexpected.push(summary)
      if (expected === 201) lastAnswers[index] = { status, at: performance.now() }
      await pause(status === 503 ? 100 : 20)
    }
  }
  const loops = web.flatMap((process, index) => [
    ...[0, 1].map((writer) =>
      repeat(index, 201, async (n) => {
        const body = { name: 'Added during an outage', email: `p${process.port}.${writer}.${n}@example.com` }
        const answer = await call(process, 'POST', '/api/clients', { cookie, body })
        if (answer.status === 201) acknowledged.push(body.email)
        return answer
      }),
    ),
    repeat(index, 200, () => call(process, 'GET', '/api/clients?limit=5', { cookie })),
    repeat(index, 200, () => call(process, 'GET', '/clients', { cookie })),
    repeat(index, 202, async () => {
      const answer = await call(process, 'POST', '/api/auth/forgot-password', { body: { email } })
      if (answer.status === 202) resets++
      await pause(200)
      return answer
    }),
  ])
  return {
    /** Waits until `count` more writes are acknowledged. */
    async acknowledges(count: number) {
      const before = acknowledged.length
      await expect.poll(() => acknowledged.length - before, { timeout: 20_000, interval: 20 }).toBeGreaterThan(count)
    },
    /** Waits until both processes have answered a write that is sent from now on with `status`. */
    async answers(status: number) {
      const since = performance.now()
      const hasAnswered = () => lastAnswers.every((answer) => answer.status === status && answer.at > since)
      await expect.poll(() => unexpected[0] ?? hasAnswered(), { timeout: 20_000, interval: 20 }).toBe(true)
    },
    async stop() {
      stopped = true
      await Promise.all(loops)
      return { acknowledged, resets, unexpected, slowestMs }
    },
  }
}

async function register(process: RunningProcess, email: string): Promise<Coach> {
  const body = { email, password: 'long and uncommon', firstName: 'Ada', lastName: 'Lovelace' }
  const answer = await call<{ id: number }>(process, 'POST', '/api/register', { body })
  expect(answer.status, answer.summary).toBe(201)
  return { id: answer.body.id, email, cookie: answer.cookie }
}
