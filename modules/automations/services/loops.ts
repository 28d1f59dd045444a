import type { Ctx } from '#tenants/context.ts'
import type { AutomationRecord } from '../records.ts'
import { findAction } from './catalog.ts'

/** As much of an automation as a loop depends on. */
export type Link = Pick<AutomationRecord, 'id' | 'name' | 'trigger' | 'filters' | 'actions'>

/**
 * The shortest way on which an automation sets itself off, directly or through others: it begins and ends with it. Null
 * if there is none.
 */
export function findLoop(ctx: Pick<Ctx, 'extensions'>, all: readonly Link[], start: Link): Link[] | null {
  const reached = new Set<number>()
  let paths: Link[][] = [[start]]
  while (paths.length) {
    const longer: Link[][] = []
    for (const path of paths)
      for (const next of listNext(ctx, all, path.at(-1)!)) {
        if (next.id === start.id) return [...path, next]
        if (reached.has(next.id)) continue
        reached.add(next.id)
        longer.push([...path, next])
      }
    paths = longer
  }
  return null
}

/** The automations that one sets off, unless a filter of theirs rules it out. */
function listNext(ctx: Pick<Ctx, 'extensions'>, all: readonly Link[], { actions }: Link): Link[] {
  const causes = actions.flatMap(({ action, settings }) => findAction(ctx, action)?.causes?.(settings) ?? [])
  return all.filter((other) =>
    causes.some(
      ({ trigger, filters }) =>
        trigger === other.trigger &&
        Object.entries(other.filters).every(([name, value]) => (filters[name] ?? value) === value),
    ),
  )
}
