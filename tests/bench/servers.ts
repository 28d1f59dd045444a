import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import product from '../../package.json' with { type: 'json' }
import type { Visitor } from './data.ts'

export type Running = { port: number; pid: number; stop(): Promise<void> }

const root = path.resolve(import.meta.dirname, '../..')
/** What `npm start` tells Node: `--heap-growing-percent=50` and the like. */
const flags = product.scripts.start.split(' ').filter((word) => word.startsWith('--'))

/** The product as `npm start` serves it, on a database of the bench. What it prints goes into a file, as in real life. */
export function startProduct(options: {
  port: number
  ownerUrl: string
  secret: string
  scratch: string
}): Promise<Running> {
  const { port, ownerUrl, secret, scratch } = options
  const env = {
    PORT: String(port),
    DATABASE_URL: ownerUrl,
    DATA_DIR: path.join(scratch, `data-${port}`),
    SECRET_KEY: secret,
  }
  return start([...flags, 'scripts/serve.ts'], { port, env, scratch, ready: '/healthz' })
}

/** The plain server of the bench on the same database, as the same role. */
export function startPlain(options: { port: number; appUrl: string; scratch: string }): Promise<Running> {
  const { port, appUrl, scratch } = options
  return start(['tests/bench/baseline-server.ts'], {
    port,
    env: { NODE_ENV: 'production', PORT: String(port), DATABASE_URL: appUrl },
    scratch,
    ready: '/',
  })
}

async function start(
  args: string[],
  { port, env, scratch, ready }: { port: number; env: Record<string, string>; scratch: string; ready: string },
): Promise<Running> {
  const program = args.at(-1)!
  mkdirSync(scratch, { recursive: true })
  const log = path.join(scratch, `${path.basename(program, '.ts')}-${port}.log`)
  const out = openSync(log, 'w')
  const child = spawn(process.execPath, args, { cwd: root, env: environment(env), stdio: ['ignore', out, out] })
  closeSync(out)
  const gone = once(child, 'exit')
  await Promise.race([
    answers(port, ready),
    gone.then(([code]) => {
      throw new Error(`${program} ended with ${code}; see ${log}`)
    }),
  ])
  return { port, pid: child.pid!, stop: () => stop(child, gone) }
}

/** `own` and nothing of the caller's settings: a LOG_LEVEL that is set here isn't what is measured. */
export function environment(own: Record<string, string>): NodeJS.ProcessEnv {
  const env = { ...process.env, ...own }
  for (const name of Object.keys(env))
    if (!(name in own) && name !== 'PATH' && name !== 'HOME') Reflect.deleteProperty(env, name)
  return env
}

async function stop(child: ChildProcess, gone: Promise<unknown>): Promise<void> {
  child.kill('SIGTERM')
  await gone
}

/** Waits until `target` is answered with anything below 500. Throws after two minutes. */
export async function answers(port: number, target: string, { patience = 120_000 } = {}): Promise<void> {
  const until = performance.now() + patience
  for (;;) {
    const status = await fetched(port, target).then(
      (answer) => answer.status,
      () => 0,
    )
    if (status > 0 && status < 500) return
    if (performance.now() > until) throw new Error(`Nothing answers on port ${port}.`)
    await pause(20)
  }
}

export type Fetched = { status: number; headers: http.IncomingHttpHeaders; body: Buffer }

/** One GET, compressed if the server likes to, with nothing decoded: what went over the wire. */
export function fetched(port: number, target: string, visitor?: Visitor): Promise<Fetched> {
  const headers = {
    host: `localhost:${port}`,
    'accept-encoding': 'gzip',
    ...(visitor ? { cookie: visitor.cookie } : {}),
  }
  return new Promise((resolve, reject) => {
    const request = http.get(
      { port, host: '127.0.0.1', path: target, headers, agent: false, timeout: 30_000 },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.once('error', reject)
        response.once('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
        )
      },
    )
    request.once('error', reject)
    request.once('timeout', () => request.destroy(new Error(`${target} took longer than 30 s`)))
  })
}
