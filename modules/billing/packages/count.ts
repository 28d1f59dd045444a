/** A purchase that includes sessions. `since`: the first day on which they count. Oldest first. */
export type Package = { id: number; count: number; since: string }

/**
 * How many sessions of each package were used: each completed session counts against the oldest package that was bought
 * by its day and has sessions left. `days`: those of the sessions.
 */
export function countUsed(packages: Package[], days: string[]): number[] {
  const used = packages.map(() => 0)
  for (const day of days.toSorted()) {
    const index = packages.findIndex(({ count, since }, nth) => since <= day && used[nth]! < count)
    if (index >= 0) used[index]!++
  }
  return used
}

/** The packages with sessions left together; without any, the last one. Null without packages. */
export function sumUp(packages: { count: number; left: number }[]): { count: number; left: number } | null {
  const last = packages.at(-1)
  if (!last) return null
  const open = packages.filter(({ left }) => left > 0)
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  return open.length
    ? { count: sum(open.map(({ count }) => count)), left: sum(open.map(({ left }) => left)) }
    : { count: last.count, left: 0 }
}
