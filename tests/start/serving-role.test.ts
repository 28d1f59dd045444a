import { chmodSync, mkdirSync, openSync, readFileSync, readSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startEmbedded } from '#db/embedded/embedded.ts'
import { call, cleanEnvironment, createTempFolder, launch, serve, waitUntilReady } from './support/process.ts'

const secret = 'for these tests alone and long enough'
const ownerPassword = 'known-to-the-owner-alone'

/** A database server of its own. Postgres trusts its socket, so any password will do. */
async function startDatabase(): Promise<{ ownerUrl: string; appUrl: string }> {
  const dir = path.join(createTempFolder(), 'open')
  mkdirSync(dir)
  chmodSync(dir, 0o755)
  const embedded = await startEmbedded({ dir: path.join(dir, 'postgres') })
  onTestFinished(() => embedded.stop())
  const ownerUrl = embedded.ownerUrl.replace('practice_owner@', `practice_owner:${ownerPassword}@`)
  expect(ownerUrl).toContain(ownerPassword)
  return { ownerUrl, appUrl: embedded.ownerUrl.replace('practice_owner@', 'practice_login@') }
}

async function migrate(env: Record<string, string>): Promise<[number | null, string]> {
  const running = launch(process.execPath, ['scripts/migrate.ts'], { env: { ...cleanEnvironment(), ...env } })
  return [await running.exit, running.output().trim()]
}

/** Whether the memory of a process has `text`. Like a debugger, reads what its map says is writable. */
function hasInMemory(pid: number, text: string): boolean {
  const memory = openSync(`/proc/${pid}/mem`, 'r')
  const areas = readFileSync(`/proc/${pid}/maps`, 'utf8').matchAll(/^([0-9a-f]+)-([0-9a-f]+) rw/gm)
  for (const [, start, end] of areas) {
    const from = Number.parseInt(start!, 16)
    const content = Buffer.alloc(Number.parseInt(end!, 16) - from)
    try {
      if (content.subarray(0, readSync(memory, content, 0, content.length, from)).includes(text)) return true
    } catch {
      // An area of the kernel, or one that no longer exists.
    }
  }
  return false
}

test.runIf(process.platform === 'linux')('npm start migrates, and then forgets the owner', async () => {
  const { ownerUrl } = await startDatabase()
  const env = { ADMIN_EMAIL: 'boss@example.com', ADMIN_PASSWORD: 'chosen by the operator', SECRET_KEY: secret }
  const running = await serve({ DATA_DIR: createTempFolder(), DATABASE_URL: ownerUrl, ...env })
  await waitUntilReady(running)
  const pid = running.child.pid!
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
  expect(environment).toContain('APP_DATABASE_URL=')
  expect(environment).not.toMatch(new RegExp(`${ownerPassword}|${env.ADMIN_PASSWORD}`))
  expect(hasInMemory(pid, 'APP_DATABASE_URL=')).toBe(true)
  expect(hasInMemory(pid, ownerPassword)).toBe(false)
  const body = { email: env.ADMIN_EMAIL, password: env.ADMIN_PASSWORD }
  expect((await call<{ isAdmin: boolean }>(running, 'POST', '/api/login', { body })).body.isAdmin).toBe(true)
  running.child.kill('SIGTERM')
  expect(await running.exit).toBe(0)
})

test('migrating and serving are separate steps', async () => {
  const { ownerUrl, appUrl } = await startDatabase()
  const serving = { DATA_DIR: createTempFolder(), APP_DATABASE_URL: appUrl, SECRET_KEY: secret }
  const migrating = { DATA_DIR: createTempFolder(), DATABASE_URL: ownerUrl, SECRET_KEY: secret }
  const early = await serve(serving)
  expect([await early.exit, early.output().trim()]).toEqual([1, expect.stringContaining('APP_DATABASE_URL')])

  expect(await migrate(migrating)).toEqual([0, expect.stringMatching(/^Migrated the database \(\d+ migrations\)\.$/)])
  expect(await migrate(migrating)).toEqual([0, 'The database is up to date.'])
  const running = await serve(serving)
  await waitUntilReady(running)
  const body = { email: 'ada@example.com', password: 'a long and rare word', firstName: 'Ada', lastName: 'Lovelace' }
  const { status } = await call(running, 'POST', '/api/register', { body })
  expect(status).toBe(201)
  expect(await migrate({ ...serving })).toEqual([1, 'DATABASE_URL is missing: this needs the owner of the database.'])
})
