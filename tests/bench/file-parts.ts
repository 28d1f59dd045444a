import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Client } from 'pg'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { compareTransfers, measureUploadMemory } from './files.ts'
import { register } from './limits.ts'
import { load, processTree, type LoadResult, type Workload } from './load.ts'
import { startPlainFiles, type ServerProcess } from './servers.ts'
import type { TableRow } from './table.ts'

// The parts of `npm run bench` that concern files and what was said in sessions. The product runs on an empty database.

type Setting = {
  ownerUrl: string
  port: number
  scratch: string
  postmaster: number
  durations: { slice: number; warmUp: number }
  isQuick: boolean
}
type Row = Pick<TableRow, 'workload' | 'product' | 'goal' | 'met'> & Partial<TableRow>

/** Files in parts against a plain server that streams one body, and the memory of ten uploads at once. */
export async function* measureTransfers(
  product: ServerProcess,
  { ownerUrl, port, scratch, postmaster, isQuick }: Setting,
): AsyncGenerator<Row> {
  const folder = path.join(scratch, 'plain-files')
  const plain = await startPlainFiles({ port: port + 1, folder, scratch })
  try {
    const { id, cookie } = await register(port, 'files@example.com')
    await asOwner(ownerUrl, (owner) => choosePremium(owner, id))
    const pids = (server: ServerProcess): number[] =>
      server === product ? [server.pid, ...processTree(postmaster)] : [server.pid]
    const { megabytes, rounds, memory } = isQuick
      ? { megabytes: 50, rounds: 3, memory: 100 }
      : { megabytes: 200, rounds: 5, memory: 500 }
    const compared = await compareTransfers(product, plain, { cookie, megabytes, rounds, pids })
    for (const [name, { product: ours, plain: theirs, ratio, cpu }] of Object.entries(compared))
      yield {
        workload: `A file of ${megabytes} MB, ${name}`,
        product: `${Math.round(ours)} MB/s`,
        baseline: `${Math.round(theirs)} MB/s`,
        ratio: ratio.toFixed(2),
        cpu: cpu.toFixed(2),
        goal: '≥ 0.5',
        // The disk and other work on the machine decide the rate.
        met: cpu >= 0.5,
      }
    const more = await measureUploadMemory(product, { cookie, files: 10, megabytes: memory })
    yield {
      workload: `Memory of ten uploads of ${memory} MB at once`,
      product: `+ ${Math.round(more)} MB`,
      goal: '≤ 60 MB',
      met: more <= 60,
    }
  } finally {
    await plain.stop()
    for (const used of [folder, path.join(scratch, `data-${port}`, 'files')])
      rmSync(used, { recursive: true, force: true })
  }
}

type TranscriptSearch = {
  transcriptCount: number
  addTranscripts(owner: Client, coachId: number): Promise<void>
  measureSearch(
    run: (workload: Workload) => Promise<LoadResult>,
    cookie: string,
  ): Promise<{ term: string; ms: number; cpu: number }[]>
}

/** Without the module there is nothing to measure. */
export async function* measureTranscripts(
  product: ServerProcess,
  { ownerUrl, port, postmaster, durations }: Setting,
): AsyncGenerator<Row> {
  const found = await importBench<TranscriptSearch>('search.ts')
  if (!found) return
  const { addTranscripts, measureSearch, transcriptCount } = found
  const { id, cookie } = await register(port, 'transcripts@example.com')
  const count = transcriptCount.toLocaleString('en')
  console.log(`Creating ${count} transcripts …`)
  await asOwner(ownerUrl, async (owner) => {
    await choosePremium(owner, id)
    await owner.query('begin')
    await addTranscripts(owner, id)
    await owner.query('commit')
    await owner.query('vacuum analyze')
  })
  const pids = (): number[] => [product.pid, ...processTree(postmaster)]
  const run = async (workload: Workload): Promise<LoadResult> => {
    await load(port, workload, durations.warmUp, pids, 1)
    return load(port, workload, durations.slice, pids, 1)
  }
  for (const { term, ms, cpu } of await measureSearch(run, cookie))
    yield {
      workload: `Search of ${count} transcripts for ${term}`,
      product: `${ms.toFixed(0)} ms`,
      cpu: `${cpu.toFixed(0)} ms`,
      goal: '≤ 50 ms',
      met: ms <= 50,
    }
}

/** The summaries that are made without a model, of the meetings in `folder`. */
export async function* measureSummaries(folder: string): AsyncGenerator<Row> {
  const found = await importBench<{ measureSummaries: (folder: string) => Row[] | null }>('measure.ts')
  if (!found) return
  const workload = 'Summaries: name the folder of the meetings with --meetings or MEETINGS_DIR'
  yield* found.measureSummaries(folder) ?? [{ workload, product: 'not measured', goal: '', met: null }]
}

/** Null without the module. */
async function importBench<Exports>(name: string): Promise<Exports | null> {
  const file = path.resolve(import.meta.dirname, '../../modules/summaries/bench', name)
  return existsSync(file) ? ((await import(pathToFileURL(file).href)) as Exports) : null
}

/** For the rest of the connection it acts for the coach: row level security applies to the owner, too. */
async function choosePremium(owner: Client, coachId: number): Promise<void> {
  await owner.query(`select set_config('app.coach_id', $1, false)`, [String(coachId)])
  await owner.query(`update account set plan = 'premium' where id = $1`, [coachId])
}
