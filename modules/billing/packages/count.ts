/** A purchase that includes sessions. `since`: the first day on which they count. Oldest first. */
export type Package = { id: number; count: number; since: string }

/**
 * How many sessions of each package were used: each completed session counts against the oldest package that was bought
 * by its day and has sessions left. `days`: those of the sessions.
 */
export function countUsed(packages: Package[], days: string[]): number[] {
  const used = packages.map(() => 0)
  for (const { index } of assignDays(packages, days)) used[index]!++
  return used
}

/** The days of the sessions that count against a package, once for each session, earliest first. */
export const listCoveredDays = (packages: Package[], days: string[]): string[] =>
  assignDays(packages, days).map(({ day }) => day)

function assignDays(packages: Package[], days: string[]): { day: string; index: number }[] {
  const left = packages.map(({ count }) => count)
  return days.toSorted().flatMap((day) => {
    const index = packages.findIndex(({ since }, nth) => since <= day && left[nth]! > 0)
    if (index < 0) return []
    left[index]!--
    return [{ day, index }]
  })
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
