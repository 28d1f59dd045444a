import { setTimeout as pause } from 'node:timers/promises'
import { load, residentMegabytes, type Workload } from './load.ts'
import type { ServerProcess } from './servers.ts'
import type { TableRow } from './table.ts'

/** The memory of the product after full load and after a rest. `durations` in seconds. */
export async function* measureMemory(
  product: ServerProcess,
  workloads: Workload[],
  durations: { memory: number; rest: number },
): AsyncGenerator<Pick<TableRow, 'workload' | 'product' | 'goal' | 'met'> & Partial<TableRow>> {
  for (const workload of workloads) await load(product.port, workload, 0.2, () => [])
  await pause(durations.rest * 1000)
  const idle = residentMegabytes(product.pid)
  const startedAt = performance.now()
  for (let index = 0; performance.now() - startedAt < durations.memory * 1000; index++)
    await load(product.port, workloads[index % workloads.length]!, 1, () => [])
  const loaded = residentMegabytes(product.pid)
  await pause(durations.memory * 1000)
  const rested = residentMegabytes(product.pid)
  const formatMegabytes = (value: number): string => `${Math.round(value)} MB`
  yield {
    workload: `Memory after ${durations.memory} s of full load`,
    product: formatMegabytes(loaded),
    goal: '≤ 350 MB',
    met: loaded <= 350,
  }
  yield {
    workload: `Memory after ${durations.memory} s of rest (idle: ${formatMegabytes(idle)})`,
    product: formatMegabytes(rested),
    ratio: (rested / idle).toFixed(2),
    goal: '≤ 1.2',
    met: rested / idle <= 1.2,
  }
}
