/** Closes what a process has opened, in reverse order. */
export type Shutdown = {
  onClose(close: () => Promise<void>): void
  run(): Promise<void>
}

/** Ctrl+C signals both npm and this process, and npm forwards its signal: a repeat within this time is the same one. */
const repeatedSignalMs = 700
/** Docker kills a container 10 seconds after its SIGTERM. */
const shutdownMs = 9_500

/** Closes everything and exits with 0 on SIGINT, SIGTERM and SIGHUP. A second signal exits immediately with 1. */
export function createShutdown(): Shutdown {
  const closers: (() => Promise<void>)[] = []
  let closing: Promise<void> | undefined
  let signaledAt: number | undefined
  const run = () => (closing ??= closeAll(closers))

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, handleSignal)
  return { onClose: (close) => void closers.push(close), run }

  function handleSignal(): void {
    const now = performance.now()
    if (signaledAt !== undefined) {
      if (now - signaledAt > repeatedSignalMs) process.exit(1)
      return
    }
    signaledAt = now
    console.log('Stopping after open requests have finished …')
    setTimeout(() => exitWithError(new Error('Stopped before everything was closed.')), shutdownMs).unref()
    run().then(() => process.exit(0), exitWithError)
  }
}

async function closeAll(closers: (() => Promise<void>)[]): Promise<void> {
  for (let close = closers.pop(); close; close = closers.pop()) await close()
}

/** Prints the first line of the error's message and exits with 1. LOG_LEVEL=debug adds the stack. */
export function exitWithError(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`${message.trim().split('\n')[0]}\n`)
  if (['debug', 'trace'].includes(process.env.LOG_LEVEL ?? '') && error instanceof Error)
    process.stderr.write(`${error.stack}\n`)
  process.exit(1)
}
