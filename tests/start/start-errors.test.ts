import { createServer } from 'node:http'
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { startEmbedded } from '#db/embedded/embedded.ts'
import { createTempFolder, waitUntilReady, freePort, serve } from './support/process.ts'

test.each([
  [{ PORT: 'high' }, /^PORT can't be used: it must be a whole number/],
  [{ PORT: '70000' }, /^PORT can't be used/],
  [{ ROLE: 'boss' }, /^ROLE can't be used: it must be one of all, web, worker/],
  [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL can't be used/],
  [{ APP_ORIGIN: 'example.com' }, /^APP_ORIGIN can't be used/],
  [{ DATABASE_URL: 'mysql://localhost/practice' }, /^DATABASE_URL can't be used/],
  [{ DATABASE_URL: 'postgresql://user@127.0.0.1:1/practice' }, /^DATABASE_URL can't be used: nothing answers there\.$/],
  [{ HOST: '192.0.2.1' }, /^HOST can't be used: 192\.0\.2\.1 is not an address of this machine\.$/],
  [{ SMTP_URL: 'http://mail' }, /^SMTP_URL can't be used/],
  [{ ADMIN_EMAIL: 'nobody' }, /^ADMIN_EMAIL can't be used/],
  [{ TRUST_PROXY: '-1' }, /^TRUST_PROXY can't be used/],
  [{ ADMIN_PASSWORD: 'chosen by the operator' }, /^ADMIN_PASSWORD can't be used: it needs ADMIN_EMAIL\.$/],
  [{ ADMIN_PASSWORD: 'eleven char' }, /^ADMIN_PASSWORD can't be used: it must have at least 12 characters\.$/],
  [{ SECRET_KEY: 'aaaaaaaaaaaaaaaa,b' }, /^SECRET_KEY can't be used: it must have at least 16 characters in each key/],
  [{ SECRET_KEY: 'abcabcabcabcabcabc' }, /^SECRET_KEY can't be used: it must have at least 5 different characters/],
  [{ SECRET_KEY: ',,,,,,,,,,,,,,,,,' }, /^SECRET_KEY can't be used/],
  [{ SECRET_KEY: 'aaaaaaaaaaaaaaaa,' }, /^SECRET_KEY can't be used/],
  [{ APP_ORIGIN: 'https://coach.example' }, /^SMTP_URL is missing: with an https APP_ORIGIN emails need a mail server/],
])('%j is rejected with one sentence', async (env, sentence) => {
  expect(await startError({ DATA_DIR: createTempFolder(), ...env })).toMatch(sentence)
})

test('an option that is unknown or contradicts a setting is rejected', async () => {
  const env = { DATA_DIR: createTempFolder() }
  expect(await startError(env, '--full')).toMatch(/^Unknown option --full/)
  expect(await startError(env, '--demo', '--empty')).toBe('Use either --demo or --empty.')
  const external = { ...env, DATABASE_URL: 'postgresql://user@127.0.0.1:1/practice' }
  expect(await startError(external, '--demo')).toBe("--demo can't be used: DATABASE_URL is set.")
})

test('a taken port is reported before the database starts', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo
  expect(await startError({ DATA_DIR: createTempFolder(), PORT: String(port) })).toBe(
    `PORT ${port} is in use on 127.0.0.1: stop the program that uses it or choose another PORT.`,
  )
})

test('a DATA_DIR that is a file is rejected', async () => {
  const file = path.join(createTempFolder(), 'file')
  writeFileSync(file, '')
  expect(await startError({ DATA_DIR: file })).toMatch(/^DATA_DIR can't be used: a file is in the way/)
})

test.runIf(process.platform === 'linux')('a DATA_DIR where no folder can be made is rejected', async () => {
  expect(await startError({ DATA_DIR: '/proc/nothing' })).toMatch(/^DATA_DIR can't be used: .*\/proc\/nothing/)
})

test('a database of another Postgres major version is rejected', async () => {
  const dir = createTempFolder()
  await (await startEmbedded({ dir: path.join(dir, 'postgres') })).stop()
  writeFileSync(path.join(dir, 'postgres/data/PG_VERSION'), '12\n')
  expect(await startError({ DATA_DIR: dir })).toMatch(
    /^The database in \S+ doesn't start: the data were written by another major version of Postgres\.$/,
  )
})

test('a DATABASE_URL without a reachable database or user is rejected', async () => {
  const { ownerUrl } = await listenOnPort()
  expect(
    await startError({ DATA_DIR: createTempFolder(), DATABASE_URL: ownerUrl.replace(/practice$/, 'elsewhere') }),
  ).toBe("DATABASE_URL can't be used: there is no such database.")
  expect(
    await startError({ DATA_DIR: createTempFolder(), DATABASE_URL: ownerUrl.replace('practice_owner', 'stranger') }),
  ).toBe("DATABASE_URL can't be used: the user may not sign in.")
})

test('a database migrated by a newer version of the product is rejected', async () => {
  const { ownerUrl } = await listenOnPort()
  const env = { DATA_DIR: createTempFolder(), DATABASE_URL: ownerUrl }
  const first = await serve(env, '--empty')
  await waitUntilReady(first)
  first.child.kill('SIGTERM')
  expect(await first.exit).toBe(0)

  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  await client.query(
    `insert into schema_migration (name) select split_part(name, '/', 1) || '/9999-later' from schema_migration limit 1`,
  )
  await client.end()
  expect(await startError(env)).toMatch(/^The database is newer than this version of the product/)
})

/** Returns the one line on stderr of a start that must fail. */
async function startError(env: Record<string, string>, ...args: string[]): Promise<string> {
  const running = await serve({ PORT: String(await freePort()), ...env }, ...args)
  let stderr = ''
  running.child.stderr!.on('data', (chunk) => (stderr += chunk))
  expect(await running.exit, running.output()).toBe(1)
  const lines = stderr.trim().split('\n')
  expect(lines).toHaveLength(1)
  return lines[0]!
}

async function listenOnPort() {
  const dir = path.join(createTempFolder(), 'open')
  mkdirSync(dir)
  chmodSync(dir, 0o755)
  const embedded = await startEmbedded({ dir: path.join(dir, 'postgres') })
  onTestFinished(() => embedded.stop())
  return embedded
}
