import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { AppError } from '#app/lib/errors.ts'

/** Makes DATA_DIR where it is missing and sees that it can be written to. Throws AppError unavailable. */
export function ensureDataDir(dataDir: string): void {
  const probe = path.join(dataDir, `.probe-${process.pid}`)
  try {
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(probe, 'x')
    rmSync(probe)
  } catch (error) {
    throw new AppError('unavailable', `DATA_DIR can't be used: ${reason(error)} (${dataDir}).`)
  }
}

/** The key that SECRET_KEY would give, made at the first start and kept in DATA_DIR. Throws AppError unavailable. */
export function ensureSecret(dataDir: string): string {
  const file = path.join(dataDir, 'secret.key')
  try {
    if (!existsSync(file)) {
      // Complete before it has its name, and the first of two that start at once wins.
      const half = `${file}.${process.pid}`
      writeFileSync(half, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true })
      try {
        linkSync(half, file)
      } catch (error) {
        if (!existsSync(file)) throw error
      } finally {
        rmSync(half, { force: true })
      }
    }
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new AppError('unavailable', `The secret key in DATA_DIR can't be used: ${reason(error)} (${file}).`)
  }
}

function reason(error: unknown): string {
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
