// `npm run bench`: measures the product's speed against the baseline server of tests/bench, its memory, its JavaScript
// its start, and the summaries that it makes without a model. Missed goals are marked; the exit code is 0 unless
// something can't be measured.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import type { Runtime } from '#app/server/process/runtime.ts'
import { startEmbedded } from '#db/embedded/embedded.ts'
import { parseConfig, type Config } from '#tenants/config.ts'
import { coachList, fillPlatform } from '#tests/bench/admin-data.ts'
import { measureScripts } from '#tests/bench/bundle-size.ts'
import { alternate, compareServers } from '#tests/bench/compare.ts'
import { measureSummaries, measureTranscripts, measureTransfers } from '#tests/bench/file-parts.ts'
import { prepareBenchData, type BenchData } from '#tests/bench/data.ts'
import { measureExport } from '#tests/bench/exports.ts'
import { measureHosts } from '#tests/bench/hosts.ts'
import {
  createLimitsData,
  createEmptyDatabase,
  measureLists,
  measureNeighbor,
  measureSignIn,
} from '#tests/bench/limits.ts'
import { processTree, type Workload } from '#tests/bench/load.ts'
import { fullScreens, measureLongestTask } from '#tests/bench/long-tasks.ts'
import { measureMemory } from '#tests/bench/memory.ts'
import { createPortalData, createPortalWorkloads, type PortalWorkloadName } from '#tests/bench/portal-data.ts'
import { prepareSimulation, measureSimulation } from '#tests/bench/simulation/simulation.ts'
import { fetchRaw, startBaseline, startProduct, type ServerProcess } from '#tests/bench/servers.ts'
import { loadRuntime, measureColdStart, measureWarmStart } from '#tests/bench/startup.ts'
import { formatTable, formatVerdict, median, type TableRow } from '#tests/bench/table.ts'
import {
  bookingPage,
  clientList,
  coachHost,
  createVisitorWorkloads,
  createWorkloads,
  type VisitorWorkloadName,
  type WorkloadName,
} from '#tests/bench/workloads.ts'
import { ensureChromium } from './ensure-chromium.mjs'
import { createShutdown, exitWithError } from './shutdown.ts'

/** Requests per second, as a ratio to the baseline. */
const goals: Record<WorkloadName, number> = {
  list: 1.1,
  appointments: 1.1,
  one: 1.2,
  stats: 0.9,
  search: 0.8,
  create: 0.5,
  payments: 1.1,
  files: 1.1,
  invoice: 0.5,
  page: 0.5,
  table: 0.27,
}
const visitorGoals: Record<VisitorWorkloadName, number> = { slots: 0.5, booking: 0.4 }
const portalGoals: Record<PortalWorkloadName, number> = { portal: 0.5, messages: 1.1, autosave: 0.5 }
const coachListGoal = 1.1
/** The goal of `page` with FAST_RENDER=off. */
const remixPageGoal = 0.3
const workloadNames = Object.keys(goals) as WorkloadName[]
const visitorWorkloadNames = Object.keys(visitorGoals) as VisitorWorkloadName[]
const portalWorkloadNames = Object.keys(portalGoals) as PortalWorkloadName[]
/** The database with 10,000 practices has no invoices and files. */
const scaledNames = workloadNames.filter((name) => !['payments', 'files', 'invoice', 'table'].includes(name))

const serverParts = [
  ...workloadNames,
  ...visitorWorkloadNames,
  ...portalWorkloadNames,
  'admin',
  'remix',
  'scale',
  'memory',
  'limits',
  'transfers',
  'transcripts',
  'hosts',
  'export',
  'browser',
  'start',
]
const usualParts = [...serverParts, 'summaries']
/** The simulation takes half an hour. */
const parts = [...usualParts, 'simulation']
const { values: options } = parseArgs({
  options: {
    /** Measures for a short time: fine for comparing changes, not for publishing. */
    quick: { type: 'boolean', default: false },
    /** Also measures the start of a fresh clone, which takes minutes. */
    cold: { type: 'boolean', default: false },
    /** Parts to measure, separated by commas. */
    only: { type: 'string', default: usualParts.join(',') },
    /** The folder with the meetings of QMSum, which `summaries` needs. */
    meetings: { type: 'string', default: process.env.MEETINGS_DIR ?? '' },
    /** Of `simulation`: the number of coaches, and the seed of their random sizes. */
    coaches: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
  },
})
const selectedParts = options.only.split(',')
const isSelected = (part: string): boolean => selectedParts.includes(part)

