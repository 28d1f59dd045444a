import { AppError } from '#app/lib/errors.ts'
import { publish } from '#modules/core/events.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { assertNotReadOnly, lockCurrentClient } from '#modules/crm/index.ts'
import { countAttempt } from '#tenants/auth/rate-limit.ts'
import { authorize, authorizeKey, requireClient, type WriteCtx } from '#tenants/context.ts'
import { assertStorage } from '#tenants/storage.ts'
import { messageReceived, messageSent } from '../events.ts'
import type { Sender } from '../fields.ts'
import type { NewMessage } from '../forms.ts'
import { listAttachments } from '../queries/attachments.ts'
import { messageSelect, type MessageRecord, type MessageRow } from '../records.ts'
import { notifyQueue, notifyAfterSeconds, type NotifyJob } from './notifications.ts'

const excerptLength = 140
/** Messages of one side of a thread. */
const maxPerMinute = 30
const maxPerDay = 500

/**
 * The coach writes to a client, and shares the attached files with them. Throws not_found, also for a file that this
 * client can't be given, forbidden for files from an API key that may not read them, plan_limit for a client who is
 * read-only, and rate_limited for more than 30 messages a minute or 500 a day.
 */
export async function sendMessage(
  ctx: WriteCtx,
  clientId: number,
  { content, attachmentIds = [] }: NewMessage,
): Promise<MessageRecord> {
  authorize(ctx, 'messages:message:write')
  // The response has their names.
  const permission = ctx.extensions.fileSharing?.permission
  if (attachmentIds.length && permission) authorizeKey(ctx, permission, keyMessage)
  await assertStorage(ctx)
  await lockCurrentClient(ctx, clientId)
  await assertNotReadOnly(ctx, clientId)
  const fileIds = [...new Set(attachmentIds)]
  if (fileIds.length) await shareFiles(ctx, clientId, fileIds)
  const message = await addMessage(ctx, { clientId, sender: 'coach', content })
  if (!fileIds.length) return message
  await insertAttachments(ctx, message.id, fileIds)
  const attachments = await listAttachments(ctx, { clientId, messageIds: [message.id] })
  return {
    ...message,
    attachments: attachments.get(message.id)!.map(({ fileId, name, isAvailable }) => ({ fileId, name, isAvailable })),
  }
}

const keyMessage = 'To attach files, this API key needs the scope resources:read.'

async function shareFiles(ctx: WriteCtx, clientId: number, ids: number[]): Promise<void> {
  const sharing = ctx.extensions.fileSharing
  if (!sharing) throw new AppError('not_found', 'Resource not found', { subject: 'resource' })
  await sharing.share(ctx, { clientId, ids })
}

/** Adds files to a message that was just inserted, and that the client can open. */
export async function insertAttachments(ctx: WriteCtx, messageId: number, resourceIds: number[]): Promise<void> {
  for (const [index, resourceId] of resourceIds.entries())
    await insertRow(ctx, {
      table: 'message_attachment',
      name: 'messages.insert-attachment',
      row: { messageId, position: index + 1, resourceId },
    })
}

/** Pages of the portal have no scripts that keep a button from being pressed twice. */
const doubleClickMs = 10_000

/**
 * The client in the portal writes to the coach; the same text within ten seconds counts once. Throws rate_limited as
 * `sendMessage` does.
 */
export async function sendOwnMessage(ctx: WriteCtx, { content }: { content: string }): Promise<MessageRecord> {
  const client = requireClient(ctx, 'client:message:write')
  // One after the other. Not the row of the client, which clients may not lock.
  await ctx.query({
    name: 'messages.lock-own',
    text: `select pg_advisory_xact_lock(hashtext('message ' || $1::text), $2::int)`,
    values: [ctx.coachId, client.id % 2_147_483_647],
  })
  const [sent] = await ctx.query<MessageRow>({
    name: 'messages.find-same',
    text: `select ${messageSelect} from message m
      where coach_id = $1 and client_id = $2 and sender = 'client' and content = $3 and created_at > $4 limit 1`,
    values: [ctx.coachId, client.id, content, new Date(ctx.now().getTime() - doubleClickMs)],
  })
  return sent ? { ...sent, attachments: [] } : addMessage(ctx, { clientId: client.id, sender: 'client', content })
}

type AddedMessage = { clientId: number; sender: Sender; content: string }

