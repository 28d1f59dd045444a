import { existsSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import path from 'node:path'
import type { ServerBuild } from '@remix-run/node'
import type { Runtime, RunningServer } from '#app/server/process/runtime.ts'
import { startEmbedded } from '#db/embedded/embedded.ts'
import type { DemoSignIn } from '#modules/core/demo.ts'
import { isLocalOnly, parseConfig, requireMailServer, type Config } from '#tenants/config.ts'
import { describeUnprotected } from '#tenants/database-url.ts'
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
  const options = parseOptions(process.argv.slice(2))
  const config = parseConfig(process.env)
  requireMailServer(config)
  if (config.role !== 'worker') await ensurePort(config)
  ensureDataDir(config.dataDir)
  if (!config.secretKeys.length) config.secretKeys.push(ensureSecret(config.dataDir))
  const demo = hasDemo(config, options)

  const [ownerUrl, product] = await Promise.all([findDatabase(shutdown, config), load(shutdown)])
  await product.runtime.clearOutbox(config)
  let signIns: DemoSignIn[] = []
  let server: RunningServer | undefined = await serve(product)
  shutdown.onClose(async () => server?.close())
  console.log(['', ...product.runtime.formatWelcome(config, signIns), ''].join('\n'))
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
    // A worker doesn't listen, so it can't tell whether the product is public.
    if (config.role !== 'worker') signIns = await runtime.ensureAccounts({ ownerUrl, config, demo })
    return runtime.serve({ appUrl, config, ...source })
  }
}

type Options = { demo: boolean; empty: boolean }

function parseOptions(args: string[]): Options {
  const unknown = args.find((arg) => arg !== '--demo' && arg !== '--empty')
  if (unknown) throw new Error(`Unknown option ${unknown}. The options are --demo and --empty.`)
  const options = { demo: args.includes('--demo'), empty: args.includes('--empty') }
  if (options.demo && options.empty) throw new Error('Use either --demo or --empty.')
  return options
}

/**
 * The demo practice is for this machine only, unless it was asked for. A DATA_DIR that was started with --empty never gets
 * one. Throws for --demo where there can't be one.
 */
function hasDemo(config: Config, { demo, empty }: Options): boolean {
  const marker = path.join(config.dataDir, 'begun-empty')
  if (empty) writeFileSync(marker, '')
  const isEmpty = existsSync(marker)
  if (demo && config.databaseUrl) throw new Error("--demo can't be used: DATABASE_URL is set.")
  if (demo && isEmpty) throw new Error("--demo can't be used: this DATA_DIR was started with --empty.")
  return demo || (!config.databaseUrl && !isEmpty && isLocalOnly(config))
}

/** Returns the connection string of the database's owner: DATABASE_URL, or the embedded server, which it starts. */
async function findDatabase(shutdown: Shutdown, { databaseUrl, dataDir }: Config): Promise<string> {
  if (databaseUrl) {
    const warning = describeUnprotected(databaseUrl)
    if (warning) console.warn(warning)
    return databaseUrl
  }
  console.log('Starting the database …')
  const starting = startEmbedded({ dir: path.join(dataDir, 'postgres') })
  shutdown.onClose(async () => {
    const embedded = await starting.catch(() => undefined)
    await embedded?.stop()
  })
  return (await starting).ownerUrl
}
