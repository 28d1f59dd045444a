import { isoTimestamp } from '#db/read-pool.ts'
import { dayMs } from '#app/lib/time.ts'
import { listNewest, type Page } from '#tenants/api/list-newest.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { planIncludes } from '#tenants/accounts/plans.ts'
import { dryRunDays } from '../fields.ts'
import { automation, type AutomationRecord } from '../records.ts'

export const hasAutomations = ({ plan }: Pick<Ctx, 'plan'>): boolean => planIncludes(plan, 'automations')

/** Those outside the trash, by name. */
export async function listAutomations(ctx: Ctx): Promise<AutomationRecord[]> {
  authorize(ctx, 'automations:automation:read')
  return ctx.query<AutomationRecord>({
    name: 'automations.list',
    text: `select ${automation.select} from automation o where o.coach_id = $1 and o.deleted_at is null
      order by lower(o.name) collate "und-x-icu", o.id`,
    values: [ctx.coachId],
  })
}

/** A page of those outside the trash, newest first. */
export async function listNewestAutomations(ctx: Ctx, page: Page): Promise<AutomationRecord[]> {
  authorize(ctx, 'automations:automation:read')
  return listNewest<AutomationRecord>(ctx, {
    name: 'automations.newest',
    select: automation.select,
    from: 'automation o',
    time: 'o.created_at',
    id: 'o.id',
    where: { current: 'o.deleted_at is null' },
    ...page,
  })
}

export type ListedRuns = { automationId: number; runs: number; failed: number; lastAt: string | null }

/** The runs of each automation that acted within 30 days. */
export async function countRuns(ctx: Ctx): Promise<ListedRuns[]> {
  authorize(ctx, 'automations:automation:read')
  return ctx.query<ListedRuns>({
    name: 'automations.count-runs',
    text: `select automation_id as "automationId", count(*)::int as runs,
        count(*) filter (where state = 'failed')::int as failed, ${isoTimestamp('max(started_at)')} as "lastAt"
      from automation_run where coach_id = $1 and started_at >= $2 group by automation_id`,
    values: [ctx.coachId, new Date(ctx.now().getTime() - dryRunDays * dayMs)],
  })
}

export type VersionedAutomation = AutomationRecord & { version: number }

/** The automation with its version, which forms send back. Throws not_found, also for one in the trash. */
export async function getAutomation(ctx: Ctx, id: number): Promise<VersionedAutomation> {
  authorize(ctx, 'automations:automation:read')
  const [row] = await ctx.query<VersionedAutomation>({
    name: 'automations.get',
    text: `select ${automation.select}, o.version from automation o
      where o.coach_id = $1 and o.id = $2 and o.deleted_at is null`,
    values: [ctx.coachId, id],
  })
  if (!row) throw automation.notFound()
  return row
}
