// Checks the product behind PgBouncer in transaction mode: `node scripts/check-pooler.ts`. Not part of `npm test`,
// because PgBouncer must be installed on the system (Debian: apt-get install pgbouncer).
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { createApp } from '#app/server/http/app.ts'
import { createAppApi, runtime } from '#app/server/process/runtime.ts'
import { startEmbedded } from '#db/embedded/embedded.ts'
import { parseConfig } from '#tenants/config.ts'

const coaches = 6

const binary = ['pgbouncer', '/usr/sbin/pgbouncer'].find((name) => spawnSync(name, ['--version']).status === 0)
if (!binary) {
  console.error('PgBouncer is not installed (Debian: apt-get install pgbouncer).')
  process.exit(1)
}

const dir = mkdtempSync(path.join(os.tmpdir(), 'practice-pooler-'))
chmodSync(dir, 0o755)
const postgres = await startEmbedded({ dir: path.join(dir, 'postgres') })
const pooler = await startPooler(binary, postgres.ownerUrl)
try {
  await check(pooler.ownerUrl)
  console.log('The product works behind PgBouncer in transaction mode.')
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  pooler.child.kill()
  await postgres.stop()
  rmSync(dir, { recursive: true, force: true })
}

/** Starts PgBouncer with two database connections, so that all coaches share them. */
async function startPooler(program: string, ownerUrl: string): Promise<{ child: ChildProcess; ownerUrl: string }> {
  const url = new URL(ownerUrl.replace('@/', '@socket/'))
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname)
  const database = url.pathname.slice(1)
  const port = await freePort()
  const settings = path.join(dir, 'pgbouncer.ini')
  const users = path.join(dir, 'users.txt')
  // The owner and the app's role. They need no passwords: the embedded database trusts its socket.
  const roles = [decodeURIComponent(url.username), `${database}_login`]
  writeFileSync(users, roles.map((name) => `"${name}" ""\n`).join(''))
  writeFileSync(
    settings,
    [
      '[databases]',
      `${database} = host=${host} port=5432 dbname=${database}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${users}`,
      'pool_mode = transaction',
      'default_pool_size = 2',
      'max_client_conn = 200',
      'logfile =',
      'pidfile =',
      ...(process.getuid?.() === 0 ? [`user = ${getOwner(host)}`] : []),
      'query_wait_timeout = 10',
    ].join('\n'),
  )
  const child = spawn(program, [settings], { stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      output += chunk
      if (output.includes('process up')) resolve()
    })
    child.once('exit', () => reject(new Error(output)))
  })
  return { child, ownerUrl: `postgresql://${url.username}@127.0.0.1:${port}/${database}?pgbouncer=true` }
}

/** The user who owns a folder. PgBouncer must run as this user to reach the database's socket. */
function getOwner(folder: string): string {
  return spawnSync('id', ['-un', String(statSync(folder).uid)], { encoding: 'utf8' }).stdout.trim()
}

async function check(ownerUrl: string): Promise<void> {
  const config = parseConfig({
    SECRET_KEY: 'for this check alone, nothing else',
    LOG_LEVEL: 'error',
    DATA_DIR: dir,
    ROLE: 'web',
  })
  const { appUrl } = await runtime.prepare({ ownerUrl, config })
  const platform = await runtime.open({ appUrl, config })
  const app = createApp({ platform, api: createAppApi(), ready: async () => true })
  const call = async (
    method: string,
    target: string,
    cookie: string,
    json?: object,
  ): Promise<{ status: number; cookie: string; body: { name: string }[] }> => {
    const body = json && JSON.stringify(json)
    const headers = {
      host: 'localhost',
      cookie,
      ...(body ? { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) } : {}),
    }
    const response = await app.fetch(
      new Request(`http://localhost${target}`, { method, headers, ...(body ? { body } : {}) }),
    )
    const text = await response.text()
    return {
      status: response.status,
      cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '',
      body: text ? JSON.parse(text) : [],
    }
  }
  try {
    const cookies: string[] = []
    for (let index = 0; index < coaches; index++) {
      cookies.push(
        (
          await call('POST', '/api/register', '', {
            email: `coach${index}@example.com`,
            password: 'long enough',
            firstName: 'C',
            lastName: String(index),
          })
        ).cookie,
      )
    }
    const added = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        call('POST', '/api/clients', cookies[index % coaches]!, {
          name: `Client of ${index % coaches}`,
          email: `c${index}@example.com`,
        }),
      ),
    )
    expectEqual('clients within the free plan', added.filter(({ status }) => status === 201).length, coaches)
    expectEqual('clients beyond its limit', added.filter(({ status }) => status === 403).length, 60 - coaches)
    const lists = await Promise.all(
      Array.from({ length: 300 }, (_, index) => call('GET', '/api/clients?limit=10', cookies[index % coaches]!)),
    )
    expectEqual(
      'lists of the right coach',
      lists.filter(({ body }, index) => body.length === 1 && body[0]!.name === `Client of ${index % coaches}`).length,
      300,
    )
    const [withoutTenant] = await platform.readPool.queryGlobal<{ n: number }>({
      name: 'check.without-tenant',
      text: 'select count(*)::int as n from client',
    })
    expectEqual('clients visible without a tenant', withoutTenant!.n, 0)
  } finally {
    await platform.close()
  }
}

function expectEqual(title: string, actual: number, expected: number): void {
  if (actual !== expected) throw new Error(`${title}: ${actual}, expected ${expected}`)
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
