/** Milliseconds of the processor that `work` took: what else the machine does in the meantime isn't counted. */
export function costOf(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
