import { existsSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import path from 'node:path'
import type { ServerBuild } from '@remix-run/node'
import type { Runtime, RunningServer } from '#app/server/process/runtime.ts'
import { startEmbedded } from '#db/embedded/embedded.ts'
import { parseConfig, type Config } from '#tenants/config.ts'
import { ensureDataDir, ensureSecret } from './ensure-data-dir.ts'
import { ensurePort } from './ensure-port.ts'
import { createShutdown, exitWithError, type Shutdown } from './shutdown.ts'

/** The product's code, from the build or from the development server. */
export type Product = {
  runtime: Runtime
  build: ServerBuild | (() => Promise<ServerBuild>)
  assets?: string
  wrapServer?: (server: Server) => void
}
export type Build = ServerBuild & { entry: { module: { runtime: Runtime } } }
type Bootstrapped = { restart(): Promise<void> }

/**
 * Starts the product: configuration, database, migrations, demo data, server. Prints one sentence and exits if it
 * can't. `restart` loads the product again and serves it.
 */
export async function bootstrap(load: (shutdown: Shutdown) => Promise<Product>): Promise<Bootstrapped> {
  const shutdown = createShutdown()
  try {
    return await start(shutdown, load)
  } catch (error) {
    await shutdown.run()
    return exitWithError(error)
  }
}

async function start(shutdown: Shutdown, load: (shutdown: Shutdown) => Promise<Product>): Promise<Bootstrapped> {
  const empty = parseEmptyFlag(process.argv.slice(2))
  const config = parseConfig(process.env)
  if (config.role !== 'worker') await ensurePort(config)
  ensureDataDir(config.dataDir)
  if (!config.secretKeys.length) config.secretKeys.push(ensureSecret(config.dataDir))
  const demo = !config.databaseUrl && !isStartedEmpty(config, empty)

  const [ownerUrl, product] = await Promise.all([findDatabase(shutdown, config), load(shutdown)])
  let server: RunningServer | undefined = await serve(product)
  shutdown.onClose(async () => server?.close())
  console.log(['', ...product.runtime.formatWelcome(config, { demo }), ''].join('\n'))
  return {
    async restart() {
      await server?.close()
      server = undefined
      server = await serve(await load(shutdown))
    },
  }

  async function serve({ runtime, ...source }: Product) {
    const { appUrl, migrated } = await runtime.prepare({ ownerUrl, config })
    if (migrated.length) console.log(`Migrated the database (${migrated.length} migrations).`)
    if (demo) await runtime.seed({ appUrl, config })
    return runtime.serve({ appUrl, config, ...source })
  }
}

function parseEmptyFlag(args: string[]): boolean {
  const unknown = args.find((arg) => arg !== '--empty')
  if (unknown) throw new Error(`Unknown option ${unknown}. The only option is --empty.`)
  return args.includes('--empty')
}

/** A practice that was started with --empty never gets demo data later. */
function isStartedEmpty({ dataDir }: Config, empty: boolean): boolean {
  const marker = path.join(dataDir, 'begun-empty')
  if (empty) writeFileSync(marker, '')
  return existsSync(marker)
}

/** Returns the connection string of the database's owner: DATABASE_URL, or the embedded server, which it starts. */
async function findDatabase(shutdown: Shutdown, { databaseUrl, dataDir }: Config): Promise<string> {
  if (databaseUrl) return databaseUrl
  console.log('Starting the database …')
  const starting = startEmbedded({ dir: path.join(dataDir, 'postgres') })
  shutdown.onClose(async () => {
    const embedded = await starting.catch(() => undefined)
    await embedded?.stop()
  })
  return (await starting).ownerUrl
}
