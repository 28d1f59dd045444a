import { asMarkup } from '#app/lib/markup.ts'
import { utc } from '#db/read-pool.ts'
import type { TimelineEntry } from '#modules/crm/index.ts'
import type { Contribution, FirstStep } from '#modules/core/manifest.ts'
import type { Ctx } from '#tenants/context.ts'
import { onBoard } from './output.ts'
import type { ActivityType } from './schema.ts'
import { aboutDollars } from './format.ts'

const permission = 'pipeline:prospect:read'

/** What the pipeline shows on the dashboard and on the page of a client who was a prospect. */
export const contributions: Contribution[] = [
  { slot: 'dashboard.stat', widget: 'active-prospects', order: 40, permission, load: activeProspects },
  { slot: 'dashboard.action', widget: 'view-pipeline', order: 10, permission, load: async () => null },
  {
    slot: 'dashboard.action',
    widget: 'add-prospect',
    order: 20,
    permission: 'pipeline:prospect:write',
    load: async () => null,
  },
  { slot: 'dashboard.step', order: 30, permission: 'pipeline:prospect:write', load: firstProspect },
  {
    slot: 'client.timeline',
    order: 30,
    permission,
    load: (ctx, { id, rows = '50' }) => storyOfClient(ctx, Number(id), Number(rows)),
  },
]

async function activeProspects(ctx: Ctx) {
  const [row] = await ctx.rows<{ count: number; weighted: number }>({
    name: 'pipeline.active-prospects',
    text: `select count(*), coalesce(round(sum(value * probability) / 100.0), 0)::bigint as weighted from prospect where ${onBoard}`,
  })
  const { count, weighted } = row!
  return { count, fact: count ? `${aboutDollars(weighted)} weighted` : 'none in the pipeline yet' }
}
export type ActiveProspects = Awaited<ReturnType<typeof activeProspects>>

async function firstProspect(ctx: Ctx): Promise<FirstStep> {
  const [had] = await ctx.rows<{ done: boolean }>({
    name: 'pipeline.had-prospect',
    text: 'select exists (select from prospect) as done',
  })
  return {
    title: 'Add a prospect',
    text: 'Who might become a client, and how far they are.',
    ...had!,
    to: '/pipeline?openProspectModal=true',
    call: 'Add Prospect',
  }
}

/** How a prospect became this client, newest first; what was edited meanwhile stands in its history. */
async function storyOfClient(ctx: Ctx, clientId: number, rows: number): Promise<TimelineEntry[]> {
  const story = await ctx.rows<{ id: number; prospectId: number; type: ActivityType; description: string; at: string }>(
    {
      name: 'pipeline.timeline',
      text: `select a.id, a.prospect_id as "prospectId", a.type, a.description, ${utc('a.created_at')} as at
      from pipeline_activity a join prospect p on p.coach_id = a.coach_id and p.id = a.prospect_id
      where p.client_id = $1 and a.type in ('created', 'moved', 'converted') order by a.created_at desc, a.id desc limit $2`,
      values: [clientId, rows],
    },
  )
  return story.map(({ id, prospectId, type, description, at }) => ({
    key: `prospect ${id}`,
    at,
    kind: 'prospect',
    title: type === 'created' ? 'Came in as a prospect' : description,
    text: type === 'created' ? asMarkup(description) : null,
    to: `/history/prospect/${prospectId}`,
  }))
}
