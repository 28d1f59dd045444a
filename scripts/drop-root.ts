import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
} from 'node:fs'
import path from 'node:path'
import { canReach, chooseUser, findPrograms, type OsUser } from '#db/embedded/data-dir.ts'
import { hasEmbeddedDatabase, parseConfig, type Config } from '#tenants/config.ts'
import { ensureDataDir } from './ensure-data-dir.ts'

const root = path.dirname(import.meta.dirname)
/** Files that the program reads and that a strict umask could hide. */
const samples = ['package.json', 'scripts/serve.ts', 'build/server/index.js', 'node_modules/pg/package.json']
/** The product's files in DATA_DIR. */
const dataFiles = /^(postgres|secret\.key.*|demo(-modules)?\.json|begun-empty|outbox|\.probe-\d+)$/

/**
 * Makes this process of root one of an unprivileged user: the one of the embedded Postgres, which also has to start
 * again if it dies. Returns the user's folder for compiled scripts. Undefined if there is none, and if the process stays
 * root; then it says why.
 */
export async function dropRoot(): Promise<string | undefined> {
  const config = readConfig()
  // Serving tells what is wrong with a setting.
  if (!config) return undefined
  const user = findUser(config)
  const obstacle = typeof user === 'string' ? user : await prepare(config, user)
  if (typeof user === 'string' || obstacle) {
    console.warn(`The product runs as root, because ${obstacle}. Start it as an ordinary user.`)
    return undefined
  }
  const cache = createCompileCache(user)
  process.setgroups?.([user.gid])
  process.setgid?.(user.gid)
  process.setuid?.(user.uid)
  return cache
}

function readConfig(): Config | undefined {
  try {
    return parseConfig(process.env)
  } catch {
    return undefined
  }
}

type User = Required<OsUser>

function findUser(config: Config): User | string {
  try {
    const isEmbedded = hasEmbeddedDatabase(config)
    // Elsewhere `postgres` may be the superuser of a database on this machine.
    const user = chooseUser(path.join(config.dataDir, 'postgres'), isEmbedded ? undefined : ['node', 'nobody'])
    return user.uid !== undefined && user.gid !== undefined ? { uid: user.uid, gid: user.gid } : 'no other user exists'
  } catch {
    return 'no other user exists'
  }
}

/** Gives DATA_DIR to `user`. Returns what keeps the product from running as that user. */
async function prepare(config: Config, user: User): Promise<string | undefined> {
  const { dataDir } = config
  if (!canReach(process.execPath, user)) return `another user can't run ${process.execPath}`
  if (!samples.every((name) => canRead(path.join(root, name), user))) return `another user can't read ${root}`
  const parent = findExisting(path.dirname(dataDir))
  if (!canReach(parent, user)) return `another user can't enter ${parent}`
  ensureDataDir(dataDir)
  const names = readdirSync(dataDir)
  const isTheirs = statSync(dataDir).uid === user.uid
  if (!isTheirs && !names.every((name) => dataFiles.test(name))) return `${dataDir} has files of something else`
  for (const name of names.filter((each) => dataFiles.test(each)))
    if (isTheirs) giveEntry(path.join(dataDir, name), user)
    else giveTo(path.join(dataDir, name), user)
  chownSync(dataDir, user.uid, user.gid)
  chmodSync(dataDir, 0o700)
  if (hasEmbeddedDatabase(config)) await findPrograms()
  return undefined
}

/** The folder, or the next one above that exists. */
function findExisting(folder: string): string {
  try {
    return statSync(folder).isDirectory() ? folder : path.dirname(folder)
  } catch {
    return findExisting(path.dirname(folder))
  }
}

function canRead(file: string, user: User): boolean {
  const { mode, uid, gid } = statSync(file)
  const bit = uid === user.uid ? 0o400 : gid === user.gid ? 0o040 : 0o004
  return (mode & bit) !== 0 && canReach(path.dirname(file), user)
}

/** With what is in it, but not the database, which belongs to its user already. */
function giveTo(file: string, user: User): void {
  lchownSync(file, user.uid, user.gid)
  if (!lstatSync(file).isDirectory()) return
  for (const name of readdirSync(file)) if (name !== 'data') giveTo(path.join(file, name), user)
}

/**
 * In a folder that the user owns already: by its descriptor, because the user can replace the entry at any time, and
 * only what root left there.
 */
function giveEntry(file: string, { uid, gid }: User): void {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  let descriptor: number
  try {
    descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch {
    // A link, or deleted in the meantime.
    return
  }
  try {
    const found = fstatSync(descriptor)
    const isPlain = found.isDirectory() || (found.isFile() && found.nlink === 1)
    if (found.uid === 0 && isPlain) fchownSync(descriptor, uid, gid)
  } finally {
    closeSync(descriptor)
  }
}

/** Root must not run what another user has compiled, so that user gets a cache of its own. */
function createCompileCache({ uid, gid }: User): string | undefined {
  const folder = path.join(root, `node_modules/.cache/compiled-${uid}`)
  try {
    mkdirSync(folder, { recursive: true })
    chownSync(folder, uid, gid)
    return folder
  } catch {
    // A checkout that nobody can write to: a start takes longer.
    return undefined
  }
}
