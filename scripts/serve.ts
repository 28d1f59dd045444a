import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ServerBuild } from '@remix-run/node'
import type { Kernel } from '#app/server/kernel.ts'
import { startEmbedded } from '#db/embedded.ts'
import { parseConfig, type Config } from '#tenants/config.ts'
import { ensureDataDir, ensureSecret } from './ensure-data-dir.ts'
import { ensurePort } from './ensure-port.ts'
import { fail, lifetime, type Lifetime } from './lifetime.ts'

const root = path.dirname(import.meta.dirname)

type Build = Omit<ServerBuild, 'entry'> & { entry: { module: ServerBuild['entry']['module'] & { kernel: Kernel } } }

const life = lifetime()
try {
  await serve(life, { empty: wantsEmpty(process.argv.slice(2)) })
} catch (error) {
  await life.end()
  fail(error)
}

async function serve(life: Lifetime, { empty }: { empty: boolean }): Promise<void> {
  const config = parseConfig(process.env)
  if (config.role !== 'worker') await ensurePort(config)
  ensureDataDir(config.dataDir)
  if (!config.secretKeys.length) config.secretKeys.push(ensureSecret(config.dataDir))

  const [ownerUrl, build] = await Promise.all([findDatabase(life, config), loadBuild()])
  const { kernel } = build.entry.module
  const { appUrl, migrated } = await kernel.prepare({ ownerUrl, config })
  if (migrated.length) console.log(`Brought the database up to date (${migrated.length} migrations).`)
  const demo = !config.databaseUrl && !staysEmpty(config, empty)
  if (demo) await kernel.seed({ appUrl, config })

  const serving = await kernel.serve({ appUrl, config, build, assets: path.join(root, 'build/client') })
  life.onEnd(() => serving.close())
  for (const line of kernel.welcome(config, { demo })) console.log(line)
}

/** The address for the role that owns the database: DATABASE_URL's, or our own server's. */
async function findDatabase(life: Lifetime, { databaseUrl, dataDir }: Config): Promise<string> {
  if (databaseUrl) return databaseUrl
  console.log('Starting the database …')
  const starting = startEmbedded({ dir: path.join(dataDir, 'postgres') })
  life.onEnd(async () => {
    const embedded = await starting.catch(() => undefined)
    await embedded?.stop()
  })
  return (await starting).ownerUrl
}

/** Once begun with --empty, a practice never finds demo clients among its own. */
function staysEmpty({ dataDir }: Config, empty: boolean): boolean {
  const mark = path.join(dataDir, 'begun-empty')
  if (empty) writeFileSync(mark, '')
  return existsSync(mark)
}

async function loadBuild(): Promise<Build> {
  const build: Build = await import(pathToFileURL(path.join(root, 'build/server/index.js')).href)
  return build
}

function wantsEmpty(args: string[]): boolean {
  const unknown = args.find((arg) => arg !== '--empty')
  if (unknown) fail(new Error(`${unknown} is no option of this command; the only one is --empty.`))
  return args.includes('--empty')
}