/** Durations in seconds. A round measures each server once. */
const durations = options.quick
  ? { slice: 1.5, rounds: 3, warmUp: 1.5, memory: 10, rest: 2 }
  : { slice: 4, rounds: 7, warmUp: 4, memory: 60, rest: 10 }

const root = path.dirname(import.meta.dirname)
const scratch = path.resolve(process.env.BENCH_DIR ?? path.join(root, '.cache/bench'))
const port = Number(process.env.BENCH_PORT ?? 4500)
const secret = 'only for the database of the bench'
const rows: TableRow[] = []

const shutdown = createShutdown()
try {
  const unknown = selectedParts.find((part) => !parts.includes(part))
  if (unknown) throw new Error(`Unknown part ${unknown}. Parts: ${parts.join(', ')}.`)
  await bench()
  await shutdown.run()
} catch (error) {
  await shutdown.run()
  exitWithError(error)
}
if (rows.length)
  console.log(`
${formatTable(rows)}

Requests per second on 20 connections, median of ${durations.rounds} alternating rounds of ${durations.slice} s.
Ratio: product ÷ baseline. CPU per request, server and Postgres: baseline ÷ product. Larger is better in both.
Scale compares the product with 10,000 practices to the product with 100: p95 and CPU, smaller is better.`)
process.exit(0)

async function bench(): Promise<void> {
  if (isSelected('summaries')) for await (const row of measureSummaries(options.meetings)) report(row)
  if ([...serverParts, 'simulation'].some(isSelected)) await measureProduct()
}

