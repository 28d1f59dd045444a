import { readFileSync } from 'node:fs'

/** What a process has opened, closed in the opposite order when it is told to end. */
export type Lifetime = {
  onEnd(close: () => Promise<void>): void
  end(): Promise<void>
}

/** Ctrl-C reaches us from the terminal and once more through npm: that is one wish, not two. */
const sameWish = 700

/**
 * Ends the process on SIGINT, SIGTERM and SIGHUP: what was opened is closed, then exit 0. A second signal ends it at once.
 * Also ends it when the npm that started it was killed, so that the next start finds port and data free.
 */
export function lifetime(): Lifetime {
  const closers: (() => Promise<void>)[] = []
  let ending: Promise<void> | undefined
  let askedAt = 0
  const end = () => (ending ??= closeAll(closers))

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ask)
  whenOrphaned(ask)
  return { onEnd: (close) => void closers.push(close), end }

  function ask(): void {
    const now = performance.now()
    if (askedAt && now - askedAt > sameWish) process.exit(1)
    if (askedAt) return
    askedAt = now
    console.log('Stopping: requests in flight are answered first.')
    end().then(() => process.exit(0), fail)
  }
}

async function closeAll(closers: (() => Promise<void>)[]): Promise<void> {
  for (let close = closers.pop(); close; close = closers.pop()) await close()
}

/** Linux only: elsewhere nothing tells who is above us. */
function whenOrphaned(then: () => void): void {
  const npm = npmAbove()
  if (!npm) return
  const timer = setInterval(() => {
    if (isNpm(npm)) return
    clearInterval(timer)
    then()
  }, 250)
  timer.unref()
}

/** Between npm and us are its shell and, at a first start, the script that found the right Node. */
function npmAbove(): number | undefined {
  for (let pid = process.ppid; pid > 1; pid = parentOf(pid)) if (isNpm(pid)) return pid
  return undefined
}

const isNpm = (pid: number): boolean => read(`/proc/${pid}/cmdline`).startsWith('npm')

function parentOf(pid: number): number {
  const stat = read(`/proc/${pid}/stat`)
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0)
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** One sentence on stderr, no stack: whoever starts the product reads this, and it says what to change. */
export function fail(error: unknown): never {
  const sentence = error instanceof Error ? error.message : String(error)
  process.stderr.write(`${sentence.trim().split('\n')[0]}\n`)
  if (['debug', 'trace'].includes(process.env.LOG_LEVEL ?? '') && error instanceof Error)
    process.stderr.write(`${error.stack}\n`)
  process.exit(1)
}
