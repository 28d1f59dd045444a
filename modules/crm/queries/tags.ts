import { authorize, type Ctx } from '#tenants/context.ts'

/**
 * The 500 most used tags of clients outside the trash, by name, each with the number of its clients, whatever their
 * case.
 */
export async function listTags(ctx: Ctx): Promise<{ tag: string; clients: number }[]> {
  authorize(ctx, 'crm:client:read')
  return ctx.query({
    name: 'crm.tags',
    text: `select tag, clients from (
        select min(tag) as tag, count(*) as clients from client, unnest(tags) tag
        where client.coach_id = $1 and deleted_at is null and tags <> '{}'
        group by lower(tag) order by clients desc, lower(min(tag)) limit 500
      ) used order by lower(tag) collate "und-x-icu"`,
    values: [ctx.coachId],
  })
}
