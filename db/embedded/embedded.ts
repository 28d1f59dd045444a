import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { totalmem } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { AppError } from '#app/lib/errors.ts'
import { writeOwnedFile, spawnAs, prepareDataDir, describeFailure, type DataDir } from './data-dir.ts'

export type Embedded = {
  /** For the role that owns the database and migrates it. It is no superuser. */
  ownerUrl: string
  /** True when a server was found running, left behind by a killed process or shared with another one. */
  adopted: boolean
  /** Stops the server, unless another live process uses it too. */
  stop(): Promise<void>
}

const port = 5432
const owner = 'practice_owner'
const database = 'practice'
const timeoutMs = 60_000
/** A number that no process gets: the kernel's highest is one less. */
const unusedPid = 4_194_305

/**
 * Starts the product's own Postgres with its data in `dir`, or takes over the one that runs there already.
 * While this process lives, a server that dies is started again. Throws AppError unavailable with one sentence.
 */
export async function startEmbedded({ dir }: { dir: string }): Promise<Embedded> {
  const dataDir = await prepareDataDir(dir)
  const lease = writeLease(dataDir)
  try {
    if (!existsSync(path.join(dataDir.data, 'PG_VERSION'))) await createCluster(dataDir)
    const { sockets, adopted } = await ensureRunning(dataDir)
    await ensureDatabase(sockets)
    const watch = keepAlive(dataDir)
    return {
      ownerUrl: formatUrl(sockets, owner, database),
      adopted,
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

/** Another process on the same folder (ROLE=web beside ROLE=worker) shares the server: the last one out stops it. */
function writeLease(dataDir: DataDir): string {
  const folder = path.join(dataDir.root, 'users')
  const lease = path.join(folder, `${process.pid}-${randomBytes(4).toString('hex')}`)
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(lease, getStartTime(process.pid) ?? '')
  } catch (error) {
    throw describeFailure(`${folder} can't be written to`, String(error))
  }
  return lease
}

function isUsedByOthers(dataDir: DataDir): boolean {
  const folder = path.join(dataDir.root, 'users')
  const live = readdirSync(folder).filter((name) => {
    const lease = path.join(folder, name)
    if (getStartTime(Number.parseInt(name)) === readIfExists(lease)) return true
    rmSync(lease, { force: true })
    return false
  })
  return live.length > 0
}

/** When a process began, so that a number used a second time isn't taken for it; undefined when it is gone. */
function getStartTime(pid: number): string | undefined {
  if (process.platform !== 'linux') return isAlive(pid) ? 'alive' : undefined
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? undefined : fields[18]
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Made under another name and renamed when complete: a killed first start leaves no half database. */
async function createCluster(dataDir: DataDir): Promise<void> {
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

/** An eighth of the machine's memory, from 64 MB to 512: what isn't needed isn't taken, and a thousand busy practices fit in. */
function sharedBuffers(): number {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity)
  return Math.max(64, Math.min(512, Math.floor(memory / 8 / 1024 ** 2)))
}

/** Written at every start: the folder may have moved, and a newer version of the product may want other settings. */
function writeSettings(dataDir: DataDir): void {
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
  writeOwnedFile(
    dataDir,
    path.join(dataDir.data, 'practice.conf'),
    `listen_addresses = ''
port = ${port}
unix_socket_directories = ${quoted(`"${dataDir.sockets.replaceAll('"', '""')}"`)}
unix_socket_permissions = 0700
max_connections = 100
shared_buffers = ${sharedBuffers()}MB
fsync = on
synchronous_commit = on
full_page_writes = on
jit = off
timezone = 'UTC'
log_timezone = 'UTC'
datestyle = 'iso, ymd'
default_text_search_config = 'pg_catalog.simple'
# What people wrote must not end up in a log: no statements, no details, only what stops the server.
log_min_messages = log
log_min_error_statement = panic
log_error_verbosity = terse
`,
  )
}

async function ensureRunning(dataDir: DataDir): Promise<{ sockets: string; adopted: boolean }> {
  const until = Date.now() + timeoutMs
  for (;;) {
    const sockets = await findRunning(dataDir, until)
    if (sockets) return { sockets, adopted: true }
    writeSettings(dataDir)
    const failure = await launch(dataDir)
    if (!failure) {
      await waitUntilReady(dataDir.sockets, until)
      return { sockets: dataDir.sockets, adopted: false }
    }
    // The backends of a killed server need a moment to leave; another process may have started it in the meantime.
    const willPass = /still in use|lock file .* already exists|is another postmaster/i.test(failure)
    if (!willPass || Date.now() > until) throw describeFailure(`The database in ${dataDir.root} doesn't start`, failure)
    await pause(100)
  }
}

/** The socket folder of the server that runs on our data. Clears away what a dead one left behind. */
async function findRunning(dataDir: DataDir, until: number): Promise<string | undefined> {
  const pidFile = path.join(dataDir.data, 'postmaster.pid')
  for (let left = readIfExists(pidFile); left !== null; left = readIfExists(pidFile)) {
    const [pid = '', , , , sockets = ''] = left.split('\n')
    if (!isRunningPostmaster(dataDir, Number(pid))) {
      invalidatePid(dataDir, pidFile, left)
      return undefined
    }
    if (sockets && (await isOwnServer(dataDir, sockets))) return sockets
    if (Date.now() > until)
      throw new AppError('unavailable', `The database in ${dataDir.root} runs (process ${pid}) but doesn't answer.`)
    await pause(50)
  }
  return undefined
}

/** A dead process, a zombie, or another program that got the same number must not stop a start. */
function isRunningPostmaster(dataDir: DataDir, pid: number): boolean {
  if (!(pid > 0) || !isAlive(pid) || getStartTime(pid) === undefined) return false
  if (process.platform !== 'linux') return true
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(dataDir.data)
  } catch (error) {
    // A container's root may not look into another user's process: its name has to do.
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return false
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres'
  }
}

/**
 * Keeps the id of the shared memory in the file, so that Postgres itself still refuses to start beside
 * a process that uses the data.
 */
function invalidatePid(dataDir: DataDir, pidFile: string, left: string): void {
  writeOwnedFile(dataDir, pidFile, left.replace(/^.*/, String(unusedPid)))
}

/** A copied folder holds the process number of the original's server: only a secret beneath our own data proves it. */
async function isOwnServer(dataDir: DataDir, sockets: string): Promise<boolean> {
  const secret = randomBytes(16).toString('hex')
  const file = path.join(dataDir.data, `practice.proof.${process.pid}`)
  writeOwnedFile(dataDir, file, secret)
  try {
    const [row] = await query<{ proof: string | null }>(sockets, `select pg_read_file($1, true) as proof`, [
      path.basename(file),
    ])
    return row?.proof === secret
  } catch {
    return false
  } finally {
    rmSync(file, { force: true })
  }
}

/** Undefined when it runs, else what it said. Waits through the recovery after a crash. */
async function launch(dataDir: DataDir): Promise<string | undefined> {
  truncateLog(dataDir.log)
  const before = existsSync(dataDir.log) ? statSync(dataDir.log).size : 0
  const args = ['-D', 'data', '-l', path.basename(dataDir.log), '-w', '-t', String(timeoutMs / 1000), '-s', 'start']
  const { ok, output } = await spawnAs(dataDir, dataDir.pgCtl, args, true)
  if (ok) return undefined
  const said = existsSync(dataDir.log) ? readFileSync(dataDir.log).subarray(before).toString('utf8') : ''
  return said || output || 'pg_ctl failed'
}

function truncateLog(log: string): void {
  if (existsSync(log) && statSync(log).size > 10_000_000) truncateSync(log)
}

/** The socket is open before the server takes queries (57P03). */
async function waitUntilReady(sockets: string, until: number): Promise<void> {
  for (;;) {
    try {
      await query(sockets, 'select 1')
      return
    } catch (error) {
      if (Date.now() > until) throw describeFailure("The database doesn't answer", String(error))
      await pause(50)
    }
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

/** Looks twice a second whether the server still lives, and starts it again if not. */
function keepAlive(dataDir: DataDir): { end(): Promise<void> } {
  let ending = false
  let work = Promise.resolve()
  let busy = false
  const timer = setInterval(() => {
    if (busy || ending || isRunningPostmaster(dataDir, postmasterPid(dataDir))) return
    busy = true
    work = ensureRunning(dataDir)
      .then(
        () => process.stderr.write('The database had stopped and runs again.\n'),
        (error) => process.stderr.write(`The database has stopped. ${error.message}\n`),
      )
      .then(() => void (busy = false))
  }, 500)
  timer.unref()
  return {
    async end() {
      ending = true
      clearInterval(timer)
      await work
    },
  }
}

async function stopServer(dataDir: DataDir): Promise<void> {
  if (!isRunningPostmaster(dataDir, postmasterPid(dataDir))) return
  const stopped = await spawnAs(dataDir, dataDir.pgCtl, [
    '-D',
    'data',
    '-m',
    'fast',
    '-w',
    '-t',
    String(timeoutMs / 1000),
    '-s',
    'stop',
  ])
  if (!stopped.ok && isRunningPostmaster(dataDir, postmasterPid(dataDir)))
    throw describeFailure("The database doesn't stop", stopped.output)
  if (dataDir.sockets !== dataDir.root) rmSync(dataDir.sockets, { recursive: true, force: true })
}

function postmasterPid(dataDir: DataDir): number {
  return Number.parseInt(readIfExists(path.join(dataDir.data, 'postmaster.pid')) ?? '0')
}

/** Null when there is no such file: it may vanish at any time. */
function readIfExists(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

async function query<Row extends pg.QueryResultRow>(
  sockets: string,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({
    host: sockets,
    port,
    user: 'postgres',
    database: 'postgres',
    connectionTimeoutMillis: 5_000,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<Row>(sql, values)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** The socket folder, encoded, is the host: the one form that pg, MikroORM and libpq all understand. */
function formatUrl(sockets: string, user: string, name: string): string {
  return `postgresql://${user}@${encodeURIComponent(sockets)}:${port}/${name}`
}
