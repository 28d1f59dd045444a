// The built product as the browser tests meet it: on its own Postgres in .cache/e2e, with a fresh database for each run.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import type { ServerBuild } from '@remix-run/node'
import type { Kernel } from '#app/server/process/runtime.ts'
import { startEmbedded } from '#db/embedded/embedded.ts'
import { fail, lifetime, type Lifetime } from '#scripts/shutdown.ts'
import { dropDatabase } from './database.ts'
import { e2eConfig, noteOf, type E2eNote } from './e2e-config.ts'

type Build = Omit<ServerBuild, 'entry'> & { entry: { module: ServerBuild['entry']['module'] & { kernel: Kernel } } }

const root = path.resolve(import.meta.dirname, '../..')
const life = lifetime()
// Tests that were killed can't stop it: then it ends by itself, and the next run finds its port free.
const above = process.ppid
setInterval(() => process.ppid !== above && process.kill(process.pid, 'SIGTERM'), 500).unref()
try {
  await serve(life)
} catch (error) {
  await life.end()
  fail(error)
}

async function serve(life: Lifetime): Promise<void> {
  const config = e2eConfig()
  rmSync(config.dataDir, { recursive: true, force: true })
  mkdirSync(config.dataDir, { recursive: true })
  const [postgres, build] = await Promise.all([
    startEmbedded({ dir: path.join(root, '.cache/e2e/postgres') }),
    loadBuild(),
  ])
  life.onEnd(() => postgres.stop())

  const { kernel } = build.entry.module
  const ownerUrl = await freshDatabase(postgres.ownerUrl, `e2e_${config.port}`)
  const { appUrl } = await kernel.prepare({ ownerUrl, config })
  await kernel.seed({ appUrl, config })
  const note: E2eNote = { appUrl, pages: pagesOf(build) }
  writeFileSync(noteOf(config), JSON.stringify(note))

  const serving = await kernel.serve({ appUrl, config, build, assets: path.join(root, 'build/client') })
  life.onEnd(() => serving.close())
}

async function freshDatabase(url: string, name: string): Promise<string> {
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  await dropDatabase(owner, name)
  await owner.query(`create database ${name}`)
  await owner.end()
  return url.replace(/^(\w+:\/\/[^/?]*\/)[^/?]*/, `$1${name}`)
}

/** The address of every route that has a screen, as the router writes it: '/clients/:id'. */
function pagesOf({ routes }: Build): string[] {
  const pathOf = (id: string | undefined): string => {
    const route = id === undefined ? undefined : routes[id]
    return route ? [pathOf(route.parentId), route.path].filter(Boolean).join('/') : ''
  }
  const parents = new Set(Object.values(routes).map((route) => route?.parentId))
  return Object.values(routes)
    .filter((route) => route !== undefined)
    .filter(({ id, module }) => 'default' in module && module.default && !parents.has(id))
    .map(({ id }) => `/${pathOf(id)}`)
    .sort()
}

async function loadBuild(): Promise<Build> {
  const build: Build = await import(pathToFileURL(path.join(root, 'build/server/index.js')).href)
  return build
}
