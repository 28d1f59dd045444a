import cluster from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { RunningServer } from '#app/server/process/runtime.ts'
import type { Config } from '#tenants/config.ts'

/** Milliseconds until a process that has ended is started again: doubled each time, up to the longest. */
const [firstPause, longestPause] = [500, 30_000]
/** A process that ran for this long starts again after the first pause. */
const steadyMs = 60_000
/** The message of a child process that serves. */
const started = 'started'

type Role = 'web' | 'worker'

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
  // The options are for the first start of the database.
  cluster.setupPrimary({ args: [] })
  const roles: Role[] = Array.from({ length: config.webProcesses }, () => 'web')
  if (config.role === 'all') roles.push('worker')

  try {
    await Promise.all(roles.map((role) => startUntilServing(role)))
  } catch (error) {
    await close()
    throw error
  }
  return { address: config.origin, close }

  async function startUntilServing(role: Role): Promise<void> {
    const child = start(role, { isFirst: true })
    const ended = once(child, 'exit').then(() => {
      throw new Error(`A ${role} process ended while it started.`)
    })
    await Promise.race([once(child, 'message'), ended])
    ended.catch(() => undefined)
  }

  function start(role: Role, { isFirst = false, pauseMs = firstPause / 2 } = {}) {
    const startedAt = performance.now()
    const child = cluster.fork({ ROLE: role, APP_DATABASE_URL: appUrl })
    let serves = false
    child.once('message', () => (serves = true))
    child.once('exit', async (code, signal) => {
      // If the first one has not served, the supervisor does not start.
      if (isClosing || (isFirst && !serves)) return
      const nextPause = performance.now() - startedAt > steadyMs ? firstPause : Math.min(pauseMs * 2, longestPause)
      console.error(`A ${role} process ended (${signal ?? code}). Another one starts.`)
      await pause(nextPause)
      if (!isClosing) start(role, { pauseMs: nextPause })
    })
    return child
  }

  async function close(): Promise<void> {
    isClosing = true
    const children = Object.values(cluster.workers ?? {}).flatMap((child) => child ?? [])
    await Promise.all(
      children.map(async (child) => {
        const exit = once(child, 'exit')
        child.process.kill('SIGTERM')
        await exit
      }),
    )
  }
}
