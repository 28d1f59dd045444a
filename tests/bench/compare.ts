import { sessionCount } from './data.ts'
import { load, processTree, type LoadResult, type Workload } from './load.ts'
import type { ServerProcess } from './servers.ts'
import { median, type TableRow } from './table.ts'

/** In seconds, but for the number of rounds. A round measures each server once. */
export type Durations = { slice: number; rounds: number; warmUp: number }
export type Target = { server: ServerProcess; workload: Workload }
/** `goal`: of the requests per second, as a ratio to the baseline. */
export type Comparison = { workload: Workload; goal: number; product: ServerProcess; baseline: ServerProcess }
export type Setting = { durations: Durations; postmaster: number }

/** Compares requests per second and CPU of the product with those of the baseline. */
export async function compareServers(
  { workload, goal, product, baseline }: Comparison,
  setting: Setting,
): Promise<TableRow> {
  const rounds = await alternate({ server: product, workload }, { server: baseline, workload }, setting)
  const ratio = median(rounds.map(([ours, theirs]) => rate(ours) / rate(theirs)))
  return {
    workload: workload.name,
    product: formatRate(median(rounds.map(([ours]) => rate(ours)))),
    baseline: formatRate(median(rounds.map(([, theirs]) => rate(theirs)))),
    ratio: ratio.toFixed(2),
    cpu: median(rounds.map(([ours, theirs]) => theirs.cpu / ours.cpu)).toFixed(2),
    goal: `≥ ${goal}`,
    met: ratio >= goal,
  }
}

/** Measures both targets in alternating order, so that other work on the machine affects both. */
export async function alternate(
  a: Target,
  b: Target,
  { durations, postmaster }: Setting,
): Promise<[LoadResult, LoadResult][]> {
  const measure = ({ server, workload }: Target, seconds: number) =>
    load(server.port, workload, seconds, () => [server.pid, ...processTree(postmaster)])
  // Each session is used before: the first change of a practice counts what it stores.
  for (const target of [a, b])
    for (let sent = 0; sent < sessionCount; ) sent += (await measure(target, durations.warmUp)).responses
  const rounds: [LoadResult, LoadResult][] = []
  for (let round = 0; round < durations.rounds; round++) {
    const early = round % 2 ? await measure(b, durations.slice) : undefined
    const ofA = await measure(a, durations.slice)
    rounds.push([ofA, early ?? (await measure(b, durations.slice))])
  }
  return rounds
}

const rate = ({ responses, seconds }: LoadResult): number => responses / seconds

const formatRate = (value: number): string => `${Math.round(value).toLocaleString('en')}/s`
