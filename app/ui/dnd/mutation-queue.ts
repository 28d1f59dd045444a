// Sends drag-and-drop changes one at a time, so that the server receives them in order.

/** Milliseconds until a request is aborted, because forms wait for the queue. */
const timeout = 20_000

let last: Promise<void> = Promise.resolve()

/** Runs `work` after everything queued before it. A failure is reported and doesn't block the queue. */
export function enqueueMutation(work: (signal: AbortSignal) => Promise<void>): void {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), timeout)
  last = last
    .then(() => work(controller.signal))
    .catch(reportError)
    .finally(() => clearTimeout(timer))
}

/** Resolves when everything queued so far is done. */
export const mutationsSettled = (): Promise<void> => last
