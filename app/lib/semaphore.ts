/** Runs `work` once there is a slot. Throws what `busy` returns if too many wait, or one waits too long. */
export type Semaphore = <Result>(work: () => Promise<Result>) => Promise<Result>

/** At most `slots` run at once; at most `waiting` more wait, each for at most `waitMs`, first come first served. */
export function createSemaphore({
  slots,
  waiting,
  waitMs,
  busy,
}: {
  slots: number
  waiting: number
  waitMs?: number
  busy: () => Error
}): Semaphore {
  let running = 0
  const queue = new Set<() => void>()

  return async (work) => {
    if (running < slots) running++
    else await waitForSlot()
    try {
      return await work()
    } finally {
      passOn()
    }
  }

  /** The call that ends passes its slot on, so that `running` stays the same. */
  function waitForSlot(): Promise<void> {
    if (queue.size >= waiting) throw busy()
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timeout)
        resolve()
      }
      const timeout =
        waitMs === undefined
          ? undefined
          : setTimeout(() => {
              queue.delete(start)
              reject(busy())
            }, waitMs)
      queue.add(start)
    })
  }

  function passOn(): void {
    const [next] = queue
    if (!next) running--
    else {
      queue.delete(next)
      next()
    }
  }
}
