import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { createCluster } from './cluster.ts'
import { formatUrl, query } from './connection.ts'
import { prepareDataDir } from './data-dir.ts'
import { isUsedByOthers, writeLease } from './leases.ts'
import { ensureRunning, keepAlive, stopServer } from './server.ts'

export type Embedded = {
  /** For the role that owns the database and migrates it. It is no superuser. */
  ownerUrl: string
  /** True when a server was found running, left behind by a killed process or shared with another one. */
  adopted: boolean
  /** Writes all changes to the files of the data, so that less is to be recovered after a crash. Takes seconds. */
  checkpoint(): Promise<void>
  /** Stops the server, unless another live process uses it too. */
  stop(): Promise<void>
}

const owner = 'practice_owner'
const database = 'practice'

/**
 * Starts the product's own Postgres with its data in `dir`, or takes over the one that runs there already.
 * While this process lives, a server that dies is started again. `onSpawn` is called when a program of Postgres has
 * been started. Throws AppError unavailable with one sentence.
 */
export async function startEmbedded({ dir, onSpawn }: { dir: string; onSpawn?: () => void }): Promise<Embedded> {
  const dataDir = { ...(await prepareDataDir(dir)), onSpawn }
  const lease = writeLease(dataDir)
  try {
    if (!existsSync(path.join(dataDir.data, 'PG_VERSION'))) await createCluster(dataDir)
    const { sockets, adopted } = await ensureRunning(dataDir)
    await ensureDatabase(sockets)
    const watch = keepAlive(dataDir)
    return {
      ownerUrl: formatUrl(sockets, owner, database),
      adopted,
      async checkpoint() {
        await query(sockets, 'checkpoint')
      },
      async stop() {
        await watch.end()
        rmSync(lease, { force: true })
        if (!isUsedByOthers(dataDir)) await stopServer(dataDir)
      },
    }
  } catch (error) {
    rmSync(lease, { force: true })
    throw error
  }
}

async function ensureDatabase(sockets: string): Promise<void> {
  const alreadyThere = (error: { code?: string }) => {
    // duplicate_object, duplicate_database, unique_violation: another process was faster.
    if (!['42710', '42P04', '23505'].includes(error.code ?? '')) throw error
  }
  const [found] = await query<{ role: boolean; database: boolean }>(
    sockets,
    `select exists (select from pg_roles where rolname = $1) as role, exists (select from pg_database where datname = $2) as database`,
    [owner, database],
  )
  if (!found?.role) await query(sockets, `create role ${owner} login createrole createdb`).catch(alreadyThere)
  if (!found?.database) await query(sockets, `create database ${database} owner ${owner}`).catch(alreadyThere)
}
