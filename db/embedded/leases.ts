import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describeFailure, type DataDir } from './data-dir.ts'
import { getStartTime, readIfExists } from './processes.ts'

/** Several processes on one folder (ROLE=web and ROLE=worker) share the server: the last one stops it. */
export function writeLease(dataDir: DataDir): string {
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

export function isUsedByOthers(dataDir: DataDir): boolean {
  const folder = path.join(dataDir.root, 'users')
  const live = readdirSync(folder).filter((name) => {
    const lease = path.join(folder, name)
    const began = getStartTime(Number.parseInt(name))
    if (began === 'alive' || began === readIfExists(lease)) return true
    rmSync(lease, { force: true })
    return false
  })
  return live.length > 0
}