async function measureProduct(): Promise<void> {
  if (spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' }).status !== 0)
    throw new Error('The build failed.')
  const folder = path.join(scratch, 'postgres')
  const postgres = await startEmbedded({ dir: folder })
  shutdown.onClose(() => postgres.stop())
  const postmaster = Number.parseInt(readFileSync(path.join(folder, 'data/postmaster.pid'), 'utf8'))
  const runtime = await loadRuntime()
  const config = parseConfig({ SECRET_KEY: secret, DATA_DIR: scratch, LOG_LEVEL: 'silent' })
  const prepareData = (coaches: number, withBookings = false) =>
    prepareBenchData({
      serverUrl: postgres.ownerUrl,
      coaches,
      withBookings,
      prepare: (ownerUrl) => runtime.prepare({ ownerUrl, config }),
      log: console.log,
    })

  if ([...workloadNames, ...visitorWorkloadNames, 'remix', 'memory', 'browser'].some(isSelected))
    await measureThousand(await prepareData(1000, true), postmaster)
  if (isSelected('scale')) await measureScale(await prepareData(100), await prepareData(10_000), postmaster)
  for (const [name, measure] of Object.entries({ transfers: measureTransfers, transcripts: measureTranscripts }))
    if (isSelected(name)) {
      const ownerUrl = await createEmptyDatabase(postgres.ownerUrl, `bench_${name}`)
      await runtime.prepare({ ownerUrl, config })
      const setting = { ownerUrl, port, scratch, postmaster, durations, isQuick: options.quick }
      await withServers([productStarter({ ownerUrl }, port)], async ([product]) => {
        for await (const row of measure(product!, setting)) report(row)
      })
    }
  if (isSelected('admin')) {
    const ownerUrl = await createEmptyDatabase(postgres.ownerUrl, 'bench_admin')
    const { appUrl } = await runtime.prepare({ ownerUrl, config })
    await fillPlatform(ownerUrl)
    await withServers(
      [productStarter({ ownerUrl }, port, { ROLE: 'web' }), plainStarter(appUrl)],
      ([product, baseline]) => compare(coachList, coachListGoal, product!, baseline!, postmaster),
    )
  }
  if (portalWorkloadNames.some(isSelected)) await measurePortal(postgres.ownerUrl, runtime, config, postmaster)
  if (isSelected('limits')) await measureLimits(postgres.ownerUrl, runtime, config, postmaster)
  if (isSelected('hosts'))
    report(await measureHosts(postgres.ownerUrl, (ownerUrl) => runtime.prepare({ ownerUrl, config })))
  if (isSelected('export')) for await (const row of measureExport(postgres.ownerUrl, runtime, config)) report(row)
  if (isSelected('simulation')) await simulate(postgres.ownerUrl, runtime, config)
  if (isSelected('start')) await measureStart()
}

async function simulate(serverUrl: string, runtime: Runtime, config: Config): Promise<void> {
  const simulation = await prepareSimulation(serverUrl, options, (ownerUrl) => runtime.prepare({ ownerUrl, config }))
  const setting = { ...simulation, config, port, seconds: durations.slice }
  await withServers([productStarter(simulation, port)], async () => {
    for await (const figures of measureSimulation(setting)) console.log(figures)
  })
}

/** The parts with 1,000 practices. */
async function measureThousand(data: BenchData, postmaster: number): Promise<void> {
  if (workloadNames.some(isSelected) || isSelected('browser'))
    await withServers([productStarter(data, port), baselineStarter(data)], async ([product, baseline]) => {
      for (const name of workloadNames.filter(isSelected))
        await compare(createWorkloads(data)[name], goals[name], product!, baseline!, postmaster)
      if (isSelected('browser')) await measureBrowser(product!, data)
    })
  if (visitorWorkloadNames.some(isSelected)) await measureVisitors(data, postmaster)
  if (isSelected('remix'))
    await withServers(
      [productStarter(data, port, { FAST_RENDER: 'off' }), baselineStarter(data)],
      async ([product, baseline]) => {
        const { page } = createWorkloads(data)
        const workload = { ...page, name: `${page.name}, FAST_RENDER=off` }
        await compare(workload, remixPageGoal, product!, baseline!, postmaster)
      },
    )
  if (isSelected('memory'))
    await withServers([productStarter(data, port)], async ([product]) => {
      for await (const row of measureMemory(product!, Object.values(createWorkloads(data)), durations)) report(row)
    })
}

/** Behind a proxy, which tells their addresses. A worker's process sends the messages: the baseline sends none. */
async function measureVisitors(data: BenchData, postmaster: number): Promise<void> {
  const page = { path: bookingPage, host: coachHost(data.busyUser.coachId) }
  await withServers(
    [productStarter(data, port, { TRUST_PROXY: '1', ROLE: 'web' }), baselineStarter(data, page)],
    async ([product, baseline]) => {
      const workloads = createVisitorWorkloads(data, secret)
      for (const name of visitorWorkloadNames.filter(isSelected))
        await compare(workloads[name], visitorGoals[name], product!, baseline!, postmaster)
    },
  )
}

/** A worker's process runs the jobs of the practices: the baseline runs none. */
async function measurePortal(serverUrl: string, runtime: Runtime, config: Config, postmaster: number): Promise<void> {
  const ownerUrl = await createEmptyDatabase(serverUrl, 'bench_portal')
  const { appUrl } = await runtime.prepare({ ownerUrl, config })
  const data = await createPortalData(ownerUrl, appUrl, config)
  const { host, clientCookie: cookie } = data.practices[0]!
  await withServers(
    [productStarter(data, port, { ROLE: 'web' }), baselineStarter(data, { path: '/portal', host, cookie })],
    async ([product, baseline]) => {
      const workloads = createPortalWorkloads(data)
      for (const name of portalWorkloadNames.filter(isSelected))
        await compare(workloads[name], portalGoals[name], product!, baseline!, postmaster)
    },
  )
}

function productStarter({ ownerUrl }: Pick<BenchData, 'ownerUrl'>, at: number, env = {}): () => Promise<ServerProcess> {
  return () => startProduct({ port: at, ownerUrl, secret, scratch, env })
}

/** Starts the baseline after the product, with the HTML of a page of the product, by default the client list. */
function baselineStarter(
  { appUrl, users = [] }: Pick<BenchData, 'appUrl'> & Partial<BenchData>,
  { path: page, ...options }: { path: string; cookie?: string; host?: string } = { path: clientList, ...users[0] },
): () => Promise<ServerProcess> {
  return async () => {
    const { status, headers, body } = await fetchRaw(port, page, options)
    if (status !== 200) throw new Error(`${page}: status ${status}`)
    const pageFile = path.join(scratch, 'page.html')
    writeFileSync(pageFile, headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body)
    return startBaseline({ port: port + 1, appUrl, secret, scratch, pageFile })
  }
}

/** Starts the baseline for calls of the API alone. */
function plainStarter(appUrl: string): () => Promise<ServerProcess> {
  return () => startBaseline({ port: port + 1, appUrl, secret, scratch })
}

async function withServers(
  starters: (() => Promise<ServerProcess>)[],
  measure: (servers: ServerProcess[]) => Promise<void>,
): Promise<void> {
  const servers: ServerProcess[] = []
  const stop = async () => void (await Promise.all(servers.splice(0).map((server) => server.stop())))
  shutdown.onClose(stop)
  for (const start of starters) servers.push(await start())
  await measure([...servers])
  await stop()
}

async function compare(
  workload: Workload,
  goal: number,
  product: ServerProcess,
  baseline: ServerProcess,
  postmaster: number,
): Promise<void> {
  report(await compareServers({ workload, goal, product, baseline }, { durations, postmaster }))
}

async function measureScale(small: BenchData, large: BenchData, postmaster: number): Promise<void> {
  const starters = [productStarter(large, port), productStarter(small, port + 1)]
  await withServers(starters, async ([largeServer, smallServer]) => {
    for (const name of scaledNames) {
      const workload = createWorkloads(large)[name]
      const rounds = await alternate(
        { server: largeServer!, workload },
        { server: smallServer!, workload: createWorkloads(small)[name] },
        { durations, postmaster },
      )
      // A search reads all records of one coach, wherever they are on disk.
      const limit = name === 'search' ? 1.6 : 1.2
      const p95 = median(rounds.map(([ofLarge, ofSmall]) => ofLarge.p95 / ofSmall.p95))
      const cpu = median(rounds.map(([ofLarge, ofSmall]) => ofLarge.cpu / ofSmall.cpu))
      report({
        workload: `${workload.name}, 10,000 practices to 100`,
        product: `${median(rounds.map(([ofLarge]) => ofLarge.p95)).toFixed(1)} ms`,
        baseline: `${median(rounds.map(([, ofSmall]) => ofSmall.p95)).toFixed(1)} ms`,
        ratio: p95.toFixed(2),
        cpu: cpu.toFixed(2),
        goal: `≤ ${limit}`,
        met: p95 <= limit && cpu <= limit,
      })
    }
  })
}

async function measureLimits(serverUrl: string, runtime: Runtime, config: Config, postmaster: number): Promise<void> {
  const ownerUrl = await createEmptyDatabase(serverUrl, 'bench_limits')
  await runtime.prepare({ ownerUrl, config })
  await withServers([productStarter({ ownerUrl }, port)], async ([product]) => {
    const data = await createLimitsData(port, ownerUrl)
    const signIn = await measureSignIn(port, data, () => [product!.pid, ...processTree(postmaster)])
    report({ workload: 'Sign-in, CPU', product: `${signIn.toFixed(0)} ms`, goal: '≤ 60 ms', met: signIn <= 60 })
    const { quiet, busy, ratio } = await measureNeighbor(port, data, { rounds: 5, seconds: durations.slice })
    report({
      workload: 'p95 while another practice searches 20 times at once',
      product: `${busy.toFixed(1)} ms`,
      baseline: `${quiet.toFixed(1)} ms`,
      ratio: ratio.toFixed(2),
      goal: '≤ 3',
      met: ratio <= 3,
    })
    const memory = await measureLists(product!, data)
    report({
      workload: 'Memory while six lists of 15 MB are read',
      product: `${Math.round(memory)} MB`,
      goal: '≤ 350 MB',
      met: memory <= 350,
    })
  })
}

async function measureBrowser(product: ServerProcess, { users: [user], busyUser }: BenchData): Promise<void> {
  for (const screen of fullScreens) {
    const longest = await measureLongestTask(product.port, busyUser, screen, ensureChromium())
    report({
      workload: screen.title,
      product: longest ? `${Math.round(longest)} ms` : '< 50 ms',
      goal: '≤ 100 ms',
      met: longest <= 100,
    })
  }
  const clientPage = `/clients/${user!.clientIds[0]}`
  const budgets = { '/': 100, '/auth': 100, '/clients': 130, '/dashboard': 130, '/pipeline': 150, '/calendar': 150 }
  for (const [page, limit] of Object.entries({ ...budgets, [clientPage]: 150 })) {
    const kilobytes = (await measureScripts(product.port, page, limit > 100 ? user : undefined)) / 1000
    report({
      workload: `JavaScript of ${page === clientPage ? '/clients/{id}' : page}`,
      product: `${kilobytes.toFixed(1)} kB`,
      goal: `≤ ${limit} kB`,
      met: kilobytes <= limit,
    })
  }
}

async function measureStart(): Promise<void> {
  const warm = await measureWarmStart({ port, scratch })
  report({ workload: 'npm start, second time', product: `${warm.toFixed(1)} s`, goal: '≤ 3 s', met: warm <= 3 })
  if (!options.cold) return
  const cold = await measureColdStart({ port, scratch })
  report({ workload: 'npm start, fresh clone', product: `${cold.toFixed(0)} s`, goal: '≤ 180 s', met: cold <= 180 })
}

function report(result: Omit<TableRow, 'baseline' | 'ratio' | 'cpu'> & Partial<TableRow>): void {
  const row: TableRow = { baseline: '', ratio: '', cpu: '', ...result }
  rows.push(row)
  const { workload, product, baseline, ratio, cpu, goal } = row
  console.log([workload, product, baseline, ratio, cpu, goal, formatVerdict(row)].filter(Boolean).join(' · '))
}
