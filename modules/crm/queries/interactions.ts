import { maxExcerptSource } from '#app/lib/markup.ts'
import { matchesContent } from '#db/search-sql.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { listNewest, type Filter, type Page } from '#tenants/api/list-newest.ts'
import { clientIdsByName } from '../joins.ts'
import { interaction, type InteractionRecord } from '../records.ts'

const { select } = interaction

// Interactions of clients in the trash are hidden. $1 is the coach.
const visible = `(
    select i.* from client_interaction i join client c on c.coach_id = $1 and c.id = i.client_id
    where i.coach_id = $1 and i.deleted_at is null and c.deleted_at is null
  ) interaction`

/** Interactions, newest `interactionDate` first; of all clients without `clientId`. */
export async function listInteractions(
  ctx: Ctx,
  { clientId, ...page }: Page & { clientId?: number | undefined } = {},
): Promise<InteractionRecord[]> {
  authorize(ctx, 'crm:interaction:read')
  return listNewest(ctx, {
    name: 'crm.interactions',
    select,
    from: visible,
    where: { client: clientId !== undefined && (['client_id = ?', clientId] satisfies Filter) },
    time: 'interaction.interaction_date',
    id: 'interaction.id',
    ...page,
  })
}

/** One interaction of this client. Throws not_found. */
export async function getInteraction(
  ctx: Ctx,
  { clientId, id }: { clientId: number; id: number },
): Promise<InteractionRecord & { version: number }> {
  authorize(ctx, 'crm:interaction:read')
  const [found] = await ctx.query<InteractionRecord & { version: number }>({
    name: 'crm.interaction',
    text: `select ${select}, version from ${visible} where client_id = $2 and id = $3`,
    values: [ctx.coachId, clientId, id],
  })
  if (!found) throw interaction.notFound()
  return found
}

/** The notes of each appointment of a client, also of one in the trash. */
export async function listAppointmentNotes(
  ctx: Ctx,
  clientId: number,
): Promise<{ appointmentId: number; notes: string }[]> {
  authorize(ctx, 'crm:interaction:read')
  return ctx.query({
    name: 'crm.appointment-notes',
    text: `select appointment_id as "appointmentId", string_agg(content, E'\\n' order by id) as notes
      from client_interaction
      where coach_id = $1 and client_id = $2 and deleted_at is null and appointment_id is not null and content is not null
      group by appointment_id`,
    values: [ctx.coachId, clientId],
  })
}

/** The notes of one appointment of a client, with its approved summary; null without any. */
export async function findAppointmentNotes(
  ctx: Ctx,
  { clientId, appointmentId }: { clientId: number; appointmentId: number },
): Promise<string | null> {
  authorize(ctx, 'crm:interaction:read')
  const [found] = await ctx.query<{ notes: string | null }>({
    name: 'crm.notes-of-appointment',
    text: `select string_agg(content, E'\\n' order by id) as notes from client_interaction
      where coach_id = $1 and client_id = $2 and appointment_id = $3 and deleted_at is null`,
    values: [ctx.coachId, clientId, appointmentId],
  })
  return found?.notes ?? null
}

export type SourcedInteraction = {
  id: number
  name: string
  clientId: number
  clientName: string
  source: string
  summary: string | null
  appointmentId: number | null
  interactionDate: Date
}

/** The latest interactions whose source contains `part`, such as 'revai'. `q`: only those whose texts contain it. */
export async function listInteractionsOfSource(
  ctx: Ctx,
  { part, q, rows }: { part: string; q: string; rows: number },
): Promise<SourcedInteraction[]> {
  authorize(ctx, 'crm:interaction:read')
  const [suffix, filter, values] = q
    ? [
        '-matching',
        `and (${matchesContent('client_interaction', '$4', 'i.id')} or c.id in (${clientIdsByName('$4')}))`,
        [q],
      ]
    : ['', '', []]
  return ctx.query<SourcedInteraction>({
    name: `crm.interactions-of-source${suffix}`,
    text: `select i.id, i.name, i.client_id as "clientId", c.name as "clientName", i.source, i.summary,
        i.appointment_id as "appointmentId", i.interaction_date as "interactionDate"
      from client_interaction i join client c on c.coach_id = $1 and c.id = i.client_id
      where i.coach_id = $1 and i.deleted_at is null and c.deleted_at is null and strpos(i.source, $2) > 0 ${filter}
      order by i.interaction_date desc, i.id desc limit $3`,
    values: [ctx.coachId, part, rows, ...values],
  })
}

/** Rows of the card on the client's page. */
export const recentLimit = 3

export type RecentInteraction = {
  id: number
  name: string
  content: string | null
  source: string
  interactionDate: Date
}

/** The latest interactions without system notifications (part-1 §2), one more than is shown. */
export async function listRecentInteractions(ctx: Ctx, clientId: number): Promise<RecentInteraction[]> {
  authorize(ctx, 'crm:interaction:read')
  return ctx.query<RecentInteraction>({
    name: 'crm.recent-interactions',
    text: `select i.id, i.name, left(i.content, ${maxExcerptSource}) as content, i.source,
        i.interaction_date as "interactionDate"
      from client_interaction i where i.coach_id = $1 and i.client_id = $2 and i.deleted_at is null and i.source <> 'system_notification'
      order by i.interaction_date desc, i.id desc limit ${recentLimit + 1}`,
    values: [ctx.coachId, clientId],
  })
}

export const interactionsPerPage = 20

/** One page of a client's interactions (from 1), newest first, and the total count. */
export async function getInteractionsPage(
  ctx: Ctx,
  { clientId, page }: { clientId: number; page: number },
): Promise<{ rows: InteractionRecord[]; count: number }> {
  authorize(ctx, 'crm:interaction:read')
  const [rows, [total]] = (await ctx.queryAll([
    {
      name: 'crm.interactions-page',
      text: `select ${select} from ${visible} where client_id = $2
        order by interaction_date desc, id desc limit ${interactionsPerPage} offset $3`,
      values: [ctx.coachId, clientId, (page - 1) * interactionsPerPage],
    },
    {
      name: 'crm.interactions-count',
      text: `select count(*) from ${visible} where client_id = $2`,
      values: [ctx.coachId, clientId],
    },
  ])) as [InteractionRecord[], [{ count: number }]]
  return { rows, count: total.count }
}
