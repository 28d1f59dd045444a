import { fork, type ChildProcess } from 'node:child_process'
import path from 'node:path'
import { createSemaphore } from './semaphore.ts'

type Options = {
  /** Its file, relative to the checkout, where every process of the product starts. */
  file: string
  /** Megabytes of its heap. */
  memory: number
  env?: Record<string, string>
  /** Milliseconds, for a start and a request. */
  timeout: number
  /**
   * Milliseconds until it ends: the next request needs no start, and the memory is free again soon after the last one.
   */
  idle: number
  /** Milliseconds that a request waits for those before it. */
  waitMs?: number
  busy: () => Error
}

/**
 * A program in a process of its own, without our secrets, that handles one request after the other: input that attacks
 * it reaches nothing there, and one that takes too long or too much memory ends with it. A request without a result
 * throws.
 */
export function createChildProgram<Request extends object, Result>({
  file,
  memory,
  env = {},
  timeout,
  idle,
  busy,
  ...waiting
}: Options): (request: Request) => Promise<Result> {
  const oneAtATime = createSemaphore({ slots: 1, waiting: 100, busy, ...waiting })
  let child: ChildProcess | null = null
  let idleTimer: NodeJS.Timeout | undefined
  let lastId = 0

  return (request) =>
    oneAtATime(async () => {
      clearTimeout(idleTimer)
      try {
        const result = await send((child ??= start()), ++lastId, request)
        idleTimer = setTimeout(stop, idle).unref()
        return result
      } catch (error) {
        stop()
        throw error
      }
    })

  function start(): ChildProcess {
    const started = fork(path.resolve(file), {
      env: { NODE_ENV: 'production', ...env },
      execArgv: [`--max-old-space-size=${memory}`, '--disable-warning=ExperimentalWarning'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    // It doesn't keep this process from ending.
    started.unref()
    started.channel?.unref()
    started.once('exit', () => {
      if (child === started) child = null
    })
    return started
  }

  function stop(): void {
    child?.kill('SIGKILL')
    child = null
  }

  function send(to: ChildProcess, id: number, request: Request): Promise<Result> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => end(() => reject(new Error(`${file} took too long.`))), timeout)
      const end = (settle: () => void) => {
        clearTimeout(timer)
        to.off('message', onMessage).off('exit', onExit).off('error', onError)
        settle()
      }
      const onMessage = (message: { id: number; result: Result }) => {
        if (message.id === id) end(() => resolve(message.result))
      }
      const onExit = () => end(() => reject(new Error(`${file} ended.`)))
      const onError = (error: Error) => end(() => reject(error))
      to.on('message', onMessage).once('exit', onExit).once('error', onError)
      to.send({ id, request })
    })
  }
}

/** The program's side: sends what `handle` returns for each request. */
export function serveRequests<Request, Result>(handle: (request: Request) => Result | Promise<Result>): void {
  process.on('message', async ({ id, request }: { id: number; request: Request }) => {
    const result = await handle(request)
    process.send?.({ id, result })
  })
  process.on('disconnect', () => process.exit(0))
}
