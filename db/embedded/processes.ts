import { readFileSync } from 'node:fs'

/**
 * When a process began, to tell it from a later one with the same id; `alive` if that can't be read. Undefined if there
 * is none.
 */
export function getStartTime(pid: number): string | undefined {
  if (process.platform !== 'linux') return isAlive(pid) ? 'alive' : undefined
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? undefined : fields[18]
  } catch {
    // The system may hide the processes of others, and those that once belonged to root.
    return isAlive(pid) ? 'alive' : undefined
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Null if there is no such file: another process may delete it at any time. */
export function readIfExists(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
