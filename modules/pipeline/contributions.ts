import { formatMoney } from '#app/lib/money.ts'
import { escapeMarkup } from '#app/lib/markup.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import type { TimelineEntry } from '#modules/crm/index.ts'
import type { Contribution, OnboardingStep, QuickAction } from '#modules/core/manifest.ts'
import type { Ctx } from '#tenants/context.ts'
import { onBoardSql } from './records.ts'
import type { ActivityType } from './schema.ts'

const permission = 'pipeline:prospect:read'

/** The pipeline's parts of the dashboard and the page of a client who was a prospect. */
export const contributions: Contribution[] = [
  { slot: 'dashboard.stat', widget: 'active-prospects', order: 40, permission, load: activeProspects },
  {
    slot: 'dashboard.action',
    order: 10,
    permission,
    load: async (): Promise<QuickAction> => ({ label: 'View Pipeline', to: '/pipeline', icon: 'square-kanban' }),
  },
  {
    slot: 'dashboard.action',
    order: 20,
    permission: 'pipeline:prospect:write',
    load: async (): Promise<QuickAction> => ({
      label: 'Add Prospect',
      to: '/pipeline?openProspectModal=true',
      icon: 'user-round-plus',
    }),
  },
  { slot: 'dashboard.step', order: 30, permission: 'pipeline:prospect:write', load: onboardingStep },
  {
    slot: 'client.timeline',
    order: 30,
    permission,
    load: (ctx, { id, rows = '50' }) => clientTimeline(ctx, Number(id), Number(rows)),
  },
]

async function activeProspects(ctx: Ctx) {
  const [row] = await ctx.query<{ count: number; weighted: number }>({
    name: 'pipeline.active-prospects',
    text: `select count(*), coalesce(round(sum(value * probability) / 100.0), 0)::bigint as weighted
      from prospect where coach_id = $1 and ${onBoardSql}`,
    values: [ctx.coachId],
  })
  const { count, weighted } = row!
  return {
    count,
    fact: count
      ? `${formatMoney(weighted, ctx.account.currency, { cents: 'never' })} weighted`
      : 'none in the pipeline',
  }
}
export type ActiveProspects = Awaited<ReturnType<typeof activeProspects>>

async function onboardingStep(ctx: Ctx): Promise<OnboardingStep> {
  const [row] = await ctx.query<{ done: boolean }>({
    name: 'pipeline.has-prospects',
    text: 'select exists (select 1 from prospect where coach_id = $1) as done',
    values: [ctx.coachId],
  })
  return {
    title: 'Add a prospect',
    text: 'Track people who might become clients.',
    ...row!,
    to: '/pipeline?openProspectModal=true',
    buttonLabel: 'Add Prospect',
  }
}

/** How a prospect became this client, newest first. Edits are left out; they are in the history. */
async function clientTimeline(ctx: Ctx, clientId: number, rows: number): Promise<TimelineEntry[]> {
  type Activity = { id: number; prospectId: number; type: ActivityType; description: string; at: string }
  const activities = await ctx.query<Activity>({
    name: 'pipeline.timeline',
    text: `select a.id, a.prospect_id as "prospectId", a.type, a.description, ${isoTimestamp('a.created_at')} as at
      from pipeline_activity a join prospect p on p.coach_id = $1 and p.id = a.prospect_id
      where a.coach_id = $1 and p.client_id = $2 and a.type in ('created', 'moved', 'converted')
      order by a.created_at desc, a.id desc limit $3`,
    values: [ctx.coachId, clientId, rows],
  })
  return activities.map(({ id, prospectId, type, description, at }) => ({
    key: `prospect ${id}`,
    at,
    kind: 'prospect',
    title: type === 'created' ? 'Added as a prospect' : description,
    text: type === 'created' ? escapeMarkup(description) : null,
    to: `/history/prospect/${prospectId}`,
  }))
}
