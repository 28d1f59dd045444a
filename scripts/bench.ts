import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { Kernel } from '#app/server/process/runtime.ts'
import { startEmbedded } from '#db/embedded/embedded.ts'
import { parseConfig } from '#tenants/config.ts'
import { benchData, type BenchData } from '#tests/bench/data.ts'
import { family, load, residentMegabytes, type Slice, type Work } from '#tests/bench/load.ts'
import { startPlain, startProduct, type Running } from '#tests/bench/servers.ts'
import { coldStart, warmStart } from '#tests/bench/startup.ts'
import { fullScreens, longestTask } from '#tests/bench/long-tasks.ts'
import { median, table, type Line } from '#tests/bench/table.ts'
import { scriptBytes } from '#tests/bench/bundle-size.ts'
import { works, type WorkName } from '#tests/bench/workloads.ts'
import { ensureChromium } from './ensure-chromium.mjs'
import { fail, lifetime, type Lifetime } from './shutdown.ts'

// The figures that the product answers for, measured on this machine in one run: its speed beside a plain server, its memory,
// its JavaScript, its start. A figure below its goal is marked; the run fails only where it can't measure.

const parts = [
  'list',
  'one',
  'create',
  'stats',
  'purchases',
  'appointments',
  'search',
  'page',
  'client',
  'scale',
  'memory',
  'browser',
  'start',
] as const
type Part = (typeof parts)[number]

const { values: options } = parseArgs({
  options: {
    /** Short slices: for a look while working, not for a figure to quote. */
    quick: { type: 'boolean', default: false },
    /** Also from a fresh clone to its first page: some minutes. */
    cold: { type: 'boolean', default: false },
    /** Some of the parts, separated by commas. */
    only: { type: 'string', default: parts.join(',') },
  },
})
const wanted = (part: Part): boolean => options.only.split(',').includes(part)

const root = path.dirname(import.meta.dirname)
const scratch = path.resolve(process.env.BENCH_DIR ?? path.join(root, '.cache/bench'))
const port = Number(process.env.BENCH_PORT ?? 4500)
const secret = 'only for the database of the bench'
/** Seconds and rounds: one round asks each server once. */
const length = options.quick
  ? { slice: 1.5, rounds: 3, warmUp: 1.5, memory: 10, rest: 2 }
  : { slice: 4, rounds: 7, warmUp: 4, memory: 60, rest: 10 }
const goals: Record<WorkName, number> = {
  list: 1,
  one: 0.7,
  create: 0.5,
  stats: 0.7,
  purchases: 1,
  appointments: 1,
  search: 0.9,
  page: 0.5,
  client: 0.5,
}
const lines: Line[] = []
const figure = { plain: '', ratio: '', cpu: '' }

const life = lifetime()
try {
  await bench(life)
  await life.end()
} catch (error) {
  await life.end()
  fail(error)
}
console.log(`
${table(lines)}

Product and plain: answers per second on 20 connections, asked in turn in slices of ${length.slice} s, median of ${length.rounds} rounds.
Ratio: product ÷ plain. CPU: plain ÷ product, of server and Postgres for one answer. Larger is better in both.
Scale compares the product with 10,000 practices to the product with 100: p95 and CPU, smaller is better.`)
process.exit(0)

