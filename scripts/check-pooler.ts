// The product behind PgBouncer in transaction mode: `node scripts/check-pooler.ts`. Not a part of `npm test`, since PgBouncer
// comes from the system (Debian: apt-get install pgbouncer).
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { createApp } from '#app/server/http/app.ts'
import { allOperations, kernel } from '#app/server/process/runtime.ts'
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
  console.log('Behind PgBouncer in transaction mode everything answers as it should.')
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  pooler.child.kill()
  await postgres.stop()
  rmSync(dir, { recursive: true, force: true })
}

/** Two connections to the database for everybody, so that each is handed from coach to coach all the time. */
async function startPooler(program: string, ownerUrl: string): Promise<{ child: ChildProcess; ownerUrl: string }> {
  const at = new URL(ownerUrl.replace('@/', '@socket/'))
  const host = at.searchParams.get('host') ?? decodeURIComponent(at.hostname)
  const database = at.pathname.slice(1)
  const port = await freePort()
  const settings = path.join(dir, 'pgbouncer.ini')
  const users = path.join(dir, 'users.txt')
  // The owner and the role that serves; the embedded database trusts who comes through its socket.
  writeFileSync(users, [decodeURIComponent(at.username), `${database}_login`].map((name) => `"${name}" ""\n`).join(''))
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
      ...(process.getuid?.() === 0 ? [`user = ${ownerOf(host)}`] : []),
      'query_wait_timeout = 10',
    ].join('\n'),
  )
  const child = spawn(program, [settings], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      said += chunk
      if (said.includes('process up')) resolve()
    })
    child.once('exit', () => reject(new Error(said)))
  })
  return { child, ownerUrl: `postgresql://${at.username}@127.0.0.1:${port}/${database}?pgbouncer=true` }
}

/** Who may pass through the folder of the database's socket. */
function ownerOf(folder: string): string {
  return spawnSync('id', ['-un', String(statSync(folder).uid)], { encoding: 'utf8' }).stdout.trim()
}

async function check(ownerUrl: string): Promise<void> {
  const config = parseConfig({
    SECRET_KEY: 'for this check alone, nothing else',
    LOG_LEVEL: 'error',
    DATA_DIR: dir,
    ROLE: 'web',
  })
  const { appUrl } = await kernel.prepare({ ownerUrl, config })
  const platform = await kernel.open({ appUrl, config })
  const app = createApp({ platform, api: allOperations(), ready: async () => true })
  const call = async (
    method: string,
    target: string,
    cookie: string,
    sent?: object,
  ): Promise<{ status: number; cookie: string; body: { name: string }[] }> => {
    const body = sent && JSON.stringify(sent)
    const headers = {
      host: 'localhost',
      cookie,
      ...(body ? { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) } : {}),
    }
    const answer = await app.fetch(
      new Request(`http://localhost${target}`, { method, headers, ...(body ? { body } : {}) }),
    )
    const text = await answer.text()
    return {
      status: answer.status,
      cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '',
      body: text ? JSON.parse(text) : [],
    }
  }
  try {
    const cookies: string[] = []
    for (let at = 0; at < coaches; at += 1) {
      cookies.push(
        (
          await call('POST', '/api/register', '', {
            email: `coach${at}@example.com`,
            password: 'long enough',
            firstName: 'C',
            lastName: String(at),
          })
        ).cookie,
      )
    }
    const added = await Promise.all(
      Array.from({ length: 60 }, (_none, at) =>
        call('POST', '/api/clients', cookies[at % coaches]!, {
          name: `Of ${at % coaches}`,
          email: `c${at}@example.com`,
        }),
      ),
    )
    expectSame('clients within the free plan', added.filter(({ status }) => status === 201).length, coaches)
    expectSame('clients beyond it', added.filter(({ status }) => status === 403).length, 60 - coaches)
    const lists = await Promise.all(
      Array.from({ length: 300 }, (_none, at) => call('GET', '/api/clients?limit=10', cookies[at % coaches]!)),
    )
    expectSame(
      'lists of the right coach',
      lists.filter(({ body }, at) => body.length === 1 && body[0]!.name === `Of ${at % coaches}`).length,
      300,
    )
    const nobodys = await platform.reads.look<{ n: number }>({
      name: 'check.without-a-coach',
      text: 'select count(*)::int as n from client',
    })
    expectSame('clients seen without a coach', nobodys[0]!.n, 0)
  } finally {
    await platform.close()
  }
}

function expectSame(what: string, found: number, wanted: number): void {
  if (found !== wanted) throw new Error(`${what}: ${found}, not ${wanted}`)
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
