import { isoTimestamp } from '#db/read-pool.ts'
import { matchesSearch } from '#db/search-sql.ts'
import { getClient, listClientIdsMatching } from '#modules/crm/index.ts'
import { listNewest, type Page } from '#tenants/api/list-newest.ts'
import { authorize, requireClient, type Ctx } from '#tenants/context.ts'
import type { Sender } from '../fields.ts'
import { threadPageSize } from '../list-state.ts'
import { messageSelect, type MessageRecord, type MessageRow } from '../records.ts'
import { findFiles } from './attachments.ts'

/** The messages with a client, newest first. Throws not_found for an unknown client. */
export async function listMessages(
  ctx: Ctx,
  { clientId, ...page }: Page & { clientId: number },
): Promise<MessageRecord[]> {
  authorize(ctx, 'messages:message:read')
  authorize(ctx, 'crm:client:read')
  const messages = await listNewest<ListedMessage>(ctx, {
    name: 'messages.list',
    select: `${messageSelect}, array(select a.resource_id from message_attachment a
      where a.coach_id = $1 and a.message_id = m.id order by a.position) as "fileIds"`,
    from: 'message m join client c on c.coach_id = $1 and c.id = m.client_id',
    where: { client: ['m.client_id = ?', clientId], current: 'c.deleted_at is null' },
    time: 'm.created_at',
    id: 'm.id',
    ...page,
  })
  if (!messages.length) await getClient(ctx, clientId)
  const rows = messages.map(({ fileIds, ...message }) => ({ message, fileIds: fileIds.map(Number) }))
  const files = await findFiles(
    ctx,
    clientId,
    rows.flatMap(({ fileIds }) => fileIds),
  )
  return rows.map(({ message, fileIds }) => ({
    ...message,
    attachments: fileIds.map((fileId) => {
      const { name = null, isOpen = false } = files.get(fileId) ?? {}
      return { fileId, name, isAvailable: isOpen }
    }),
  }))
}

/** `pg` reads the numbers of an array of `bigint` as text. */
type ListedMessage = MessageRow & { fileIds: string[] }

export type ThreadMessage = { id: number; sender: Sender; content: string; createdAt: string }

/** The messages of a thread, oldest first: the last `rows` of them, or those before the message `before`. */
export async function listThread(
  ctx: Ctx,
  clientId: number,
  { rows, before }: { rows: number; before: number | null },
): Promise<ThreadMessage[]> {
  if (ctx.client) requireClient(ctx, 'client:message:write')
  else authorize(ctx, 'messages:message:read')
  const messages = await ctx.query<ThreadMessage>({
    name: 'messages.thread',
    text: `select id, sender, content, ${isoTimestamp('created_at')} as "createdAt" from message
      where coach_id = $1 and client_id = $2 and ($3::bigint is null or id < $3) order by id desc limit $4`,
    values: [ctx.coachId, clientId, before, rows],
  })
  return messages.reverse()
}

export type Thread = {
  clientId: number
  clientName: string
  lastSender: Sender
  excerpt: string
  lastMessageAt: string
  unread: number
}

/**
 * The threads with clients, the one with the latest message first, and the number of all that match. `q`: a text of the
 * client's name or of a message.
 */
export async function listThreads(
  ctx: Ctx,
  { q, page }: { q: string; page: number },
): Promise<{ threads: Thread[]; count: number }> {
  authorize(ctx, 'messages:message:read')
  const clientIds = q ? await listClientIdsMatching(ctx, q) : []
  const condition = q
    ? `and (t.client_id = any($4::bigint[]) or t.client_id in (
        select m.client_id from message m where m.coach_id = $1 and ${matchesSearch('$5', 'm')}))`
    : ''
  const rows = await ctx.query<Thread & { count: number }>({
    name: `messages.threads${q ? '-q' : ''}`,
    text: `select t.client_id as "clientId", c.name as "clientName", t.last_sender as "lastSender", t.excerpt,
        ${isoTimestamp('t.last_message_at')} as "lastMessageAt", t.unread_by_coach as unread, count(*) over () as count
      from message_thread t join client c on c.coach_id = $1 and c.id = t.client_id
      where t.coach_id = $1 and c.deleted_at is null ${condition}
      order by t.last_message_at desc, t.id desc limit $2 offset $3`,
    values: [ctx.coachId, threadPageSize, (page - 1) * threadPageSize, ...(q ? [clientIds, q] : [])],
  })
  return { threads: rows.map(({ count: _, ...thread }) => thread), count: rows[0]?.count ?? 0 }
}

