// Serves the built product to the browser tests: on its own Postgres in .cache/e2e, with a fresh database for each run.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import type { ServerBuild } from '@remix-run/node'
import type { Runtime } from '#app/server/process/runtime.ts'
import { startEmbedded } from '#db/embedded/embedded.ts'
import { exitWithError, createShutdown, type Shutdown } from '#scripts/shutdown.ts'
import { dropDatabase, skipFsync, withDatabaseName } from './database.ts'
import { e2eConfig, stateFile, type E2eState } from './e2e-config.ts'
import { startFakeDns } from '#tests/fakes/dns/server.ts'
import { startFakeGoogle } from '#tests/fakes/google/server.ts'
import { startFakeRevAi } from '#tests/fakes/revai/server.ts'
import { startFakeStripe } from '#tests/fakes/stripe/server.ts'
import { startFakeZoom } from '#tests/fakes/zoom/server.ts'
import { createRequestClock } from './request-clock.ts'

type Build = Omit<ServerBuild, 'entry'> & { entry: { module: ServerBuild['entry']['module'] & { runtime: Runtime } } }

const root = path.resolve(import.meta.dirname, '../..')
const shutdown = createShutdown()
/** A weekday morning in New York, the coaches' zone, whenever the tests run. The clock runs on from there. */
const startTime = process.env.E2E_START_TIME ?? '2026-03-11T10:00:00-04:00'
/** The transcript of every recording that a browser test uploads. */
const recordedWords = [
  { speaker: 0, text: 'What has happened with the plan for the spring since we last spoke?', start: 1, end: 6 },
  { speaker: 1, text: 'I will send the plan for the spring to my manager by Friday.', start: 7, end: 12 },
]
/** The meeting of every account at Zoom. */
const recordedMeeting = { number: '86512345678', topic: 'Spring plan', sound: Buffer.alloc(4000, '\0\0\0\x18ftypM4A ') }
// End with the test run: one that was killed can't stop this process, and the next run needs the port.
process.stdin.resume().once('close', () => process.kill(process.pid, 'SIGTERM'))
try {
  await serve(shutdown)
} catch (error) {
  await shutdown.run()
  exitWithError(error)
}

async function serve(shutdown: Shutdown): Promise<void> {
  const clockOffset = Date.parse(startTime) - Date.now()
  const vendorNow = () => new Date(Date.now() + clockOffset)
  // Knows no domain.
  const dns = await startFakeDns()
  const google = await startFakeGoogle({ now: vendorNow })
  const stripe = await startFakeStripe({ now: vendorNow })
  const revai = await startFakeRevAi({ now: vendorNow, monologues: recordedWords })
  shutdown.onClose(() => dns.close())
  const zoom = await startFakeZoom({ now: vendorNow, everybody: recordedMeeting })
  shutdown.onClose(() => zoom.close())
  shutdown.onClose(() => google.close())
  shutdown.onClose(() => stripe.close())
  shutdown.onClose(() => revai.close())
  const config = e2eConfig({ ...dns.env, ...google.env, ...stripe.env, ...revai.env, ...zoom.env })
  stripe.deliverTo(config.origin)
  rmSync(config.dataDir, { recursive: true, force: true })
  mkdirSync(config.dataDir, { recursive: true })
  const [postgres, build] = await Promise.all([
    startEmbedded({ dir: path.join(root, '.cache/e2e/postgres') }),
    loadBuild(),
  ])
  shutdown.onClose(() => postgres.stop())

  await skipFsync(postgres.ownerUrl)
  const { runtime } = build.entry.module
  const ownerUrl = await freshDatabase(postgres.ownerUrl, `e2e_${config.port}`)
  const { appUrl } = await runtime.prepare({ ownerUrl, config })
  const now = createRequestClock(clockOffset)
  await runtime.ensureAccounts({ ownerUrl, config, demo: true, now })
  const state: E2eState = { appUrl, ownerUrl, pages: listPages(build), clockOffset }
  writeFileSync(stateFile(config), JSON.stringify(state))

  const server = await runtime.serve({ appUrl, config, now, build, assets: path.join(root, 'build/client') })
  shutdown.onClose(() => server.close())
}

async function freshDatabase(url: string, name: string): Promise<string> {
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  await dropDatabase(owner, name)
  await owner.query(`create database ${name}`)
  await owner.end()
  return withDatabaseName(url, name)
}

/** The route pattern of every page, such as '/clients/:id'. */
function listPages({ routes }: Build): string[] {
  const toPath = (id: string | undefined): string => {
    const route = id === undefined ? undefined : routes[id]
    return route ? [toPath(route.parentId), route.path].filter(Boolean).join('/') : ''
  }
  const parents = new Set(Object.values(routes).map((route) => route?.parentId))
  return Object.values(routes)
    .filter((route) => route !== undefined)
    .filter(({ id, module }) => 'default' in module && module.default && !parents.has(id))
    .map(({ id }) => `/${toPath(id)}`)
    .sort()
}

async function loadBuild(): Promise<Build> {
  const build: Build = await import(pathToFileURL(path.join(root, 'build/server/index.js')).href)
  return build
}
