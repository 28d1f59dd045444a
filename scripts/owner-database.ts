import path from 'node:path'
import pg from 'pg'
import { startEmbedded } from '#db/embedded/embedded.ts'
import { DatabaseError, describeConnectionError } from '#db/migrate.ts'
import { ConfigError, parseConfig, type Config } from '#tenants/config.ts'
import { ensureDataDir } from './ensure-data-dir.ts'
import { exitWithError } from './shutdown.ts'

export type OwnerDatabase = { config: Config; ownerUrl: string; owner: pg.Client }

/**
 * Runs a command as the owner of DATABASE_URL, or of the embedded database, which may be in use by the running product.
 * Prints the first line of an error and exits with 1.
 */
export async function runAsOwner(command: (database: OwnerDatabase) => Promise<void>): Promise<void> {
  try {
    const config = parseConfig(process.env)
    ensureDataDir(config.dataDir)
    if (config.databaseUrl) return await connectAndRun(config, config.databaseUrl, command)
    if (config.appDatabaseUrl) throw new ConfigError('DATABASE_URL is missing: this needs the owner of the database.')
    const embedded = await startEmbedded({ dir: path.join(config.dataDir, 'postgres') })
    try {
      await connectAndRun(config, embedded.ownerUrl, command)
    } finally {
      await embedded.stop()
    }
  } catch (error) {
    exitWithError(error)
  }
}

async function connectAndRun(
  config: Config,
  ownerUrl: string,
  command: (database: OwnerDatabase) => Promise<void>,
): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  owner.on('error', () => {})
  await owner.connect().catch((error: unknown) => {
    throw new DatabaseError(describeConnectionError(error))
  })
  try {
    await command({ config, ownerUrl, owner })
  } finally {
    await owner.end()
  }
}

/** Returns the command's only argument, a file. Prints how to use the command and exits with 1 if it is missing. */
export function parseFileArgument(command: string): string {
  const [file, ...others] = process.argv.slice(2)
  if (!file || file.startsWith('-') || others.length) exitWithError(`Use: npm run ${command} FILE`)
  return path.resolve(file)
}