/** The threads with messages that the coach hasn't read, latest first, and the number of all. */
export async function listUnreadThreads(ctx: Ctx, rows: number): Promise<{ threads: Thread[]; count: number }> {
  authorize(ctx, 'messages:message:read')
  const found = await ctx.query<Thread & { count: number }>({
    name: 'messages.unread-threads',
    text: `select t.client_id as "clientId", c.name as "clientName", t.last_sender as "lastSender", t.excerpt,
        ${isoTimestamp('t.last_message_at')} as "lastMessageAt", t.unread_by_coach as unread,
        count(*) over ()::int as count
      from message_thread t join client c on c.coach_id = $1 and c.id = t.client_id
      where t.coach_id = $1 and t.unread_by_coach > 0 and c.deleted_at is null
      order by t.last_message_at desc, t.id desc limit $2`,
    values: [ctx.coachId, rows],
  })
  return { threads: found.map(({ count: _, ...thread }) => thread), count: found[0]?.count ?? 0 }
}

export type NewMessages = { count: number; unread: number; excerpt: string; latestAt: string }

/** The messages of a client after `since` (null: ever) and those that the coach hasn't read; null without any. */
export async function findNewMessages(
  ctx: Ctx,
  { clientId, since }: { clientId: number; since: Date | null },
): Promise<NewMessages | null> {
  authorize(ctx, 'messages:message:read')
  const [row] = await ctx.query<NewMessages>({
    name: 'messages.new-of-client',
    text: `select count(*) over ()::int as count, count(*) filter (where read_at is null) over ()::int as unread,
        left(content, 200) as excerpt, ${isoTimestamp('created_at')} as "latestAt"
      from message where coach_id = $1 and client_id = $2 and sender = 'client'
        and (read_at is null or created_at > coalesce($3::timestamptz, '-infinity'))
      order by created_at desc, id desc limit 1`,
    values: [ctx.coachId, clientId, since],
  })
  return row ?? null
}

/** How many messages the coach hasn't read. */
export async function countUnread(ctx: Ctx): Promise<number> {
  const [row] = await ctx.query<{ count: number }>({
    name: 'messages.count-unread',
    text: `select coalesce(sum(t.unread_by_coach), 0)::int as count from message_thread t
      join client c on c.coach_id = $1 and c.id = t.client_id
      where t.coach_id = $1 and t.unread_by_coach > 0 and c.deleted_at is null`,
    values: [ctx.coachId],
  })
  return row!.count
}

export type OwnThread = { lastSender: Sender; excerpt: string; lastMessageAt: string; unread: number }

/** The thread of the client in the portal; null without a message. */
export async function findOwnThread(ctx: Ctx): Promise<OwnThread | null> {
  const client = requireClient(ctx, 'client:message:write')
  const [thread] = await ctx.query<OwnThread>({
    name: 'messages.own-thread',
    text: `select last_sender as "lastSender", excerpt, ${isoTimestamp('last_message_at')} as "lastMessageAt",
        unread_by_client as unread
      from message_thread where coach_id = $1 and client_id = $2`,
    values: [ctx.coachId, client.id],
  })
  return thread ?? null
}

/** The messages with a client for the timeline, newest first. */
export async function listMessagesByTime(ctx: Ctx, clientId: number, rows: number): Promise<ThreadMessage[]> {
  authorize(ctx, 'messages:message:read')
  return ctx.query<ThreadMessage>({
    name: 'messages.timeline',
    text: `select id, sender, content, ${isoTimestamp('created_at')} as "createdAt" from message
      where coach_id = $1 and client_id = $2 order by created_at desc, id desc limit $3`,
    values: [ctx.coachId, clientId, rows],
  })
}
