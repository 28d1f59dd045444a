import type { ProgressEntry } from './fields.ts'

/** An item that counts: a checklist item, task, form or session. */
export type CountedItem = { createdAt: string; doneAt: string | null }

/** `setAt`: when the coach set it by hand; null: it is counted. */
export type Progress = { percent: number; done: number; total: number; setAt: string | null }

/** The progress at a moment: what the coach has set last, or else the part of the items that was done. */
export function getProgress(items: CountedItem[], entries: ProgressEntry[], at: string): Progress {
  const total = items.filter(({ createdAt }) => createdAt <= at).length
  const done = items.filter(({ createdAt, doneAt }) => createdAt <= at && doneAt !== null && doneAt <= at).length
  const latest = entries.findLast((entry) => entry.at <= at)
  const isSet = latest !== undefined && latest.percent !== null
  return {
    percent: isSet ? latest.percent! : toPercent(done, total),
    done,
    total,
    setAt: isSet ? latest.at : null,
  }
}

/** 100 only once all is done. */
const toPercent = (done: number, total: number): number => (total === 0 ? 0 : Math.floor((done * 100) / total))

/** The progress at the moments when it may have changed, oldest first. `toDay`: the local date; one point for each. */
export function listProgress(
  items: CountedItem[],
  entries: ProgressEntry[],
  { now, toDay }: { now: string; toDay: (at: string) => string },
): { day: string; percent: number }[] {
  const moments = [
    ...items.flatMap(({ createdAt, doneAt }) => [createdAt, ...(doneAt === null ? [] : [doneAt])]),
    ...entries.map(({ at }) => at),
    now,
  ]
    .filter((at) => at <= now)
    .sort()
  const byDay = new Map(moments.map((at) => [toDay(at), at]))
  return [...byDay].map(([day, at]) => ({ day, percent: getProgress(items, entries, at).percent }))
}

/** How far a goal is from its start to its target, in percent from 0 to 100. */
export function measureGoal({ start, target, value }: { start: number; target: number; value: number }): number {
  const part = (value - start) / (target - start)
  return Math.floor(Math.min(1, Math.max(0, part)) * 100)
}
