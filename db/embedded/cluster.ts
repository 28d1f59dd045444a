import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { release, totalmem } from 'node:os'
import path from 'node:path'
import { port } from './connection.ts'
import { describeFailure, spawnAs, writeOwnedFile, type DataDir } from './data-dir.ts'
import { isAlive } from './processes.ts'

/** Creates the cluster under another name and renames it when complete, in case the process is killed. */
export async function createCluster(dataDir: DataDir): Promise<void> {
  for (const name of readdirSync(dataDir.root)) {
    const half = /^new-(\d+)$/.exec(name)
    if (half && !isAlive(Number(half[1]))) rmSync(path.join(dataDir.root, name), { recursive: true, force: true })
  }
  const half = path.join(dataDir.root, `new-${process.pid}`)
  const made = await spawnAs(dataDir, dataDir.initdb, [
    '-D',
    path.basename(half),
    '--username=postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--data-checksums',
    '--no-instructions',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C.UTF-8',
  ])
  if (!made.ok) {
    rmSync(half, { recursive: true, force: true })
    throw describeFailure(`The database can't be created in ${dataDir.root}`, made.output)
  }
  writeFileSync(path.join(half, 'postgresql.conf'), "include 'practice.conf'\n")
  try {
    renameSync(half, dataDir.data)
  } catch (error) {
    rmSync(half, { recursive: true, force: true })
    if (!existsSync(path.join(dataDir.data, 'PG_VERSION')))
      throw describeFailure(`${dataDir.data} can't be made`, String(error))
  }
}

/** In MB: an eighth of the memory, from 64 to 512, which holds the data of a thousand busy practices. */
function sharedBuffers(): number {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity)
  return Math.max(64, Math.min(512, Math.floor(memory / 8 / 1024 ** 2)))
}

/**
 * After a crash: opening each of two thousand files to have it written takes a second. From Linux 5.17 on, writing the
 * whole file system reports errors too.
 */
function chooseSyncMethod(): 'syncfs' | 'fsync' {
  const [major = 0, minor = 0] = release().split('.').map(Number)
  const isReliable = process.platform === 'linux' && (major > 5 || (major === 5 && minor >= 17))
  return isReliable ? 'syncfs' : 'fsync'
}

/** At every start, because the folder may have moved, and versions of the product differ in their settings. */
export function writeSettings(dataDir: DataDir): void {
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
  writeOwnedFile(
    dataDir,
    path.join(dataDir.data, 'practice.conf'),
    `listen_addresses = ''
port = ${port}
unix_socket_directories = ${quoted(`"${dataDir.sockets.replaceAll('"', '""')}"`)}
unix_socket_permissions = 0700
max_connections = 120
shared_buffers = ${sharedBuffers()}MB
fsync = on
synchronous_commit = on
full_page_writes = on
recovery_init_sync_method = ${chooseSyncMethod()}
jit = off
timezone = 'UTC'
log_timezone = 'UTC'
datestyle = 'iso, ymd'
default_text_search_config = 'pg_catalog.simple'
# Statements and details contain personal data: log only errors that stop the server.
log_min_messages = log
log_min_error_statement = panic
log_error_verbosity = terse
`,
  )
}
