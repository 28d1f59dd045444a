import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { AppError } from '#app/lib/errors.ts'

/** Root's must be passable: the embedded Postgres runs as another user. */
const getOwnMode = () => (process.getuid?.() === 0 ? 0o711 : 0o700)

/**
 * Creates DATA_DIR if it is missing, closes it to others and checks that it is writable. Throws AppError unavailable.
 */
export function ensureDataDir(dataDir: string): void {
  const probe = path.join(dataDir, `.probe-${process.pid}`)
  try {
    createFolder(dataDir, getOwnMode())
    closeToOthers(dataDir)
    writeFileSync(probe, 'x')
    rmSync(probe)
  } catch (error) {
    throw new AppError('unavailable', `DATA_DIR can't be used: ${describeReason(error)} (${dataDir}).`)
  }
}

/** A folder of an earlier version, if it is the product's own. */
function closeToOthers(dataDir: string): void {
  const { mode, uid } = statSync(dataDir)
  const ownMode = getOwnMode()
  const isOurs = uid === process.getuid?.() && existsSync(path.join(dataDir, 'postgres'))
  if (isOurs && mode & 0o777 & ~ownMode) chmodSync(dataDir, ownMode)
}

/** With its parents. Node's `recursive` never returns where no folder can be made, as in /proc. */
function createFolder(dir: string, mode = 0o777): void {
  if (existsSync(dir)) return
  createFolder(path.dirname(dir))
  try {
    mkdirSync(dir, mode)
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!existsSync(dir)) throw error
  }
}

/** Returns the secret key stored in DATA_DIR, which replaces an unset SECRET_KEY. Throws AppError unavailable. */
export function ensureSecret(dataDir: string): string {
  const file = path.join(dataDir, 'secret.key')
  try {
    if (!existsSync(file)) {
      // Link a complete file, so that of two processes that start together the first one wins.
      const temporary = `${file}.${process.pid}`
      writeFileSync(temporary, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true })
      try {
        linkSync(temporary, file)
      } catch (error) {
        if (!existsSync(file)) throw error
      } finally {
        rmSync(temporary, { force: true })
      }
    }
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new AppError('unavailable', `The secret key in DATA_DIR can't be used: ${describeReason(error)} (${file}).`)
  }
}

function describeReason(error: unknown): string {
  const reasons: Record<string, string> = {
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    EROFS: 'the file system is read-only',
    ENOSPC: 'the disk is full',
    EDQUOT: 'the disk quota is used up',
    EEXIST: 'a file is in the way',
    ENOTDIR: 'a file is in the way',
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return reasons[code] ?? (error instanceof Error ? error.message : String(error))
}
