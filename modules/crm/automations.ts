import { AppError } from '#app/lib/errors.ts'
import { isSameTag, maxTagLength, maxTags, parseTags } from '#app/lib/tags.ts'
import type { WriteCtx } from '#tenants/context.ts'
import type { AutomationAction, AutomationFilter, AutomationTrigger } from '../core/automations.ts'
import { listPrograms } from './queries/programs.ts'
import { listTags } from './queries/tags.ts'
import { client } from './records.ts'
import { updateClient } from './services/clients.ts'

const tagFilter = {
  values: 'array(select lower(tag) from unnest(c.tags) tag)',
  options: async (ctx) => (await listTags(ctx)).map(({ tag }) => ({ value: tag.toLowerCase(), label: tag })),
} satisfies Partial<AutomationFilter>

/** Conditions on the client `c` of a trigger's rows. */
export const clientFilters: AutomationFilter[] = [
  { ...tagFilter, name: 'tag', label: 'The client has the tag' },
  { ...tagFilter, name: 'without-tag', label: 'The client does not have the tag', excludes: true },
  {
    name: 'program',
    label: 'The client has the program type',
    values: 'array_remove(array[lower(c.program)], null)',
    options: async (ctx) =>
      (await listPrograms(ctx)).map((program) => ({ value: program.toLowerCase(), label: program })),
  },
]

/** Each contact with a client, and the one after it. Being added counts as the first one. */
const contacts = `(
    select k.client_id, k.at, lead(k.at) over (partition by k.client_id order by k.at) as next_at from (
      select i.client_id, i.interaction_date as at from client_interaction i
      where i.coach_id = $1 and i.deleted_at is null
      union all
      select e.client_id, e.created_at from activity e
      where e.coach_id = $1 and e.client_id is not null and e.type in ('session_completed', 'message_received')
      union all
      select n.id, n.created_at from client n where n.coach_id = $1
    ) k
  )`

export const automationTriggers: AutomationTrigger[] = [
  {
    name: 'crm.no-contact',
    label: 'there was no contact with a client for some days',
    order: 70,
    permission: 'crm:client:read',
    people: ['client'],
    days: { label: 'Days without a session, an interaction or a message from them', initial: 30, max: 365 },
    filters: clientFilters,
    placeholders: {},
    rows: (days) => ({
      from: `from ${contacts} s join client c on c.coach_id = $1 and c.id = s.client_id
        where c.deleted_at is null and c.archived_at is null and c.status = 'active'
          and (s.next_at is null or s.next_at >= s.at + make_interval(days => ${days}))`,
      key: `c.id || ' ' || date_part('epoch', s.at)`,
      at: `s.at + make_interval(days => ${days})`,
      title: `'No contact for ${days} days'`,
      to: `'/clients/' || c.id`,
      clientId: 'c.id',
      prospectId: 'null::bigint',
      name: 'c.name',
      email: 'c.email',
      timezone: 'c.timezone',
      stillTrue: 's.next_at is null',
    }),
  },
]

export const automationActions: AutomationAction[] = [
  {
    name: 'crm.add-tag',
    label: 'Add a tag',
    order: 30,
    permission: 'crm:client:write',
    people: ['client'],
    fields: [{ name: 'tag', label: 'Tag', kind: 'line', required: 'Enter a tag', max: maxTagLength }],
    describe: ({ tag }) => `Add the tag “${tag}”`,
    run: async (ctx, { tag }, { person }) => addTag(ctx, person.id, tag!),
  },
]

/** Throws not_found, plan_limit, and validation_failed if the client has as many tags as possible. */
async function addTag(ctx: WriteCtx, clientId: number, text: string): Promise<void> {
  const [tag] = parseTags(text)
  const [row] = await ctx.query<{ tags: string[] }>({
    name: 'crm.lock-tags',
    text: 'select tags from client where coach_id = $1 and id = $2 and deleted_at is null for update',
    values: [ctx.coachId, clientId],
  })
  if (!row || !tag) throw client.notFound()
  if (row.tags.some((each) => isSameTag(each, tag))) return
  if (row.tags.length >= maxTags) throw new AppError('validation_failed', `The client has ${maxTags} tags already.`)
  await updateClient(ctx, clientId, { tags: [...row.tags, tag] })
}
