import { AppError } from '#app/lib/errors.ts'
import { addDays } from '#app/lib/time.ts'
import { publish } from '#modules/core/events.ts'
import type { WriteCtx } from '#tenants/context.ts'
import { programUpdated } from '../events.ts'
import { ProgramDate } from '../forms.ts'
import { findPart } from '../parts.ts'
import { listItems, type Item } from '../queries/items.ts'
import { program } from '../records.ts'
import { lockProgram } from './programs.ts'
import { startItems } from './start-items.ts'

/**
 * Moves all dates that are still open by so many days: those of items that aren't done, with their tasks, and of
 * milestones that have such an item or none. Returns the version, with which it can be undone. Throws not_found,
 * plan_limit, validation_failed for dates out of range, and conflict if the program was changed after `version`.
 */
export async function shiftDates(
  ctx: WriteCtx,
  { id, version, days }: { id: number; version?: number; days: number },
): Promise<{ version: number }> {
  const row = await lockProgram(ctx, id)
  program.assertVersion(row, version)
  const { milestones, items } = await listItems(ctx, [id])
  const open = items.filter(isOpen)
  const isMoved = (milestoneId: number) =>
    open.some((item) => item.milestoneId === milestoneId) || !items.some((item) => item.milestoneId === milestoneId)
  const moved = milestones.filter((one) => isMoved(one.id))
  assertInRange([...moved.map(({ startDate }) => startDate), ...open.flatMap(({ dueDate }) => dueDate ?? [])], days)
  await ctx.query({
    name: 'programs.shift-milestones',
    text: `update program_milestone set start_date = start_date + $3::int
      where coach_id = $1 and id = any($2::bigint[])`,
    values: [ctx.coachId, moved.map((one) => one.id), days],
  })
  await ctx.query({
    name: 'programs.shift-items',
    text: `update program_item set due_date = due_date + $3::int, updated_at = $4
      where coach_id = $1 and id = any($2::bigint[]) and due_date is not null`,
    values: [ctx.coachId, open.map((item) => item.id), days, ctx.now()],
  })
  await reschedule(ctx, open, days)
  ctx.em.assign(row, { version: row.version + 1, updatedAt: ctx.now() })
  await ctx.em.flush()
  await publish(ctx, programUpdated, { programId: id })
  // Earlier dates may have come.
  await startItems(ctx, id)
  return { version: row.version }
}

/** Dates are from 1900 to 2200. */
function assertInRange(dates: string[], days: number): void {
  if (dates.some((date) => !ProgramDate.safeParse(addDays(date, days)).success))
    throw new AppError('validation_failed', 'Shift the dates by fewer days: they are from 1900 to 2200', {
      field: 'days',
    })
}

/** A resource is open until it is given. */
const isOpen = ({ kind, doneAt, startedAt }: Item): boolean =>
  kind === 'resource' ? startedAt === null : doneAt === null

async function reschedule(ctx: WriteCtx, open: Item[], days: number): Promise<void> {
  for (const [kind, items] of Map.groupBy(open, (item) => item.kind)) {
    const dates = items.flatMap(({ recordId, dueDate }) =>
      recordId !== null && dueDate !== null ? [{ recordId, dueDate: addDays(dueDate, days) }] : [],
    )
    if (dates.length) await findPart(ctx, kind)?.reschedule?.(ctx, dates)
  }
}
