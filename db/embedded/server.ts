import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, readlinkSync, realpathSync, rmSync, statSync, truncateSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '#app/lib/errors.ts'
import { writeSettings } from './cluster.ts'
import { port, query } from './connection.ts'
import { describeFailure, spawnAs, writeOwnedFile, type DataDir } from './data-dir.ts'
import { getStartTime, isAlive, readIfExists } from './processes.ts'

const timeoutMs = 60_000
/** An id that no process gets: the kernel's highest is one less. */
const unusedPid = 4_194_305

export async function ensureRunning(dataDir: DataDir): Promise<{ sockets: string; adopted: boolean }> {
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
    // The backends of a killed server may still be exiting, or another process is starting the server.
    const isTemporary = /still in use|lock file .* already exists|is another postmaster/i.test(failure)
    if (!isTemporary || Date.now() > until)
      throw describeFailure(`The database in ${dataDir.root} doesn't start`, failure)
    await pause(100)
  }
}

/** The socket folder of the server that runs on our data. Invalidates the lock files of a dead one. */
async function findRunning(dataDir: DataDir, until: number): Promise<string | undefined> {
  const pidFile = path.join(dataDir.data, 'postmaster.pid')
  for (let content = readIfExists(pidFile); content !== null; content = readIfExists(pidFile)) {
    const [pid = '', , , , sockets = ''] = content.split('\n')
    if (!isRunningPostmaster(dataDir, Number(pid))) {
      invalidatePid(dataDir, pidFile, content)
      invalidateSocketLock(dataDir, Number(pid))
      return undefined
    }
    if (sockets && (await isOwnServer(dataDir, sockets))) return sockets
    if (Date.now() > until)
      throw new AppError('unavailable', `The database in ${dataDir.root} runs (process ${pid}) but doesn't answer.`)
    await pause(50)
  }
  return undefined
}

/** Not a dead process, a zombie, or another program with the same id. */
function isRunningPostmaster(dataDir: DataDir, pid: number): boolean {
  if (!(pid > 0) || !isAlive(pid) || getStartTime(pid) === undefined) return false
  if (process.platform !== 'linux') return true
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(dataDir.data)
  } catch (error) {
    // A container's root may not read another user's process; compare its name instead.
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return false
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres'
  }
}

/**
 * Keeps the id of the shared memory in the file, so that Postgres itself still refuses to start beside
 * a process that uses the data.
 */
function invalidatePid(dataDir: DataDir, pidFile: string, content: string): void {
  writeOwnedFile(dataDir, pidFile, content.replace(/^.*/, String(unusedPid)))
}

/**
 * A killed server's id stays in use until its parent has asked for its status. The first process of a container may
 * never ask.
 */
function invalidateSocketLock(dataDir: DataDir, pid: number): void {
  const lock = path.join(dataDir.sockets, `.s.PGSQL.${port}.lock`)
  const content = readIfExists(lock)
  if (content !== null && Number.parseInt(content) === pid) invalidatePid(dataDir, lock, content)
}

/** A copied folder has the process id of the original's server, so check for a secret in our own data. */
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

/** Starts the server, after a crash with its recovery. Returns the error, or undefined once it runs. */
async function launch(dataDir: DataDir): Promise<string | undefined> {
  truncateLog(dataDir.log)
  const before = existsSync(dataDir.log) ? statSync(dataDir.log).size : 0
  const args = ['-D', 'data', '-l', path.basename(dataDir.log), '-w', '-t', String(timeoutMs / 1000), '-s', 'start']
  const { ok, output } = await spawnAs(dataDir, dataDir.pgCtl, args, true)
  if (ok) return undefined
  const logged = existsSync(dataDir.log) ? readFileSync(dataDir.log).subarray(before).toString('utf8') : ''
  return logged || output || 'pg_ctl failed'
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

/** Looks twice a second whether the server still lives, and starts it again if not. */
export function keepAlive(dataDir: DataDir): { end(): Promise<void> } {
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

export async function stopServer(dataDir: DataDir): Promise<void> {
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
