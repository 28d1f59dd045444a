import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { describeFailure } from './data-dir.ts'
import { startEmbedded, type Embedded } from './embedded.ts'

const open: Embedded[] = []
const children: ChildProcess[] = []
const folders: string[] = []

afterEach(async () => {
  await Promise.all(children.splice(0).map(end))
  for (const embedded of open.splice(0)) await embedded.stop()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

describe('a first start', () => {
  test('creates a database whose owner can create roles and is not a superuser', async () => {
    const { ownerUrl, adopted } = await start(aFolder())

    expect(adopted).toBe(false)
    expect(
      await rows(
        ownerUrl,
        'select current_database(), rolname, rolsuper, rolcreaterole, rolbypassrls from pg_roles where rolname = current_user',
      ),
    ).toEqual([
      {
        current_database: 'practice',
        rolname: 'practice_owner',
        rolsuper: false,
        rolcreaterole: true,
        rolbypassrls: false,
      },
    ])
  })

  test('is durable: checksums, fsync and synchronous commits are on', async () => {
    const { ownerUrl } = await start(aFolder())
    const settings = `select name, setting from pg_settings where name in ('data_checksums', 'fsync', 'synchronous_commit', 'full_page_writes')`
    expect((await rows(ownerUrl, settings)).map((row) => row.setting)).toEqual(['on', 'on', 'on', 'on'])
  })

  test('listens only on a socket that its user alone can open', async () => {
    const { ownerUrl } = await start(aFolder())
    expect(await rows(ownerUrl, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
    expect(lstatSync(decodeURIComponent(new URL(ownerUrl).hostname)).mode & 0o077).toBe(0)
  })

  test('works in a folder with a long and unusual name', async () => {
    const folder = path.join(aFolder(), `it's "far" away $HOME ${'x'.repeat(100)}`)
    const { ownerUrl } = await start(folder)
    expect(await rows(ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('does not inherit our environment', async () => {
    vi.stubEnv('SECRET_KEY', 'a-secret-that-stays-here')
    const folder = aFolder()
    await start(folder)
    expect(readFileSync(`/proc/${postmaster(folder)}/environ`, 'utf8')).not.toContain('a-secret-that-stays-here')
    vi.unstubAllEnvs()
  })

  test('that was interrupted starts over', async () => {
    const folder = aFolder()
    mkdirSync(path.join(folder, 'new-4194302'))
    writeFileSync(path.join(folder, 'new-4194302/PG_VERSION'), '18')
    const { ownerUrl } = await start(folder)
    expect(await rows(ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(existsSync(path.join(folder, 'new-4194302'))).toBe(false)
  })

  test('run twice at once creates one database', async () => {
    const folder = aFolder()
    const [one, two] = await Promise.all([hold(folder), hold(folder)])
    await rows(one.url, 'create table seen (n int)')
    expect(await rows(two.url, 'select * from seen')).toEqual([])
  })

  test('below a private folder keeps its data where its user can read it', async () => {
    const closed = aFolder()
    chmodSync(closed, 0o700)
    const folder = path.join(closed, 'postgres')
    const { ownerUrl } = await start(folder)
    if (process.getuid?.() === 0) folders.push(realpathSync(folder))
    expect(await rows(ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('in a read-only folder fails with one sentence', async () => {
    const file = path.join(aFolder(), 'a-file')
    writeFileSync(file, '')
    await expect(startEmbedded({ dir: path.join(file, 'postgres') })).rejects.toThrow(
      /^\S+ can't be made: a file is in the way\.$/,
    )
  })
})

describe('the next start', () => {
  test('after kill -9 of the app reuses the server that still runs', async () => {
    const folder = aFolder()
    const first = await hold(folder)
    await rows(first.url, 'create table kept (n int)')
    await kill(first.child)

    const { ownerUrl, adopted } = await start(folder)
    expect(adopted).toBe(true)
    expect(await rows(ownerUrl, 'select * from kept')).toEqual([])
  })

  test('after kill -9 of app and database has every acknowledged row within five seconds', async () => {
    const folder = aFolder()
    const first = await hold(folder)
    await rows(first.url, 'create table kept (n int)')
    for (let n = 0; n < 50; n++) await rows(first.url, `insert into kept values (${n})`)
    await kill(first.child)
    process.kill(postmaster(folder), 'SIGKILL')

    const began = performance.now()
    const { ownerUrl, adopted } = await start(folder)
    expect(adopted).toBe(false)
    expect(await rows(ownerUrl, 'select count(*)::int as n from kept')).toEqual([{ n: 50 }])
    expect(performance.now() - began).toBeLessThan(5_000)
  })

  test("ignores a postmaster.pid that names another program's process", async () => {
    const folder = aFolder()
    await (await startEmbedded({ dir: folder })).stop()
    const { uid, gid } = lstatSync(path.join(folder, 'data'))
    const other = spawn('sleep', ['60'], { uid, gid })
    children.push(other)
    writeFileSync(
      path.join(folder, 'data/postmaster.pid'),
      `${other.pid}\n${folder}/data\n1700000000\n5432\n${folder}\n\n`,
    )

    const { adopted } = await start(folder)
    expect(adopted).toBe(false)
  })

  test('after a server whose killed process is still listed does not wait for that process', async () => {
    const folder = aFolder()
    await (await startEmbedded({ dir: folder })).stop()
    const { uid, gid } = lstatSync(path.join(folder, 'data'))
    // Its parent never asks how it ended.
    const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 600'], { uid, gid })
    children.push(parent)
    const [output] = (await once(parent.stdout, 'data')) as [Buffer]
    const pid = Number(String(output))
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z ')
    for (const name of ['data/postmaster.pid', '.s.PGSQL.5432.lock']) {
      writeFileSync(path.join(folder, name), `${pid}\n${folder}/data\n1700000000\n5432\n${folder}\n\n`)
      chownSync(path.join(folder, name), uid, gid)
    }

    const { adopted } = await start(folder)
    expect(adopted).toBe(false)
  })

  test('from a copied folder runs on its own and leaves the original server alone', async () => {
    const [original, copy] = [aFolder(), path.join(aFolder(), 'copy')]
    await (await startEmbedded({ dir: original })).stop()
    cpSync(original, copy, { recursive: true })
    const first = await start(original)
    await rows(first.ownerUrl, 'create table only_here (n int)')
    cpSync(path.join(original, 'data/postmaster.pid'), path.join(copy, 'data/postmaster.pid'))

    const second = await start(copy)
    expect(second.adopted).toBe(false)
    expect(await rows(second.ownerUrl, `select to_regclass('only_here') as found`)).toEqual([{ found: null }])
  })
})

test('a database killed while the app runs comes back by itself', async () => {
  const folder = aFolder()
  const { ownerUrl } = await start(folder)
  await rows(ownerUrl, 'create table kept as select 1 as n')
  process.kill(postmaster(folder), 'SIGKILL')

  await vi.waitFor(async () => expect(await rows(ownerUrl, 'select n from kept')).toEqual([{ n: 1 }]), {
    timeout: 5_000,
    interval: 50,
  })
})

test('a server shared by two processes stops with the last of them', async () => {
  const folder = aFolder()
  const web = await hold(folder)
  const worker = await startEmbedded({ dir: folder })
  await worker.stop()
  expect(await rows(web.url, 'select 1 as one')).toEqual([{ one: 1 }])

  await end(web.child)
  await expect(rows(web.url, 'select 1')).rejects.toThrow()
})

test.each([
  ['initdb: error: could not write to file "x": No space left on device', 'It fails: the disk is full.'],
  [
    '2026-01-01 FATAL:  could not write lock file "postmaster.pid": No space left on device',
    'It fails: the disk is full.',
  ],
  ['Error: EACCES: permission denied, mkdir', 'It fails: permission denied.'],
  [
    'LOG: x\nFATAL:  database files are incompatible with server\nDETAIL: …',
    'It fails: the data were written by another major version of Postgres.',
  ],
  ['LOG:  starting\n2026-01-01 00:00:00 UTC [1] FATAL:  something odd\n', 'It fails: something odd'],
])('%j becomes one sentence', (message, sentence) => {
  expect(describeFailure('It fails', message).message).toBe(sentence)
})

function aFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'practice-db-'))
  // Root's Postgres runs as another user, who needs access.
  chmodSync(folder, 0o755)
  folders.push(folder)
  return folder
}

async function start(dir: string): Promise<Embedded> {
  const embedded = await startEmbedded({ dir })
  open.push(embedded)
  return embedded
}

/** Starts the database in `dir` from another process, which keeps it until it is stopped. */
async function hold(dir: string): Promise<{ child: ChildProcess; url: string }> {
  const program = `
    import { startEmbedded } from '#db/embedded/embedded.ts'
    const embedded = await startEmbedded({ dir: process.env.DIR })
    process.on('SIGTERM', () => embedded.stop().then(() => process.exit(0)))
    setInterval(() => {}, 1000)
    console.log(embedded.ownerUrl)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env, DIR: dir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  return { child, url: line.toString().trim() }
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null && child.kill('SIGTERM')) await once(child, 'exit')
}

function postmaster(folder: string): number {
  return Number.parseInt(readFileSync(path.join(folder, 'data/postmaster.pid'), 'utf8'))
}

async function rows(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}
