import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { median } from '../table.ts'
import { filledTables } from './rows.ts'
import { formatCount, type Figures } from './storage.ts'

/** The table with the most rows. Every change of a record adds to it. */
const table = 'history'
const backfill = { batch: 10_000, rows: 500_000 }
const quietMs = 5_000

type Step = { name: string; run: (owner: pg.Client) => Promise<unknown> }

/**
 * Runs the steps of an online migration on the table with the most rows, and undoes them. `write` is a change of a small
 * coach, which is repeated beside each step.
 */
export async function measureMigrations(ownerUrl: string, write: () => Promise<unknown>): Promise<Figures> {
  return asOwner(ownerUrl, async (owner) => {
    await removeColumn(owner)
    await owner.query(`alter table ${table} no force row level security`)
    const rows: string[][] = []
    try {
      for (const { name, run } of steps) rows.push([name, ...(await measureStep(() => run(owner), write))])
    } finally {
      await owner.query(`alter table ${table} force row level security`)
      await removeColumn(owner)
    }
    return {
      title: `Migrations of ${table}, and a small coach's writes beside them`,
      columns: ['step', 'seconds', 'writes', 'median ms', 'longest ms'],
      rows,
    }
  })
}

const removeColumn = (owner: pg.Client): Promise<unknown> =>
  owner.query(`alter table ${table} drop column if exists simulated`)

const steps: Step[] = [
  { name: 'nothing', run: () => pause(quietMs) },
  { name: 'add a nullable column', run: (owner) => owner.query(`alter table ${table} add column simulated text`) },
  {
    name: 'add a check, not valid',
    run: (owner) =>
      owner.query(`alter table ${table} add constraint simulated_length check (char_length(simulated) <= 9) not valid`),
  },
  {
    name: 'validate it',
    run: (owner) => owner.query(`alter table ${table} validate constraint simulated_length`),
  },
  {
    name: 'create an index concurrently',
    run: (owner) => owner.query(`create index concurrently simulated_key on ${table} (coach_id, simulated)`),
  },
  {
    name: `backfill up to ${formatCount(backfill.rows)} rows, ${formatCount(backfill.batch)} at once`,
    run: fillColumn,
  },
  { name: 'vacuum analyze, all tables', run: (owner) => owner.query(`vacuum analyze ${filledTables.join(', ')}`) },
]

/** In the order of the primary key, each batch in a transaction of its own. */
async function fillColumn(owner: pg.Client): Promise<void> {
  let last: [string, string] | undefined = ['0', '0']
  for (let filled = 0; last && filled < backfill.rows; filled += backfill.batch) {
    const { rows } = (await owner.query<{ coachId: string; id: string }>(
      `with batch as (
          select coach_id, id from ${table} where (coach_id, id) > ($1, $2) order by coach_id, id limit $3),
        changed as (
          update ${table} t set simulated = 'filled' from batch b where t.coach_id = b.coach_id and t.id = b.id)
        select coach_id as "coachId", id from batch order by coach_id desc, id desc limit 1`,
      [...last, backfill.batch],
    )) as { rows: { coachId: string; id: string }[] }
    last = rows[0] && [rows[0].coachId, rows[0].id]
  }
}

/** Seconds of the step; the number, the median and the longest of the writes beside it. */
async function measureStep(step: () => Promise<unknown>, write: () => Promise<unknown>): Promise<string[]> {
  const times: number[] = []
  let isRunning = true
  const writing = (async () => {
    do {
      const started = performance.now()
      await write()
      times.push(performance.now() - started)
    } while (isRunning)
  })()
  const started = performance.now()
  try {
    await step()
  } finally {
    isRunning = false
  }
  const seconds = (performance.now() - started) / 1000
  await writing
  return [seconds.toFixed(2), String(times.length), median(times).toFixed(1), Math.max(...times).toFixed(1)]
}
