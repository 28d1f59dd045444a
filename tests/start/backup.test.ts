import { rmSync, statSync, truncateSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import {
  call,
  cleanEnvironment,
  createTempFolder,
  getDemoSignIn,
  getPostmaster,
  launch,
  queryAsSuperuser,
  serve,
  waitUntilReady,
} from './support/process.ts'

test('a backup of the running product restores a destroyed installation, row by row', async () => {
  const [dir, otherDir] = [createTempFolder(), createTempFolder()]
  const file = path.join(createTempFolder(), 'practice.backup')
  const first = await serve({ DATA_DIR: dir })
  await waitUntilReady(first)
  const { cookie } = await call(first, 'POST', '/api/login', { body: getDemoSignIn(dir) })
  const clients = await call<object[]>(first, 'GET', '/api/clients', { cookie })
  expect(clients.body.length).toBeGreaterThan(3)
  // Wait for the jobs that print the contracts of the demo practices.
  await expect.poll(() => countContractEmails(dir), { timeout: 60_000 }).toBe(0)
  expect(await run('backup', [file], dir)).toEqual([0, expect.stringMatching(/^Wrote \d+ rows to /)])
  const before = await readRows(dir)

  const archive = path.join(createTempFolder(), 'practice.zip')
  const { email } = getDemoSignIn(dir)!
  const exportArgs = ['--coach', email, '--to', archive]
  const wrote = expect.stringMatching(/^Wrote \d+ rows and \d+ files of /)
  expect(await run('export', exportArgs, dir)).toEqual([0, wrote])

  process.kill(getPostmaster(path.join(dir, 'postgres')), 'SIGKILL')
  first.child.kill('SIGKILL')
  await first.exit
  rmSync(dir, { recursive: true })

  // A new cluster: it has none of the roles.
  expect(await run('restore', [file], otherDir)).toEqual([0, expect.stringMatching(/^Restored \d+ rows, as of /)])
  const second = await serve({ DATA_DIR: otherDir })
  await waitUntilReady(second)
  expect(await readRows(otherDir)).toEqual(before)
  expect((await call(second, 'GET', '/api/clients', { cookie })).body).toEqual(clients.body)
  const notEmpty = 'The database is not empty. Restore into a new DATABASE_URL, or an empty DATA_DIR.'
  expect(await run('restore', [file], otherDir)).toEqual([1, notEmpty])

  truncateSync(file, statSync(file).size - 100)
  const incomplete = 'The backup is incomplete or damaged. Nothing was restored.'
  expect(await run('restore', [file], createTempFolder())).toEqual([1, incomplete])
  rmSync(file)
  expect(await run('restore', [file], createTempFolder())).toEqual([1, `There is no file ${file}.`])

  // While the product serves.
  const taken = expect.stringMatching(/taken here\. Nothing was imported\./)
  expect(await run('import', [archive], otherDir)).toEqual([1, taken])
  const others = ['--email', 'grace@example.com', '--subdomain', 'none', '--password', 'a long and rare word']
  const imported = expect.stringMatching(/^Imported \d+ rows and \d+ files\. The practice has the plan "premium"\./)
  expect(await run('import', [archive, ...others], otherDir)).toEqual([0, imported])
})

/** Runs a command of package.json. Returns its exit code and what it printed. */
async function run(
  command: 'backup' | 'restore' | 'export' | 'import',
  args: string[],
  dataDir: string,
): Promise<[number | null, string]> {
  const env = { ...cleanEnvironment(), DATA_DIR: dataDir }
  const running = launch(process.execPath, [`scripts/${command}.ts`, ...args], { env })
  return [await running.exit, running.output().trim()]
}

/** The emails about contracts that the demo practices have still to send. */
async function countContractEmails(dataDir: string): Promise<number> {
  const [row] = await queryAsSuperuser<{ jobs: number }>(
    path.join(dataDir, 'postgres'),
    `select count(*)::int as jobs from pgboss.job
      where name = 'contracts.email' and state in ('created', 'retry', 'active')`,
  )
  return row!.jobs
}

/** All rows of the tables that a backup holds. */
async function readRows(dataDir: string): Promise<Record<string, string[]>> {
  const database = path.join(dataDir, 'postgres')
  const tables = await queryAsSuperuser<{ name: string }>(
    database,
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and relname not in ('rate_limit', 'schema_migration', 'signature_key')`,
  )
  const rows: Record<string, string[]> = {}
  for (const { name } of tables)
    rows[name] = (
      await queryAsSuperuser<{ row: string }>(database, `select t::text as row from ${name} t order by 1`)
    ).map(({ row }) => row)
  return rows
}
