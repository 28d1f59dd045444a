import { existsSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import path from 'node:path'
import type { ServerBuild } from '@remix-run/node'
import type { Kernel, Serving } from '#app/server/process/runtime.ts'
import { startEmbedded } from '#db/embedded/embedded.ts'
import { parseConfig, type Config } from '#tenants/config.ts'
import { ensureDataDir, ensureSecret } from './ensure-data-dir.ts'
import { ensurePort } from './ensure-port.ts'
import { fail, lifetime, type Lifetime } from './shutdown.ts'

/** The product's code, as the build or the development server has it. */
export type Product = {
  kernel: Kernel
  build: ServerBuild | (() => Promise<ServerBuild>)
  assets?: string
  around?: (server: Server) => void
}
export type Build = ServerBuild & { entry: { module: { kernel: Kernel } } }

/**
 * From the environment to a product that answers: configuration, database, migrations, demo, server. Ends the process with
 * one sentence when something is in the way. `again` serves what `load` answers anew.
 */
export async function begin(load: (life: Lifetime) => Promise<Product>): Promise<{ again(): Promise<void> }> {
  const life = lifetime()
  try {
    return await beginWithin(life, load)
  } catch (error) {
    await life.end()
    return fail(error)
  }
}

async function beginWithin(
  life: Lifetime,
  load: (life: Lifetime) => Promise<Product>,
): Promise<{ again(): Promise<void> }> {
  const empty = wantsEmpty(process.argv.slice(2))
  const config = parseConfig(process.env)
  if (config.role !== 'worker') await ensurePort(config)
  ensureDataDir(config.dataDir)
  if (!config.secretKeys.length) config.secretKeys.push(ensureSecret(config.dataDir))
  const demo = !config.databaseUrl && !staysEmpty(config, empty)

  const [ownerUrl, product] = await Promise.all([findDatabase(life, config), load(life)])
  let serving: Serving | undefined = await serve(product)
  life.onEnd(async () => serving?.close())
  for (const line of product.kernel.welcome(config, { demo })) console.log(line)
  return {
    async again() {
      await serving?.close()
      serving = undefined
      serving = await serve(await load(life))
    },
  }

  async function serve({ kernel, ...source }: Product) {
    const { appUrl, migrated } = await kernel.prepare({ ownerUrl, config })
    if (migrated.length) console.log(`Brought the database up to date (${migrated.length} migrations).`)
    if (demo) await kernel.seed({ appUrl, config })
    return kernel.serve({ appUrl, config, ...source })
  }
}

function wantsEmpty(args: string[]): boolean {
  const unknown = args.find((arg) => arg !== '--empty')
  if (unknown) throw new Error(`${unknown} is no option of this command; the only one is --empty.`)
  return args.includes('--empty')
}

/** Once begun with --empty, a practice never finds demo clients among its own. */
function staysEmpty({ dataDir }: Config, empty: boolean): boolean {
  const mark = path.join(dataDir, 'begun-empty')
  if (empty) writeFileSync(mark, '')
  return existsSync(mark)
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
