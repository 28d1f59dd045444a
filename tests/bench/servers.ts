import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import product from '../../package.json' with { type: 'json' }

export type ServerProcess = { port: number; pid: number; stop(): Promise<void> }

const root = path.resolve(import.meta.dirname, '../..')
/** The options of Node in `npm start`. */
const flags = product.scripts.start.split(' ').filter((option) => option.startsWith('--'))

/** Starts the product with the settings of `npm start`, on a database of the bench. Writes its output to a file. */
export function startProduct(options: {
  port: number
  ownerUrl: string
  secret: string
  scratch: string
  env?: Record<string, string>
}): Promise<ServerProcess> {
  const { port, ownerUrl, secret, scratch } = options
  const env = {
    PORT: String(port),
    DATABASE_URL: ownerUrl,
    DATA_DIR: path.join(scratch, `data-${port}`),
    SECRET_KEY: secret,
    ...options.env,
  }
  return start([...flags, 'scripts/serve.ts'], { port, env, scratch, ready: '/healthz' })
}

/**
 * Starts the baseline server on the same database with the same role. `pageFile` has the HTML of the product's page, if
 * the workload has one.
 */
export function startBaseline(options: {
  port: number
  appUrl: string
  secret: string
  scratch: string
  pageFile?: string
}): Promise<ServerProcess> {
  const { port, appUrl, secret, scratch, pageFile } = options
  return start(['tests/bench/baseline-server.ts'], {
    port,
    env: {
      NODE_ENV: 'production',
      PORT: String(port),
      DATABASE_URL: appUrl,
      SECRET_KEY: secret,
      ...(pageFile ? { PAGE_FILE: pageFile } : {}),
    },
    scratch,
    ready: '/',
  })
}

/** Starts a server that streams bodies to files in `folder` and back. */
export function startPlainFiles(options: { port: number; folder: string; scratch: string }): Promise<ServerProcess> {
  const { port, folder, scratch } = options
  return start(['tests/bench/plain-files.ts'], {
    port,
    env: { PORT: String(port), FOLDER: folder },
    scratch,
    ready: '/',
  })
}

async function start(
  args: string[],
  { port, env, scratch, ready }: { port: number; env: Record<string, string>; scratch: string; ready: string },
): Promise<ServerProcess> {
  const program = args.at(-1)!
  mkdirSync(scratch, { recursive: true })
  const log = path.join(scratch, `${path.basename(program, '.ts')}-${port}.log`)
  const out = openSync(log, 'w')
  const child = spawn(process.execPath, args, { cwd: root, env: environment(env), stdio: ['ignore', out, out] })
  closeSync(out)
  const exited = once(child, 'exit')
  await Promise.race([
    waitUntilReady(port, ready),
    exited.then(([code]) => {
      throw new Error(`${program} exited with ${code}; see ${log}`)
    }),
  ])
  return { port, pid: child.pid!, stop: () => stop(child, exited) }
}

/**
 * The environment of a measured process: `env`, PATH and HOME, so that no other setting of the caller has an effect.
 */
export function environment(env: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env
  return { PATH, HOME, ...env } as unknown as NodeJS.ProcessEnv
}

async function stop(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  child.kill('SIGTERM')
  await exited
}

/** Waits until `target` returns a status below 500. Throws after `timeout` ms. */
export async function waitUntilReady(port: number, target: string, { timeout = 120_000 } = {}): Promise<void> {
  const deadline = performance.now() + timeout
  for (;;) {
    const status = await fetchRaw(port, target).then(
      (response) => response.status,
      () => 0,
    )
    if (status > 0 && status < 500) return
    if (performance.now() > deadline) throw new Error(`No server responds on port ${port}.`)
    await pause(20)
  }
}

export type RawResponse = { status: number; headers: http.IncomingHttpHeaders; body: Buffer }

/** Sends a GET request that accepts gzip. The body is not decoded. `host`: without the port. */
export function fetchRaw(
  port: number,
  target: string,
  { cookie, host = 'localhost' }: { cookie?: string; host?: string } = {},
): Promise<RawResponse> {
  const headers = {
    host: `${host}:${port}`,
    'accept-encoding': 'gzip',
    ...(cookie ? { cookie } : {}),
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
