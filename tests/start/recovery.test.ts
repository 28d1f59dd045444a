import path from 'node:path'
import { expect, test } from 'vitest'
import {
  call,
  createTempFolder,
  getDemoSignIn,
  getPostmaster,
  serve,
  waitUntilReady,
  type Answer,
  type RunningProcess,
} from './support/process.ts'

test('kill -9 of app, database or both during writes, twenty times, loses no acknowledged write and recovers within five seconds', {
  timeout: 300_000,
}, async () => {
  const dir = createTempFolder()
  const [clients, sessions] = [new Set<string>(), new Set<string>()]
  let running = await serve({ DATA_DIR: dir })
  await waitUntilReady(running)
  const cookie = (await signIn(running, dir))!
  expect(cookie).not.toBeNull()
  const [{ id: clientId } = { id: 0 }] = await list<{ id: number }>(running, cookie, '/api/clients')

  for (let round = 0; round < 20; round++) {
    const named = (writer: number) => `Round ${round} writer ${writer}`
    const writing = [
      ...[0, 1].map((writer) => addClientsUntilKilled(running, cookie, named(writer), clients)),
      ...[2, 3].map((writer) => completeSessionsUntilKilled(running, cookie, clientId, named(writer), sessions)),
    ]
    const [clientsBefore, sessionsBefore] = [clients.size, sessions.size]
    await expect
      .poll(() => Math.min(clients.size - clientsBefore, sessions.size - sessionsBefore), {
        interval: 10,
        timeout: 30_000,
      })
      .toBeGreaterThan(3)
    const killed = ['app', 'database', 'both'][round % 3]
    if (killed !== 'app') process.kill(postmaster(dir), 'SIGKILL')
    if (killed !== 'database') running.child.kill('SIGKILL')
    await Promise.all(writing)

    const began = performance.now()
    if (killed === 'database') await waitUntilReady(running)
    else {
      await running.exit
      running = await serve({ DATA_DIR: dir, PORT: String(running.port) })
      await waitUntilReady(running)
    }
    expect(performance.now() - began).toBeLessThan(5_000)
  }

  const kept = new Set((await list<{ email: string }>(running, cookie, '/api/clients')).map(({ email }) => email))
  expect([...clients].filter((email) => !kept.has(email))).toEqual([])
  // A completed session has its notes once, another none: both are one transaction.
  const marked = (
    await list<{ title: string; sessionCompleted: boolean }>(running, cookie, '/api/appointments')
  ).filter(({ title, sessionCompleted }) => sessionCompleted && title.startsWith('Round'))
  const noted = (await list<{ name: string }>(running, cookie, `/api/clients/${clientId}/interactions`))
    .map(({ name }) => name)
    .filter((name) => name.startsWith('Round'))
  expect(noted.toSorted()).toEqual(marked.map(({ title }) => title).toSorted())
  expect([...sessions].filter((title) => !noted.includes(title))).toEqual([])
})

/** Adds clients until the server is killed, and records the acknowledged email addresses. */
function addClientsUntilKilled(
  running: RunningProcess,
  cookie: string,
  name: string,
  acknowledged: Set<string>,
): Promise<void> {
  return repeatUntilKilled(async (n) => {
    const email = `${name.replaceAll(' ', '.').toLowerCase()}.${n}@example.com`
    const { status } = await call(running, 'POST', '/api/clients', {
      cookie,
      body: { name: `${name} no. ${n}`, email },
    })
    if (status === 201) acknowledged.add(email)
    return status === 201
  })
}

/** Completes sessions with notes until the server is killed, and records the acknowledged titles. */
function completeSessionsUntilKilled(
  running: RunningProcess,
  cookie: string,
  clientId: number,
  name: string,
  acknowledged: Set<string>,
): Promise<void> {
  return repeatUntilKilled(async (n) => {
    const title = `${name} no. ${n}`
    const added = await call<{ id: number }>(running, 'POST', '/api/appointments', {
      cookie,
      body: { title, clientId, startTime: '2020-01-01T09:00:00Z', endTime: '2020-01-01T10:00:00Z' },
    })
    if (added.status !== 201) return false
    const { status } = await call(running, 'POST', `/api/appointments/${added.body.id}/complete`, {
      cookie,
      body: { notes: title },
    })
    if (status === 200) acknowledged.add(title)
    return status === 200
  })
}

async function repeatUntilKilled(write: (n: number) => Promise<boolean>): Promise<void> {
  try {
    for (let n = 0; await write(n); n++);
  } catch {
    // The server was killed during a response.
  }
}

async function list<One>(running: RunningProcess, cookie: string, pathname: string): Promise<One[]> {
  const found: One[] = []
  for (let next: string | null = pathname; next; ) {
    const answer: Answer<One[]> = await call(running, 'GET', next, { cookie })
    found.push(...answer.body)
    next = answer.nextPage
  }
  return found
}

/** Returns the demo coach's session cookie, or null if sign-in fails. */
async function signIn(running: RunningProcess, dir: string): Promise<string | null> {
  const { status, cookie } = await call(running, 'POST', '/api/login', { body: getDemoSignIn(dir) })
  return status === 200 ? cookie : null
}

const postmaster = (dir: string): number => getPostmaster(path.join(dir, 'postgres'))
