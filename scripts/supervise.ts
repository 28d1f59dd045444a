import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { sendMetrics } from '#app/server/process/share-metrics.ts'
import type { RunningServer } from '#app/server/process/runtime.ts'
import type { Config } from '#tenants/config.ts'

/** Milliseconds until a process that has ended is started again: doubled each time, up to the longest. */
const [firstPause, longestPause] = [500, 30_000]
/** A process that ran for this long starts again after the first pause. */
const steadyMs = 60_000
/** Milliseconds after which a process that should stop is killed. Its own limit is a little shorter. */
const stopMs = 12_000
/** The message of a child process that serves. */
const started = 'started'

type Role = 'web' | 'worker'
/** A process and those that replace it, such as 'web-1'. */
type Slot = { name: string; role: Role }

/** Whether this process was started by a supervisor, which has prepared everything. */
export const isSupervised = (): boolean => cluster.isWorker

/** Says to the supervisor that this process serves. */
export function reportStarted(): void {
  if (cluster.isWorker) process.send?.(started)
}

/**
 * Runs WEB_PROCESSES web processes, which share the port, and a worker unless ROLE is `web`, each as a program of its own.
 * Starts each again that ends. Resolves once all serve. Throws if one ends before.
 */
export async function supervise({ config, appUrl }: { config: Config; appUrl: string }): Promise<RunningServer> {
  let isClosing = false
  const children = new Set<Worker>()
  /** The processes that serve, by the name of their slot. */
  const serving = new Map<string, Worker>()
  // The options are for the first start of the database.
  cluster.setupPrimary({ args: [] })
  const slots: Slot[] = Array.from({ length: config.webProcesses }, (_, index) => ({
    name: `web-${index + 1}`,
    role: 'web',
  }))
  if (config.role === 'all') slots.push({ name: 'worker', role: 'worker' })

  try {
    await Promise.all(
      slots.map(async (slot) => {
        const { serves, ended } = start(slot)
        const end = await Promise.race([serves, ended])
        if (end) throw new Error(`A ${slot.role} process ended while it started (${end}).`)
        void ended.then((reason) => keepRunning(slot, reason))
      }),
    )
  } catch (error) {
    await close()
    throw error
  }
  return { address: config.origin, workersStarted: Promise.resolve(), close }

  /** `ended` resolves with the reason. */
  function start({ name, role }: Slot): { serves: Promise<void>; ended: Promise<string> } {
    const child = cluster.fork({ ROLE: role, APP_DATABASE_URL: appUrl })
    children.add(child)
    sendMetrics(child, () => serving)
    const serves = new Promise<void>((resolve) => {
      child.on('message', (message) => {
        if (message !== started) return
        serving.set(name, child)
        resolve()
      })
    })
    const ended = new Promise<string>((resolve) => {
      child.once('exit', (code, signal) => resolve(String(signal ?? code)))
      // The system has no room for another process.
      child.on('error', ({ message }) => child.process.pid === undefined && resolve(message))
    }).finally(() => {
      children.delete(child)
      if (serving.get(name) === child) serving.delete(name)
    })
    return { serves, ended }
  }

  /** Starts another process each time that one has ended. `firstReason`: why the first one has. */
  async function keepRunning(slot: Slot, firstReason: string): Promise<void> {
    let reason = firstReason
    for (let pauseMs = firstPause; !isClosing; ) {
      console.error(`A ${slot.role} process ended (${reason}). Another one starts.`)
      await pause(pauseMs)
      if (isClosing) return
      const startedAt = performance.now()
      reason = await run(slot)
      const wasSteady = performance.now() - startedAt > steadyMs
      pauseMs = wasSteady ? firstPause : Math.min(pauseMs * 2, longestPause)
    }
  }

  /** Runs a process to its end. Returns the reason. */
  async function run(slot: Slot): Promise<string> {
    try {
      return await start(slot).ended
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }

  async function close(): Promise<void> {
    isClosing = true
    const kill = setTimeout(() => signalAll('SIGKILL'), stopMs)
    const ends = [...children].map((child) => once(child, 'exit'))
    signalAll('SIGTERM')
    await Promise.all(ends)
    clearTimeout(kill)
  }

  function signalAll(signal: 'SIGTERM' | 'SIGKILL'): void {
    for (const child of children) child.process.kill(signal)
  }
}
