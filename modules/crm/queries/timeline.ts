import { escapeMarkup, maxExcerptSource } from '#app/lib/markup.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import type { Ctx } from '#tenants/context.ts'
import type { TimelineEntry } from '../slots.ts'

type Row = { id: number; at: string; title: string; text: string | null }

/** A client's interactions and changes, at most `rows` of each, newest first. */
export async function listTimelineEntries(ctx: Ctx, clientId: number, rows: number): Promise<TimelineEntry[]> {
  const [interactions, activities] = (await ctx.queryAll([
    {
      name: 'crm.timeline-interactions',
      text: `select id, ${isoTimestamp('interaction_date')} as at, name as title,
          left(content, ${maxExcerptSource}) as text
        from client_interaction where coach_id = $1 and client_id = $2 and deleted_at is null
        order by interaction_date desc, id desc limit $3`,
      values: [ctx.coachId, clientId, rows],
    },
    {
      // Only crm's own activities: other modules contribute their own, more detailed entries.
      name: 'crm.timeline-activities',
      text: `(select a.id, ${isoTimestamp('a.created_at')} as at, a.title, nullif(a.description, c.name) as text
        from activity a join client c on c.coach_id = $1 and c.id = a.client_id
        where a.coach_id = $1 and a.client_id = $2 and starts_with(a.type, 'client_') order by a.created_at desc, a.id desc limit $3)
        -- Imported clients have no activity of their own.
        union all select 0, ${isoTimestamp('c.created_at')}, 'Client added', null from client c
        where c.coach_id = $1 and c.id = $2 and not exists (
          select 1 from activity a where a.coach_id = $1 and a.client_id = c.id and a.type = 'client_added')`,
      values: [ctx.coachId, clientId, rows],
    },
  ])) as [Row[], Row[]]
  const page = `/clients/${clientId}`
  return [
    ...interactions.map(({ id, ...row }) => ({
      ...row,
      key: `interaction ${id}`,
      kind: 'interaction',
      to: `${page}?dialog=interaction&interaction=${id}`,
    })),
    ...activities.map(({ id, text, ...row }) => ({
      ...row,
      key: `activity ${id}`,
      kind: 'activity',
      text: text && escapeMarkup(text),
      to: null,
    })),
  ].sort((a, b) => (a.at < b.at ? 1 : -1))
}
