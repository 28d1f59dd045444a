/** Milliseconds of the processor that `work` took: what else the machine does in the meantime isn't counted. */
export function costOf(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** Milliseconds by the clock, and of the processor in this process, where the server works too. */
export type Spent = { ms: number; cpu: number }

/** Counts from now on. */
export function stopwatch(): () => Spent {
  const [began, before] = [performance.now(), process.cpuUsage()]
  return () => {
    const { user, system } = process.cpuUsage(before)
    return { ms: performance.now() - began, cpu: (user + system) / 1000 }
  }
}
