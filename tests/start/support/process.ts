import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { get } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { demoAccounts, readDemoState } from '#modules/core/demo-state.ts'

export const root = path.resolve(import.meta.dirname, '../../..')

export type RunningProcess = { child: ChildProcess; port: number; output: () => string; exit: Promise<number | null> }

/** Starts `command` and collects its output. Terminates it when the test ends. */
export function launch(
  command: string,
  args: string[],
  options: SpawnOptions & { port?: number } = {},
): RunningProcess {
  const { port = 0, ...rest } = options
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...rest })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
  const exit = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('close', (code) => resolve(code))
  })
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await exit
  })
  return { child, port, output: () => output, exit }
}

/** The folder of `npm start` for compiled scripts. */
const compiled = path.join(root, 'node_modules/.cache/compiled')

/** Starts the built product on its own port. `env` has DATA_DIR or DATABASE_URL. */
export async function serve(env: Record<string, string>, ...args: string[]): Promise<RunningProcess> {
  const port = Number(env.PORT ?? (await freePort()))
  return launch(process.execPath, ['scripts/serve.ts', ...args], {
    port,
    env: { ...cleanEnvironment(), NODE_COMPILE_CACHE: compiled, PORT: String(port), ...env },
  })
}

/** The environment without what npm and the test runner added. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const { PATH = '', HOME = '/tmp' } = process.env
  const outside = PATH.split(':').filter((folder) => !folder.includes('node_modules'))
  return { NODE_ENV: 'production', PATH: outside.join(':'), HOME, LOG_LEVEL: 'warn' }
}

/** Waits until `pathname` returns 200. Returns milliseconds. Throws with the output if the process ends before. */
export async function waitUntilReady(
  running: RunningProcess,
  pathname = '/readyz',
  patience = 90_000,
): Promise<number> {
  const began = performance.now()
  let ended = false
  void running.exit.then(() => (ended = true))
  while ((await getStatus(running.port, pathname)) !== 200) {
    if (ended) throw new Error(`It ended:\n${running.output()}`)
    if (performance.now() - began > patience) throw new Error(`No answer within ${patience} ms:\n${running.output()}`)
    await pause(20)
  }
  return performance.now() - began
}

export function getStatus(port: number, pathname: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const request = get(
      { host: '127.0.0.1', port, path: pathname, headers: { host: `localhost:${port}` } },
      (response) => {
        response.resume()
        resolve(response.statusCode)
      },
    )
    request.on('error', () => resolve(undefined))
  })
}

export type Answer<Body> = {
  status: number
  retryAfter: string | null
  /** The path of a list's next page. */
  nextPage: string | null
  /** The session that the server set. */
  cookie: string
  body: Body
  /** For the message of a failed test. */
  summary: string
}

/** Calls the API, or gets a page. */
export async function call<Body = unknown>(
  { port }: RunningProcess,
  method: string,
  pathname: string,
  { cookie = '', body }: { cookie?: string; body?: unknown } = {},
): Promise<Answer<Body>> {
  const response = await fetch(`http://localhost:${port}${pathname}`, {
    method,
    headers: { cookie, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(30_000),
  })
  const text = await response.text()
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    nextPage: /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? null,
    cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '',
    body: pathname.startsWith('/api/') && text ? JSON.parse(text) : text,
    summary: `${method} ${pathname}: ${response.status} ${text.slice(0, 300)}`,
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

/** Deleted when the test ends. Readable by all, because root's Postgres runs as another user. */
export function createTempFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'practice-start-'))
  chmodSync(folder, 0o755)
  onTestFinished(() => rm(folder, { recursive: true, force: true }), 240_000)
  return folder
}

/** The process id of the embedded database in `dir`, or 0. */
export function getPostmaster(dir: string): number {
  try {
    return Number.parseInt(readFileSync(path.join(dir, 'data/postmaster.pid'), 'utf8'))
  } catch {
    return 0
  }
}

/** Whether a process with this id runs. */
export function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Runs a statement on the embedded database in `dir` as the superuser, to whom row level security doesn't apply. */
export async function queryAsSuperuser<Row extends pg.QueryResultRow>(dir: string, sql: string): Promise<Row[]> {
  const db = new pg.Client({ host: dir, port: 5432, user: 'postgres', database: 'practice' })
  // A server that ends fails the query, and emits this too.
  db.on('error', () => {})
  await db.connect()
  try {
    return (await db.query<Row>(sql)).rows
  } finally {
    await db.end()
  }
}

/** Copies the checkout as a fresh clone: no packages, no build, no data. */
export function copyCheckout(into: string): void {
  const made = new Set(['.git', 'node_modules', 'build', '.data', '.cache', 'test-results'])
  cpSync(root, into, { recursive: true, filter: (source) => !made.has(path.relative(root, source)) })
}

/** The sign-in of the demo coach in `dataDir`; null without a demo practice. */
export function getDemoSignIn(dataDir: string): { email: string; password: string } | null {
  const state = readDemoState(dataDir)
  return state && { email: demoAccounts[0].email, password: state.first.password }
}