async function bench(life: Lifetime): Promise<void> {
  if (spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' }).status !== 0)
    throw new Error('The build failed.')
  const folder = path.join(scratch, 'postgres')
  const postgres = await startEmbedded({ dir: folder })
  life.onEnd(() => postgres.stop())
  const postmaster = Number.parseInt(readFileSync(path.join(folder, 'data/postmaster.pid'), 'utf8'))
  const kernel = await builtKernel()
  const config = parseConfig({ SECRET_KEY: secret, DATA_DIR: scratch, LOG_LEVEL: 'silent' })
  const practices = (coaches: number) =>
    benchData({
      serverUrl: postgres.ownerUrl,
      coaches,
      prepare: (ownerUrl) => kernel.prepare({ ownerUrl, config }),
      say: console.log,
    })

  const thousand = await practices(1000)
  await withServers(
    [productOn(thousand, port), () => startPlain({ port: port + 1, appUrl: thousand.appUrl, scratch })],
    async ([product, plain]) => {
      for (const name of Object.keys(goals) as WorkName[])
        if (wanted(name)) await compare(name, thousand, product!, plain!, postmaster)
      if (wanted('browser')) await browser(product!, thousand)
    },
  )
  if (wanted('scale')) await scale(await practices(100), await practices(10_000), postmaster)
  if (wanted('memory')) await withServers([productOn(thousand, port)], ([product]) => memory(product!, thousand))
  if (wanted('start')) await starts()
}

async function builtKernel(): Promise<Kernel> {
  const build: { entry: { module: { kernel: Kernel } } } = await import(
    pathToFileURL(path.join(root, 'build/server/index.js')).href
  )
  return build.entry.module.kernel
}

function productOn({ ownerUrl }: BenchData, at: number): () => Promise<Running> {
  return () => startProduct({ port: at, ownerUrl, secret, scratch })
}

async function withServers(
  starting: (() => Promise<Running>)[],
  work: (servers: Running[]) => Promise<void>,
): Promise<void> {
  const servers: Running[] = []
  const stop = async () => void (await Promise.all(servers.splice(0).map((server) => server.stop())))
  life.onEnd(stop)
  for (const start of starting) servers.push(await start())
  await work([...servers])
  await stop()
}

async function compare(
  name: WorkName,
  data: BenchData,
  product: Running,
  plain: Running,
  postmaster: number,
): Promise<void> {
  const work = works(data)[name]
  const rounds = await turnByTurn({ server: product, work }, { server: plain, work }, postmaster)
  const ratio = median(rounds.map(([ours, theirs]) => rate(ours) / rate(theirs)))
  report({
    work: work.name,
    product: perSecond(median(rounds.map(([ours]) => rate(ours)))),
    plain: perSecond(median(rounds.map(([, theirs]) => rate(theirs)))),
    ratio: ratio.toFixed(2),
    cpu: median(rounds.map(([ours, theirs]) => theirs.cpu / ours.cpu)).toFixed(2),
    goal: `≥ ${goals[name].toFixed(1)}`,
    met: ratio >= goals[name],
  })
}

async function scale(few: BenchData, many: BenchData, postmaster: number): Promise<void> {
  await withServers([productOn(many, port), productOn(few, port + 1)], async ([ofMany, ofFew]) => {
    for (const name of Object.keys(goals) as WorkName[]) {
      const work = works(many)[name]
      const rounds = await turnByTurn({ server: ofMany!, work }, { server: ofFew!, work: works(few)[name] }, postmaster)
      // A coach's own records are read for a search, wherever they lie.
      const limit = name === 'search' ? 1.6 : 1.2
      const p95 = median(rounds.map(([large, small]) => large.p95 / small.p95))
      const cpu = median(rounds.map(([large, small]) => large.cpu / small.cpu))
      report({
        work: `${work.name}, 10,000 practices to 100`,
        product: `${median(rounds.map(([large]) => large.p95)).toFixed(1)} ms`,
        plain: `${median(rounds.map(([, small]) => small.p95)).toFixed(1)} ms`,
        ratio: p95.toFixed(2),
        cpu: cpu.toFixed(2),
        goal: `≤ ${limit}`,
        met: p95 <= limit && cpu <= limit,
      })
    }
  })
}

type Subject = { server: Running; work: Work }

/** A slice for each of the two, again and again, every second time the other one first: what else the machine does hits both. */
async function turnByTurn(one: Subject, other: Subject, postmaster: number): Promise<[Slice, Slice][]> {
  const sliceOf = ({ server, work }: Subject, seconds: number) =>
    load(server.port, work, seconds, () => [server.pid, ...family(postmaster)])
  for (const subject of [one, other]) await sliceOf(subject, length.warmUp)
  const rounds: [Slice, Slice][] = []
  for (let round = 0; round < length.rounds; round++) {
    const ahead = round % 2 ? await sliceOf(other, length.slice) : undefined
    const own = await sliceOf(one, length.slice)
    rounds.push([own, ahead ?? (await sliceOf(other, length.slice))])
  }
  return rounds
}

async function memory(product: Running, data: BenchData): Promise<void> {
  const each = works(data)
  for (const work of Object.values(each)) await load(product.port, work, 0.2, () => [])
  await pause(length.rest * 1000)
  const idle = residentMegabytes(product.pid)
  const began = performance.now()
  const everything = Object.values(each)
  for (let at = 0; performance.now() - began < length.memory * 1000; at++)
    await load(product.port, everything[at % everything.length]!, 1, () => [])
  const loaded = residentMegabytes(product.pid)
  await pause(length.memory * 1000)
  const rested = residentMegabytes(product.pid)
  const megabytes = (value: number): string => `${Math.round(value)} MB`
  report({
    ...figure,
    work: `Memory after ${length.memory} s of full load`,
    product: megabytes(loaded),
    goal: '≤ 350 MB',
    met: loaded <= 350,
  })
  report({
    ...figure,
    work: `Memory after ${length.memory} s of rest, to ${megabytes(idle)} idle`,
    product: megabytes(rested),
    ratio: (rested / idle).toFixed(2),
    goal: '≤ 1.2',
    met: rested / idle <= 1.2,
  })
}

async function browser(product: Running, { visitors: [visitor], busy }: BenchData): Promise<void> {
  const pages = [
    { page: '/', limit: 100 },
    { page: '/auth', limit: 100 },
    { page: '/clients', limit: 130, visitor },
    { page: '/dashboard', limit: 130, visitor },
  ]
  for (const screen of fullScreens) {
    const longest = await longestTask(product.port, busy, screen, ensureChromium())
    report({
      ...figure,
      work: screen.what,
      product: longest ? `${Math.round(longest)} ms` : '< 50 ms',
      goal: '≤ 100 ms',
      met: longest <= 100,
    })
  }
  for (const { page, limit, visitor } of pages) {
    const kilobytes = (await scriptBytes(product.port, page, visitor)) / 1000
    report({
      ...figure,
      work: `JavaScript of ${page}`,
      product: `${kilobytes.toFixed(1)} kB`,
      goal: `≤ ${limit} kB`,
      met: kilobytes <= limit,
    })
  }
}

async function starts(): Promise<void> {
  const warm = await warmStart({ port, scratch })
  report({
    ...figure,
    work: 'npm start, the second time',
    product: `${warm.toFixed(1)} s`,
    goal: '≤ 3 s',
    met: warm <= 3,
  })
  if (!options.cold) return
  const cold = await coldStart({ port, scratch })
  report({
    ...figure,
    work: 'npm start, on a fresh clone',
    product: `${cold.toFixed(0)} s`,
    goal: '≤ 180 s',
    met: cold <= 180,
  })
}

function rate({ answers, seconds }: Slice): number {
  return answers / seconds
}

function perSecond(value: number): string {
  return `${Math.round(value).toLocaleString('en')}/s`
}

function report(line: Line): void {
  lines.push(line)
  console.log([line.work, line.product, line.plain, line.ratio, line.cpu].filter(Boolean).join(' · '))
}