async function addMessage(ctx: WriteCtx, { clientId, sender, content }: AddedMessage): Promise<MessageRecord> {
  const key = `${ctx.coachId}:${clientId}:${sender}`
  const rules = [
    { key: `message:${key}`, attempts: maxPerMinute, minutes: 1 },
    { key: `message-day:${key}`, attempts: maxPerDay, minutes: 24 * 60 },
  ]
  await countAttempt(ctx.platform, { rules, address: ctx.address, account: ctx.coachId })
  const [message] = await ctx.query<MessageRow>({
    name: 'messages.insert',
    text: `insert into message as m (coach_id, client_id, sender, content, created_at) values ($1, $2, $3, $4, $5)
      returning ${messageSelect}`,
    values: [ctx.coachId, clientId, sender, content, ctx.now()],
  })
  const { id } = message!
  const isOfClient = sender === 'client'
  // One after the other by the row's lock, so the latest message is the one with the highest id.
  await ctx.query({
    name: 'messages.update-thread',
    text: `insert into message_thread as t (coach_id, client_id, last_message_id, last_sender, excerpt, last_message_at,
        unread_by_coach, unread_by_client)
      values ($1, $2, $3, $4, $5, $6, $7, $8)
      on conflict (coach_id, client_id) do update set
        last_message_id = greatest(t.last_message_id, excluded.last_message_id),
        last_sender = case when excluded.last_message_id > t.last_message_id then excluded.last_sender else t.last_sender end,
        excerpt = case when excluded.last_message_id > t.last_message_id then excluded.excerpt else t.excerpt end,
        last_message_at = greatest(t.last_message_at, excluded.last_message_at),
        unread_by_coach = t.unread_by_coach + excluded.unread_by_coach,
        unread_by_client = t.unread_by_client + excluded.unread_by_client`,
    values: [ctx.coachId, clientId, id, sender, toExcerpt(content), ctx.now(), isOfClient ? 1 : 0, isOfClient ? 0 : 1],
  })
  await publish(ctx, isOfClient ? messageReceived : messageSent, { messageId: id, clientId })
  const job: NotifyJob = { coachId: ctx.coachId, clientId, sender }
  await ctx.enqueue(notifyQueue, job, { startAfter: notifyAfterSeconds })
  return { ...message!, attachments: [] }
}

/** The beginning of a message, as the list of threads shows it. */
export function toExcerpt(content: string): string {
  const characters = [...content.replaceAll(/\s+/g, ' ').trim()]
  return characters.length > excerptLength ? `${characters.slice(0, excerptLength).join('')}…` : characters.join('')
}

/** The coach has read the messages of a client up to `id`. Idempotent. */
export async function markRead(ctx: WriteCtx, { clientId, id }: { clientId: number; id: number }): Promise<void> {
  authorize(ctx, 'messages:message:read')
  await setRead(ctx, { clientId, id, sender: 'client' })
}

/** The client in the portal has read the coach's messages up to `id`. Idempotent. */
export async function markOwnRead(ctx: WriteCtx, id: number): Promise<void> {
  const client = requireClient(ctx, 'client:message:write')
  await setRead(ctx, { clientId: client.id, id, sender: 'coach' })
}

async function setRead(
  ctx: WriteCtx,
  { clientId, id, sender }: { clientId: number; id: number; sender: Sender },
): Promise<void> {
  // The thread first, as a new message does after its insert: both wait for each other's row in one order.
  const unread = sender === 'client' ? 'unread_by_coach' : 'unread_by_client'
  await ctx.query({
    name: 'messages.lock-thread',
    text: 'select 1 from message_thread where coach_id = $1 and client_id = $2 for update',
    values: [ctx.coachId, clientId],
  })
  await ctx.query({
    name: 'messages.set-read',
    text: `update message set read_at = $5
      where coach_id = $1 and client_id = $2 and sender = $3 and id <= $4 and read_at is null`,
    values: [ctx.coachId, clientId, sender, id, ctx.now()],
  })
  await ctx.query({
    name: `messages.count-${unread}`,
    text: `update message_thread set ${unread} = (select count(*) from message m
        where m.coach_id = $1 and m.client_id = $2 and m.sender = $3 and m.read_at is null)
      where coach_id = $1 and client_id = $2`,
    values: [ctx.coachId, clientId, sender],
  })
}
