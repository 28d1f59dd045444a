import { AppError } from '#app/lib/errors.ts'
import { createSemaphore, type Semaphore } from '#app/lib/semaphore.ts'

/** Per tenant and process: further calls wait, so that other tenants always find a free connection and time. */
const limits = {
  read: { slots: 4, waiting: 200, waitMs: 10_000 },
  /** Reports from the replica: while it doesn't respond, other reads go on. */
  report: { slots: 3, waiting: 200, waitMs: 10_000 },
  write: { slots: 4, waiting: 200, waitMs: 10_000 },
  search: { slots: 1, waiting: 200, waitMs: 1_500 },
  export: { slots: 1, waiting: 200, waitMs: 10_000 },
  /** Documents as PDF. */
  print: { slots: 1, waiting: 20, waitMs: 30_000 },
  /** Files that come in, each for as long as its sender takes. */
  transfer: { slots: 4, waiting: 20, waitMs: 10_000 },
  preview: { slots: 1, waiting: 200, waitMs: 10_000 },
} as const

export type TenantSlots = {
  /** Runs `work` once the tenant has a slot for it. Throws rate_limited if too many wait, or it waits too long. */
  run<Result>(coachId: number, kind: keyof typeof limits, work: () => Promise<Result>): Promise<Result>
}

export function createTenantSlots(): TenantSlots {
  const active = new Map<string, { semaphore: Semaphore; calls: number }>()
  return {
    async run(coachId, kind, work) {
      const key = `${kind} ${coachId}`
      const entry = active.get(key) ?? { semaphore: createSemaphore({ ...limits[kind], busy }), calls: 0 }
      active.set(key, entry)
      entry.calls++
      try {
        return await entry.semaphore(work)
      } finally {
        entry.calls--
        if (!entry.calls) active.delete(key)
      }
    },
  }
}

const busy = () =>
  new AppError('rate_limited', 'Too much is going on in your account at once. Please try again in a moment.', {
    headers: { 'Retry-After': '2' },
  })
