import { dayMs } from '#app/lib/time.ts'
import { insertRows } from '#db/insert-rows.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { forEachCoach } from '#tenants/for-each-coach.ts'
import { withTenant, type Platform } from '#tenants/platform.ts'
import { logDays } from '../fields.ts'
import { hasAutomations } from '../queries/automations.ts'
import { findOfPeriod, matchesFilters, type Occurrence } from '../queries/occurrences.ts'
import { findTrigger } from './catalog.ts'
import { enqueueRuns } from './queues.ts'

/** How far back the job looks, in case it could not run. */
const lateMs = 2 * dayMs
/** Rows of a trigger in that time. */
const maxRows = 1000
/** Runs that are continued at once: those in a long queue are not lost, and would be queued again each hour. */
const maxLost = 500

type Watching = {
  id: number
  trigger: string
  days: number | null
  filters: Record<string, string>
  enabledAt: Date
}

/** Begins what the clock begins, such as overdue invoices, for all coaches. */
export const watchClock = (platform: Platform): Promise<void> =>
  forEachCoach(platform, async ({ id, removedAt }) => {
    const ctx = removedAt ? null : await loadCoachContext(platform, id, 'automations')
    if (ctx && hasAutomations(ctx)) await watchCoach(ctx)
  })

/** Adds a run for each new occurrence: repeated calls add none. Continues runs whose job was lost. */
export async function watchCoach(ctx: Ctx): Promise<void> {
  const [watching, lost] = (await ctx.queryAll([
    {
      name: 'automations.watching',
      text: `select id, trigger, days, filters, enabled_at as "enabledAt" from automation
        where coach_id = $1 and enabled_at is not null and deleted_at is null and trigger = any($2) order by id`,
      values: [ctx.coachId, ctx.extensions.automationTriggers.filter(({ on }) => !on).map(({ name }) => name)],
    },
    {
      name: 'automations.lost',
      text: `select id from automation_run
        where coach_id = $1 and state = 'waiting' and created_at < $2 and created_at > $3
        order by created_at, id limit ${maxLost}`,
      values: [ctx.coachId, new Date(ctx.now().getTime() - dayMs / 4), new Date(ctx.now().getTime() - lateMs)],
    },
  ])) as [Watching[], { id: number }[]]
  for (const automation of watching) {
    const found = await findNew(ctx, automation)
    if (found.length) await ctx.write((tx) => addRuns(tx, automation, found))
  }
  if (lost.length)
    await ctx.write((tx) =>
      enqueueRuns(
        tx,
        lost.map(({ id }) => id),
      ),
    )
}

async function findNew(ctx: Ctx, { trigger: name, days, filters, enabledAt }: Watching): Promise<Occurrence[]> {
  const trigger = findTrigger(ctx, name)
  if (!trigger) return []
  const to = ctx.now()
  const from = new Date(Math.max(new Date(enabledAt).getTime(), to.getTime() - lateMs))
  const found = await findOfPeriod(ctx, trigger, { days, from, to, rows: maxRows })
  return found.filter((occurrence) => occurrence.stillTrue && matchesFilters(trigger, filters, occurrence))
}

async function addRuns(ctx: WriteCtx, { id, trigger }: Watching, found: Occurrence[]): Promise<void> {
  const now = ctx.now()
  const { text, values } = insertRows(
    'automation_run',
    found.map(({ key }) => ({
      coach_id: ctx.coachId,
      automation_id: id,
      trigger,
      event_key: key,
      payload: JSON.stringify({ key }),
      created_at: now,
    })),
  )
  // Most of them were added an hour ago.
  const added = await ctx.query<{ id: number }>({
    text: `${text} on conflict (coach_id, automation_id, event_key) do nothing returning id`,
    values,
  })
  if (added.length)
    await enqueueRuns(
      ctx,
      added.map((row) => row.id),
    )
}

/** Deletes runs that are older than the log keeps them. */
export const deleteOldRuns = (platform: Platform): Promise<void> =>
  forEachCoach(platform, async ({ id: coachId }) => {
    await withTenant(platform, coachId, (tx) =>
      tx.query({
        name: 'automations.delete-old',
        text: 'delete from automation_run where coach_id = $1 and created_at < $2',
        values: [coachId, new Date(platform.now().getTime() - logDays * dayMs)],
      }),
    )
  })
