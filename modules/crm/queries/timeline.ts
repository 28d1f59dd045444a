import { asMarkup, excerptRead } from '#app/lib/markup.ts'
import { utc } from '#db/read-pool.ts'
import type { Ctx } from '#tenants/context.ts'
import type { TimelineEntry } from '../slots.ts'

type Row = { id: number; at: string; title: string; text: string | null }

/** What crm tells of a client: interactions, and what became of the client itself. At most `rows` of each, newest first. */
export async function timelineEntries(ctx: Ctx, clientId: number, rows: number): Promise<TimelineEntry[]> {
  const [interactions, activities] = (await ctx.rowsOf([
    {
      name: 'crm.timeline-interactions',
      text: `select id, ${utc('interaction_date')} as at, name as title, left(content, ${excerptRead}) as text from client_interaction
        where client_id = $1 and deleted_at is null order by interaction_date desc, id desc limit $2`,
      values: [clientId, rows],
    },
    {
      // What other modules log there they tell of themselves, with more than a sentence.
      name: 'crm.timeline-activities',
      text: `(select a.id, ${utc('a.created_at')} as at, a.title, nullif(a.description, c.name) as text from activity a
        join client c on c.coach_id = a.coach_id and c.id = a.client_id
        where a.client_id = $1 and starts_with(a.type, 'client_') order by a.created_at desc, a.id desc limit $2)
        -- Who came with a list of others has no activity that says so.
        union all select 0, ${utc('c.created_at')}, 'Client added', null from client c
        where c.id = $1 and not exists (select from activity a where a.client_id = c.id and a.type = 'client_added')`,
      values: [clientId, rows],
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
      text: text && asMarkup(text),
      to: null,
    })),
  ].sort((a, b) => (a.at < b.at ? 1 : -1))
}
