import { formatDay, localDate } from '#app/lib/time.ts'
import type { Ctx } from '#tenants/context.ts'
import { itemKinds } from './fields.ts'
import { getProgress, measureGoal } from './progress.ts'
import type { GoalWithValue } from './queries/goals.ts'
import { toCounted, type Item, type Milestone } from './queries/items.ts'
import type { ProgramRow } from './queries/programs.ts'

export const formatCount = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${count.toLocaleString('en-US')} ${many}`

/** The time zone of the reader: the coach, or the client in the portal. */
export const getZone = (ctx: Ctx): string => ctx.client?.timezone ?? ctx.account.timezone

const toNoon = (date: string) => new Date(`${date}T12:00:00Z`)
/** A calendar date beside today. */
const formatDate = (ctx: Ctx, date: string): string =>
  formatDay(toNoon(date), toNoon(localDate(ctx.now(), getZone(ctx))), 'UTC')

/** "Counted: 7 of 12 done" or "Set by hand on Mar 3". */
export function toProgressView(ctx: Ctx, { progress: entries }: Pick<ProgramRow, 'progress'>, items: Item[]) {
  const { percent, done, total, setAt } = getProgress(toCounted(items), entries, ctx.now().toISOString())
  const day = setAt && formatDay(setAt, ctx.now(), getZone(ctx))
  const when = day && (/^(Today|Tomorrow|Yesterday)$/.test(day) ? day.toLowerCase() : `on ${day}`)
  return {
    percent,
    isSet: setAt !== null,
    text: when ? `Set by hand ${when}` : `Counted: ${done} of ${total} done`,
  }
}
export type ProgressView = ReturnType<typeof toProgressView>

/** The milestones with their items. Nothing is overdue in a completed program. */
export const toMilestoneViews = (
  ctx: Ctx,
  { milestones, items }: { milestones: Milestone[]; items: Item[] },
  { isCompleted = false } = {},
) =>
  milestones.map(({ id, programId, title, description, startDate }) => {
    const own = items.filter(({ milestoneId }) => milestoneId === id)
    const open = toCounted(own).filter(({ doneAt }) => doneAt === null).length
    const hasBegun = startDate <= localDate(ctx.now(), ctx.account.timezone)
    return {
      id,
      programId,
      title,
      description,
      begins: formatDate(ctx, startDate),
      hasBegun,
      isDone: own.some(({ isCounted }) => isCounted) && open === 0,
      items: own.map((item) => toItemView(ctx, item, isCompleted)),
    }
  })
export type MilestoneView = ReturnType<typeof toMilestoneViews>[number]

function toItemView(ctx: Ctx, item: Item, isCompleted: boolean) {
  const { id, kind, title, owner, dueDate, recordId, startedAt, doneAt, to, toggle, isTicked } = item
  const today = localDate(ctx.now(), getZone(ctx))
  return {
    id,
    kind,
    kindLabel: kind === 'check' ? null : itemKinds[kind],
    title,
    isCoachs: owner === 'coach',
    due: dueDate && formatDate(ctx, dueDate),
    isOverdue: !isCompleted && doneAt === null && dueDate !== null && dueDate < today && kind !== 'resource',
    doneOn: doneAt && formatDay(doneAt, ctx.now(), getZone(ctx)),
    to,
    /** The form that completes or reopens it. */
    toggle: toggle && recordId !== null ? { action: toggle, id: recordId } : null,
    isTicked: isTicked && (!ctx.client || kind === 'check'),
    isMissing: isTicked && kind !== 'check' && startedAt !== null,
  }
}
export type ItemView = MilestoneView['items'][number]

const formatNumber = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 2 })
export const formatMeasure = (value: number, unit: string | null): string =>
  unit ? `${formatNumber(value)} ${unit}` : formatNumber(value)

export function toGoalView(ctx: Ctx, goal: GoalWithValue) {
  const { id, title, unit, start, target, value, valueAt, setBy, version } = goal
  const setter = setBy === 'client' ? (ctx.client ? 'you' : 'the client') : ctx.client ? 'your coach' : 'you'
  return {
    id,
    title,
    unit,
    start,
    target,
    value,
    version,
    percent: measureGoal({ start, target, value }),
    current: formatMeasure(value, unit),
    range: `From ${formatNumber(start)} to ${formatMeasure(target, unit)}`,
    updated: valueAt && `Entered by ${setter}, ${formatDay(valueAt, ctx.now(), getZone(ctx))}`,
  }
}
export type GoalView = ReturnType<typeof toGoalView>
