import { AppError } from '#app/lib/errors.ts'
import { createSemaphore } from '#app/lib/semaphore.ts'

/**
 * For a transaction that waits for another service to refresh a token: it holds one of the connections of the process,
 * so a service that doesn't answer may have only two of them. Throws unavailable.
 */
export const holdConnectionForRefresh = createSemaphore({
  slots: 2,
  waiting: 100,
  waitMs: 15_000,
  busy: () => new AppError('unavailable', 'Another service doesn’t answer. Please try again in a moment.'),
})
