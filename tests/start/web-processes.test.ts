import { readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { processTree } from '#tests/bench/load.ts'
import { mailServer } from '#tests/support/mail-server.ts'
import { startDatabase } from './support/database.ts'
import { call, createTempFolder, getStatus, serve, waitUntilReady, type RunningProcess } from './support/process.ts'

test('WEB_PROCESSES=2 serves with two processes and a worker, starts those again that are killed, and stops all', async () => {
  const mails = await mailServer()
  onTestFinished(() => mails.close())
  const running = await serve({ DATA_DIR: createTempFolder(), WEB_PROCESSES: '2', SMTP_URL: mails.url }, '--empty')
  await waitUntilAllServe(running)
  const first = listRoles(running)
  expect([...first.values()].toSorted()).toEqual(['web', 'web', 'worker'])

  for (let sent = 0; sent < 8; sent++) expect(await getStatus(running.port, '/healthz')).toBe(200)
  const before = await readMetrics(running)
  expect([...before.startTimes.keys()].toSorted()).toEqual(['web-1', 'web-2', 'worker'])
  expect(before.healthChecks).toBe(8)

  const [web] = [...first].find(([, role]) => role === 'web')!
  process.kill(web, 'SIGKILL')
  // The other one goes on. A connection of the killed one ends.
  await expect.poll(() => getStatus(running.port, '/readyz')).toBe(200)
  await expect.poll(() => hasNew(running, first, 'web'), { timeout: 30_000 }).toBe(true)
  // The new process has the name of the killed one.
  await expect
    .poll(async () => [...(await readMetrics(running)).startTimes.keys()].toSorted(), { timeout: 30_000 })
    .toEqual(['web-1', 'web-2', 'worker'])
  const { startTimes } = await readMetrics(running)
  const isNewer = (name: string) => startTimes.get(name)! > before.startTimes.get(name)!
  expect(['web-1', 'web-2'].filter(isNewer)).toHaveLength(1)

  const [worker] = [...first].find(([, role]) => role === 'worker')!
  process.kill(worker, 'SIGKILL')
  await expect.poll(() => hasNew(running, first, 'worker'), { timeout: 30_000 }).toBe(true)
  const account = { email: 'mara@example.com', password: 'a long and rare word', firstName: 'Mara', lastName: 'Lind' }
  expect((await call(running, 'POST', '/api/register', { body: account })).status).toBe(201)
  expect((await mails.next()).raw).toContain('To: mara@example.com')

  const children = [...listRoles(running).keys()]
  running.child.kill('SIGTERM')
  expect(await running.exit, running.output()).toBe(0)
  expect(children.filter(isAlive)).toEqual([])
})

test('web processes of a database elsewhere go on when one of them is killed', async () => {
  const { ownerUrl } = await startDatabase()
  const running = await serve({
    DATA_DIR: createTempFolder(),
    DATABASE_URL: ownerUrl,
    SECRET_KEY: 'for these tests alone and long enough',
    WEB_PROCESSES: '3',
    ROLE: 'web',
  })
  await waitUntilAllServe(running)
  const first = listRoles(running)
  expect([...first.values()]).toEqual(['web', 'web', 'web'])
  const statuses: (number | undefined)[] = []
  process.kill([...first.keys()][0]!, 'SIGKILL')
  while (!hasNew(running, first, 'web')) statuses.push(await getStatus(running.port, '/healthz'))
  // A connection can end with the killed process.
  expect(statuses.filter((status) => status !== 200).length, statuses.join()).toBeLessThanOrEqual(1)
  expect(statuses).toContain(200)
})

test('fifty scrapes at once get the metrics of all processes, and one gets a 503 while the supervisor is frozen', async () => {
  const { ownerUrl } = await startDatabase()
  const running = await serve({
    DATA_DIR: createTempFolder(),
    DATABASE_URL: ownerUrl,
    SECRET_KEY: 'for these tests alone and long enough',
    WEB_PROCESSES: '2',
    ROLE: 'web',
  })
  await waitUntilAllServe(running)
  const scrapes = await Promise.all(Array.from({ length: 50 }, () => readMetrics(running)))
  const names = new Set(scrapes.map(({ startTimes }) => [...startTimes.keys()].toSorted().join()))
  expect([...names]).toEqual(['web-1,web-2'])

  // The supervisor accepts connections: only one that is open reaches a process then.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const scrape = () =>
    new Promise<number | undefined>((resolve, reject) => {
      get({ port: running.port, path: '/metrics', agent }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode))
      }).on('error', reject)
    })
  expect(await scrape()).toBe(200)
  running.child.kill('SIGSTOP')
  onTestFinished(() => void running.child.kill('SIGCONT'))
  expect(await scrape()).toBe(503)
  running.child.kill('SIGCONT')
  expect(await scrape()).toBe(200)
})

/** The first web process is ready before the others serve. */
async function waitUntilAllServe(running: RunningProcess): Promise<void> {
  await waitUntilReady(running)
  await expect.poll(running.output, { timeout: 30_000 }).toContain('Ctrl+C stops it')
}

/** When each process started, by name, and the health checks that all of them have counted. */
async function readMetrics({
  port,
}: RunningProcess): Promise<{ startTimes: Map<string, number>; healthChecks: number }> {
  const text = await (await fetch(`http://localhost:${port}/metrics`)).text()
  const list = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, first, second]) => [first!, second!] as const)
  const startTimes = list(/^process_start_time_seconds\{process="([^"]+)"\} (\S+)$/gm)
  const checks = list(/^http_requests_total\{process="([^"]+)",method="GET",route="\/healthz",status="200"\} (\d+)$/gm)
  return {
    startTimes: new Map(startTimes.map(([name, time]) => [name, Number(time)])),
    healthChecks: checks.reduce((sum, [, count]) => sum + Number(count), 0),
  }
}

/** The role of each process that the supervisor has started, by pid. */
function listRoles({ child }: RunningProcess): Map<number, string> {
  const roles = new Map<number, string>()
  for (const pid of processTree(child.pid!).slice(1)) {
    const role = /(?:^|\0)NODE_UNIQUE_ID=.*?(?:\0|$)/s.test(readEnvironment(pid)) && readRole(pid)
    if (role) roles.set(pid, role)
  }
  return roles
}

const readRole = (pid: number): string | undefined => /(?:^|\0)ROLE=([^\0]*)/.exec(readEnvironment(pid))?.[1]

function readEnvironment(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
  } catch {
    return ''
  }
}

const hasNew = (running: RunningProcess, before: Map<number, string>, role: string): boolean =>
  [...listRoles(running)].some(([pid, own]) => own === role && !before.has(pid))

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
