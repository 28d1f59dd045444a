import { existsSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { flushCompileCache } from 'node:module'
import path from 'node:path'
import type { ServerBuild } from '@remix-run/node'
import type { Runtime, RunningServer } from '#app/server/process/runtime.ts'
import { startEmbedded, type Embedded } from '#db/embedded/embedded.ts'
import type { DemoSignIn } from '#modules/core/demo.ts'
import { hasEmbeddedDatabase, isLocalOnly, parseConfig, requireMailServer, type Config } from '#tenants/config.ts'
import { describeUnprotected } from '#tenants/database-url.ts'
import { ensureDataDir, ensureSecret } from './ensure-data-dir.ts'
import { ensurePort } from './ensure-port.ts'
import { createShutdown, exitWithError, type Shutdown } from './shutdown.ts'
import { isSupervised, reportStarted, supervise } from './supervise.ts'

/** The product's code, from the build or from the development server. */
export type Product = {
  runtime: Runtime
  build: ServerBuild | (() => Promise<ServerBuild>)
  assets?: string
  wrapServer?: (server: Server) => void
}
export type Build = ServerBuild & { entry: { module: { runtime: Runtime } } }
type Bootstrapped = { restart(): Promise<void> }

type Load = (shutdown: Shutdown) => Promise<Product>
/** `replacesProcess`: serve in a program of its own, which never had the password of DATABASE_URL. */
type Settings = { replacesProcess?: boolean }

/**
 * Starts the product: configuration, database, migrations, demo data, server. Prints one sentence and exits if it
 * can't. `restart` loads the product again and serves it.
 */
export async function bootstrap(load: Load, settings: Settings = {}): Promise<Bootstrapped> {
  const shutdown = createShutdown()
  try {
    return await start(shutdown, load, settings)
  } catch (error) {
    await shutdown.run()
    return exitWithError(error)
  }
}

/** Web processes for which the embedded database has connections: it allows 120, and each opens up to 25. */
const embeddedProcesses = 3

async function start(shutdown: Shutdown, load: Load, { replacesProcess = false }: Settings): Promise<Bootstrapped> {
  const options = parseOptions(process.argv.slice(2))
  const config = parseConfig(process.env)
  requireMailServer(config)
  if (config.webProcesses > embeddedProcesses && hasEmbeddedDatabase(config))
    throw new Error(`WEB_PROCESSES can't be above ${embeddedProcesses} with the embedded database: set DATABASE_URL.`)
  if (config.role !== 'worker' && !isSupervised()) await ensurePort(config)
  ensureDataDir(config.dataDir)
  if (!config.secretKeys.length) config.secretKeys.push(ensureSecret(config.dataDir))
  const demo = hasDemo(config, options)

  const isReplaced = replacesProcess && config.databaseUrl !== undefined
  if (!isReplaced && !isSupervised()) warnUnprotected(config)
  const { promise: spawned, resolve: onSpawn } = Promise.withResolvers<void>()
  const starting = startDatabase(shutdown, config, onSpawn)
  // Loading the product keeps this process from doing anything else, so the database has to be on its way.
  await Promise.race([spawned, starting])
  const [embedded, product] = await Promise.all([starting, load(shutdown)])
  const ownerUrl = embedded?.ownerUrl ?? config.databaseUrl
  if (!isSupervised()) await product.runtime.clearOutbox(config)
  let signIns: DemoSignIn[] = []
  let hasMigrated = false
  let server: RunningServer | undefined = await serve(product)
  shutdown.onClose(async () => server?.close())
  if (isSupervised()) reportStarted()
  else console.log(['', ...product.runtime.formatWelcome(config, signIns), ''].join('\n'))
  await server.workersStarted
  // A crash soon after the first start would take seconds to recover from. It only saves time, so it may fail.
  if (hasMigrated) await embedded?.checkpoint().catch(() => undefined)
  return {
    async restart() {
      await server?.close()
      server = undefined
      server = await serve(await load(shutdown))
      await server.workersStarted
    },
  }

  async function serve({ runtime, ...source }: Product) {
    const migratedUrl = ownerUrl && (await migrate(runtime, ownerUrl))
    const appUrl = config.appDatabaseUrl
      ? await runtime.findDatabase({ url: config.appDatabaseUrl, config })
      : migratedUrl!
    if (isReplaced) replaceProcess(appUrl, config)
    const isSupervisor = config.webProcesses > 1 && config.role !== 'worker' && !isSupervised()
    return isSupervisor ? supervise({ config, appUrl }) : runtime.serve({ appUrl, config, ...source })
  }

  async function migrate(runtime: Runtime, url: string): Promise<string> {
    const { appUrl, migrated } = await runtime.prepare({ ownerUrl: url, config })
    hasMigrated = migrated.length > 0
    if (hasMigrated) console.log(`Migrated the database (${migrated.length} migrations).`)
    // A worker doesn't listen, so it can't tell whether the product is public.
    if (config.role !== 'worker') signIns = await runtime.ensureAccounts({ ownerUrl: url, config, demo })
    return appUrl
  }
}

/**
 * Starts this program again in the same process, without the settings that only the owner needs: /proc shows the
 * environment that a program was started with, and its memory would keep them. Nor with credentials of a replica.
 */
function replaceProcess(appUrl: string, { replicaUrl }: Config): void {
  const { DATABASE_URL: _databaseUrl, ADMIN_PASSWORD: _adminPassword, ...env } = process.env
  const args = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  // Node would write what it has compiled when the program ends.
  flushCompileCache()
  process.execve?.(process.execPath, args, {
    ...env,
    APP_DATABASE_URL: appUrl,
    ...(replicaUrl ? { DATABASE_REPLICA_URL: replicaUrl } : {}),
  })
}

function warnUnprotected({ databaseUrl, appDatabaseUrl, replicaUrl }: Config): void {
  for (const url of [databaseUrl, appDatabaseUrl, replicaUrl]) {
    const warning = url && describeUnprotected(url)
    if (warning) console.warn(warning)
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
 * The demo practice is for this machine only, unless it was asked for. A DATA_DIR that was started with --empty never
 * gets one; null: no other database than the embedded one can have it. Throws for --demo where there can't be one.
 */
function hasDemo(config: Config, { demo, empty }: Options): boolean | null {
  const marker = path.join(config.dataDir, 'begun-empty')
  if (empty) writeFileSync(marker, '')
  const isEmpty = existsSync(marker)
  const setting = config.databaseUrl ? 'DATABASE_URL' : 'APP_DATABASE_URL'
  const isEmbedded = hasEmbeddedDatabase(config)
  if (demo && !isEmbedded) throw new Error(`--demo can't be used: ${setting} is set.`)
  if (demo && isEmpty) throw new Error("--demo can't be used: this DATA_DIR was started with --empty.")
  return isEmbedded ? demo || (!isEmpty && isLocalOnly(config)) : null
}

/** Starts the embedded database, unless another one is set. */
async function startDatabase(shutdown: Shutdown, config: Config, onSpawn: () => void): Promise<Embedded | undefined> {
  if (!hasEmbeddedDatabase(config)) return undefined
  console.log('Starting the database …')
  const starting = startEmbedded({ dir: path.join(config.dataDir, 'postgres'), onSpawn })
  shutdown.onClose(async () => {
    const embedded = await starting.catch(() => undefined)
    await embedded?.stop()
  })
  return starting
}
