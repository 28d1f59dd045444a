import { spawnSync } from 'node:child_process'
import path from 'node:path'
import type { Runtime } from '#app/server/process/runtime.ts'
import type { Config } from '#tenants/config.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { createEmptyDatabase } from './limits.ts'
import type { TableRow } from './table.ts'

const clients = 10_000
const [maxSeconds, maxMegabytes] = [60, 100]

/** What `export-process.ts` prints. */
export type ExportFigures = { seconds: number; megabytes: number; rows: number }

/** Exports a practice of 10,000 clients, with 30,000 interactions and 20,000 appointments, in a process of its own. */
export async function* measureExport(
  serverUrl: string,
  runtime: Pick<Runtime, 'prepare'>,
  config: Config,
): AsyncGenerator<TableRow> {
  const ownerUrl = await createEmptyDatabase(serverUrl, 'bench_export')
  await runtime.prepare({ ownerUrl, config })
  await asOwner(ownerUrl, async (owner) => {
    await owner.query(`select set_config('app.coach_id', '1', false)`)
    await owner.query(practiceSql, [clients])
    for (const statement of recordsSql) await owner.query(statement)
    await owner.query('analyze')
  })
  const script = path.join(import.meta.dirname, 'export-process.ts')
  const flags = ['--max-semi-space-size=16', '--heap-growing-percent=50']
  const env = { SECRET_KEY: config.secretKeys.join(), DATA_DIR: config.dataDir }
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, script], {
    env: { ...process.env, ...env, DATABASE_URL: ownerUrl, LOG_LEVEL: 'silent' },
    encoding: 'utf8',
  })
  if (!stdout) throw new Error(`The export failed: ${stderr}`)
  const { seconds, megabytes, rows } = JSON.parse(stdout) as ExportFigures
  const row = { baseline: '', ratio: '', cpu: '' }
  const workload = `Export of ${clients.toLocaleString('en')} clients, ${rows.toLocaleString('en')} rows`
  const product = `${seconds.toFixed(1)} s`
  yield { ...row, workload, product, goal: `≤ ${maxSeconds} s`, met: seconds <= maxSeconds }
  const memory = { workload: 'its memory', product: `+ ${megabytes} MB`, goal: `≤ ${maxMegabytes} MB` }
  yield { ...row, ...memory, met: megabytes <= maxMegabytes }
}

const practiceSql = `
  with account as (
    insert into account (id, email, first_name, last_name, plan, created_at, updated_at)
    values (1, 'coach@example.com', 'Ada', 'Coach', 'premium', now(), now()))
  insert into client (coach_id, name, email, status, notes, goals, tags, created_at, updated_at)
  select 1, 'Client ' || n, 'client' || n || '@example.com', 'active', repeat('Notes of a session. ', 20), 'To run 10 km.',
    array['referral'], now(), now() from generate_series(1, $1::int) n`

const recordsSql = [
  `insert into client_interaction (coach_id, client_id, name, content, interaction_date, source, created_at, updated_at)
    select 1, c.id, 'Session ' || n, repeat('What was said. ', 20), now(), 'manual', now(), now()
    from client c, generate_series(1, 3) n`,
  `insert into appointment (coach_id, client_id, title, start_time, end_time, timezone, status, created_at, updated_at)
    select 1, c.id, 'Session', now() + n * interval '1 week', now() + n * interval '1 week' + interval '1 hour', 'UTC',
      'cancelled', now(), now() from client c, generate_series(1, 2) n`,
]
