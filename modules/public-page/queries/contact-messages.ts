import { isoTimestamp } from '#db/read-pool.ts'
import { listNewest, type Page } from '#tenants/api/list-newest.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { contactMessage, type ContactMessageRecord } from '../records.ts'

type Chosen = { id?: number | null; prospectId?: number | null; before?: number | null }

/** Newest first; those of one prospect, or older than the message `before`. */
export async function listContactMessages(
  ctx: Ctx,
  { id = null, prospectId = null, before = null, ...page }: Page & Chosen = {},
): Promise<ContactMessageRecord[]> {
  authorize(ctx, 'public-page:contact-message:read')
  return listNewest(ctx, {
    name: 'public-page.contact-messages',
    select: contactMessage.select,
    from: 'contact_message',
    where: {
      notDeleted: 'deleted_at is null',
      one: id !== null && ['id = ?', id],
      prospect: prospectId !== null && ['prospect_id = ?', prospectId],
      before: before !== null && ['id < ?', before],
    },
    ...page,
  })
}

/** Throws not_found, also for one in the trash. */
export async function getContactMessage(ctx: Ctx, id: number): Promise<ContactMessageRecord> {
  authorize(ctx, 'public-page:contact-message:read')
  const [row] = await ctx.query<ContactMessageRecord>({
    name: 'public-page.contact-message',
    text: `select ${contactMessage.select} from contact_message
      where coach_id = $1 and id = $2 and deleted_at is null`,
    values: [ctx.coachId, id],
  })
  if (!row) throw contactMessage.notFound()
  return row
}

/** The messages of a client, newest first. */
export async function listMessagesOfClient(
  ctx: Ctx,
  clientId: number,
  rows: number,
): Promise<{ id: number; name: string; message: string; at: string }[]> {
  authorize(ctx, 'public-page:contact-message:read')
  return ctx.query({
    name: 'public-page.messages-of-client',
    text: `select id, name, message, ${isoTimestamp('created_at')} as at from contact_message
      where coach_id = $1 and client_id = $2 and deleted_at is null order by created_at desc, id desc limit $3`,
    values: [ctx.coachId, clientId, rows],
  })
}
