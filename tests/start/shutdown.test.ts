import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { expect, test } from 'vitest'
import {
  aFolder,
  answering,
  freePort,
  launch,
  plainEnvironment,
  serve,
  statusOf,
  type Running,
} from './support/process.ts'

test('SIGTERM answers the requests in flight, stops the database and exits with 0', async () => {
  const dir = aFolder()
  const running = await serve({ DATA_DIR: dir }, '--empty')
  await answering(running)
  const socket = connect(running.port, '127.0.0.1')
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'not-the-password' })
  const head = [
    `POST /api/login HTTP/1.1`,
    `Host: localhost:${running.port}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 10)}`)
  await statusOf(running.port, '/healthz')

  running.child.kill('SIGTERM')
  await untilRefused(running.port)
  socket.write(body.slice(10))
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 401 /)
  socket.destroy()
  expect(await running.exit).toBe(0)
  expect(isRunning(postmaster(dir))).toBe(false)
})

test('while developing, SIGTERM stops the database too', async () => {
  const dir = aFolder()
  const port = await freePort()
  const running = launch(process.execPath, ['scripts/dev.ts', '--empty'], {
    port,
    env: { ...plainEnvironment(), NODE_ENV: 'development', PORT: String(port), DATA_DIR: dir },
  })
  await answering(running)
  expect(isRunning(postmaster(dir))).toBe(true)

  running.child.kill('SIGTERM')
  expect(await running.exit, running.said()).toBe(0)
  expect(isRunning(postmaster(dir))).toBe(false)
})

test('Ctrl-C, which arrives from the terminal and from npm, is one wish', async () => {
  const running = await serve({ DATA_DIR: aFolder() }, '--empty')
  await answering(running)
  running.child.kill('SIGINT')
  running.child.kill('SIGINT')
  expect(await running.exit).toBe(0)
})

test('two run side by side with another PORT and DATA_DIR', async () => {
  const [one, two] = await Promise.all([
    serve({ DATA_DIR: aFolder() }, '--empty'),
    serve({ DATA_DIR: aFolder() }, '--empty'),
  ])
  await Promise.all([answering(one), answering(two)])
  one.child.kill('SIGTERM')
  expect(await one.exit).toBe(0)
  expect(await statusOf(two.port, '/readyz')).toBe(200)
})

test('a practice begun with --empty never gets the demo', async () => {
  const dir = aFolder()
  for (const args of [['--empty'], []]) {
    const running = await serve({ DATA_DIR: dir }, ...args)
    await answering(running)
    expect(await signIn(running)).toBeNull()
    running.child.kill('SIGTERM')
    expect(await running.exit).toBe(0)
  }
})

test('kill -9 of app, database or both, twenty times during writes, loses no acknowledged one and is back within five seconds', {
  timeout: 300_000,
}, async () => {
  const dir = aFolder()
  const [clients, sessions] = [new Set<string>(), new Set<string>()]
  let running = await serve({ DATA_DIR: dir })
  await answering(running)
  const cookie = (await signIn(running))!
  expect(cookie).not.toBeNull()
  const [{ id: clientId } = { id: 0 }] = await list<{ id: number }>(running, cookie, '/api/clients?limit=1')

  for (let round = 0; round < 20; round++) {
    const named = (writer: number) => `Round ${round} writer ${writer}`
    const writing = [
      ...[0, 1].map((writer) => addUntilBroken(running, cookie, named(writer), clients)),
      ...[2, 3].map((writer) => meetUntilBroken(running, cookie, clientId, named(writer), sessions)),
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
    if (killed === 'database') await answering(running)
    else {
      await running.exit
      running = await serve({ DATA_DIR: dir, PORT: String(running.port) })
      await answering(running)
    }
    expect(performance.now() - began).toBeLessThan(5_000)
  }

  const kept = new Set((await list<{ email: string }>(running, cookie, '/api/clients')).map(({ email }) => email))
  expect([...clients].filter((email) => !kept.has(email))).toEqual([])
  // A session that is marked as held has its notes, once; one that isn't has none: they are one change, acknowledged or not.
  const marked = (
    await list<{ title: string; sessionCompleted: boolean }>(running, cookie, '/api/appointments')
  ).filter(({ title, sessionCompleted }) => sessionCompleted && title.startsWith('Round'))
  const noted = (await list<{ name: string }>(running, cookie, `/api/clients/${clientId}/interactions`))
    .map(({ name }) => name)
    .filter((name) => name.startsWith('Round'))
  expect(noted.toSorted()).toEqual(marked.map(({ title }) => title).toSorted())
  expect([...sessions].filter((title) => !noted.includes(title))).toEqual([])
})

/** Adds clients and remembers the addresses of those that were acknowledged. */
function addUntilBroken(running: Running, cookie: string, name: string, acknowledged: Set<string>): Promise<void> {
  return untilBroken(async (n) => {
    const email = `${name.replaceAll(' ', '.').toLowerCase()}.${n}@example.com`
    const { status } = await call(running, 'POST', '/api/clients', {
      cookie,
      body: { name: `${name} no. ${n}`, email },
    })
    if (status === 201) acknowledged.add(email)
    return status === 201
  })
}

/** Schedules sessions, marks them as held with notes, and remembers the titles of those that were acknowledged. */
function meetUntilBroken(
  running: Running,
  cookie: string,
  clientId: number,
  name: string,
  acknowledged: Set<string>,
): Promise<void> {
  return untilBroken(async (n) => {
    const title = `${name} no. ${n}`
    const added = await call(running, 'POST', '/api/appointments', {
      cookie,
      body: { title, clientId, startTime: '2020-01-01T09:00:00Z', endTime: '2020-01-01T10:00:00Z' },
    })
    if (added.status !== 201) return false
    const { id } = (await added.json()) as { id: number }
    const { status } = await call(running, 'POST', `/api/appointments/${id}/complete`, {
      cookie,
      body: { notes: title },
    })
    if (status === 200) acknowledged.add(title)
    return status === 200
  })
}

async function untilBroken(write: (n: number) => Promise<boolean>): Promise<void> {
  try {
    for (let n = 0; await write(n); n++);
  } catch {
    // Killed while it was answering.
  }
}

async function list<One>(running: Running, cookie: string, pathname: string): Promise<One[]> {
  return (await (await call(running, 'GET', pathname, { cookie })).json()) as One[]
}

/** The cookie of the demo's coach, or null where there is none. */
async function signIn(running: Running): Promise<string | null> {
  const answer = await call(running, 'POST', '/api/login', {
    body: { email: 'demo@example.com', password: 'demo-practice' },
  })
  return answer.ok ? (answer.headers.getSetCookie()[0]?.split(';')[0] ?? null) : null
}

function call(
  running: Running,
  method: string,
  pathname: string,
  { cookie, body }: { cookie?: string; body?: unknown },
): Promise<Response> {
  return fetch(`http://localhost:${running.port}${pathname}`, {
    method,
    headers: { ...(cookie ? { cookie } : {}), ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(20_000),
  })
}

async function untilRefused(port: number): Promise<void> {
  await expect.poll(() => statusOf(port, '/healthz'), { interval: 10, timeout: 5_000 }).toBeUndefined()
}

function postmaster(dir: string): number {
  try {
    return Number.parseInt(readFileSync(path.join(dir, 'postgres/data/postmaster.pid'), 'utf8'))
  } catch {
    return 0
  }
}

function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch {
    return false
  }
}
