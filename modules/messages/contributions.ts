import { escapeMarkup } from '#app/lib/markup.ts'
import { formatDay } from '#app/lib/time.ts'
import type { Contribution, PortalLink, TodayPart } from '#modules/core/manifest.ts'
import { readPreparation } from '#modules/core/slots.ts'
import type { ClientLink, TimelineEntry } from '#modules/crm/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { findNewMessages, findOwnThread, listMessagesByTime, listUnreadThreads } from './queries/messages.ts'

const permission = 'messages:message:read'
const ofClient = 'client:message:write'
const todayRows = 10

const clientLinks: ClientLink[] = [
  { label: 'Messages', icon: 'messages', to: '/messages/{id}', placement: 'menu-and-details' },
]

export const contributions: Contribution[] = [
  { slot: 'today', order: 40, permission, load: loadUnreadThreads },
  { slot: 'session.preparation', order: 30, permission, load: loadPreparation },
  { slot: 'client.menu', order: 30, permission, load: async () => clientLinks },
  {
    slot: 'client.timeline',
    order: 60,
    permission,
    load: (ctx, { id, rows = '50' }) => listTimeline(ctx, Number(id), Number(rows)),
  },
  { slot: 'portal.home', widget: 'portal-messages', order: 5, permission: ofClient, load: loadUnread },
  { slot: 'portal.page', order: 20, permission: ofClient, load: loadPage },
]

async function loadUnreadThreads(ctx: Ctx): Promise<TodayPart | null> {
  const { threads, count } = await listUnreadThreads(ctx, todayRows)
  if (!threads.length) return null
  const items = threads.map(({ clientId, clientName, excerpt, unread }) => ({
    key: String(clientId),
    title: unread === 1 ? clientName : `${clientName} (${unread})`,
    detail: excerpt,
    to: `/messages/${clientId}`,
  }))
  return {
    title: 'Unread messages',
    items,
    more: count > threads.length ? { label: `All ${count} conversations`, to: '/messages' } : null,
  }
}

/** The messages since the last session, and those that are unread. */
async function loadPreparation(ctx: Ctx, params: Record<string, string | undefined>): Promise<TodayPart | null> {
  const { clientId, since, period } = readPreparation(params)
  const found = await findNewMessages(ctx, { clientId, since })
  if (!found) return null
  const { count, unread, excerpt, latestAt } = found
  const messages = count === 1 ? '1 message' : `${count} messages`
  const read = unread ? `${messages}, ${unread} unread` : messages
  const day = formatDay(latestAt, ctx.now(), ctx.account.timezone)
  const item = { key: String(clientId), title: excerpt, detail: `${read}, ${day}`, to: `/messages/${clientId}` }
  return { title: `Messages ${period}`, items: [item], more: null }
}

async function loadUnread(ctx: Ctx) {
  const thread = await findOwnThread(ctx)
  return thread?.unread ? { unread: thread.unread, excerpt: thread.excerpt } : null
}
export type PortalMessages = NonNullable<Awaited<ReturnType<typeof loadUnread>>>

async function loadPage(ctx: Ctx): Promise<PortalLink> {
  const thread = await findOwnThread(ctx)
  return { label: 'Messages', to: '/portal/messages', count: thread?.unread ?? 0 }
}

async function listTimeline(ctx: Ctx, clientId: number, rows: number): Promise<TimelineEntry[]> {
  const messages = await listMessagesByTime(ctx, clientId, rows)
  return messages.map(({ id, sender, content, createdAt }) => ({
    key: `message ${id}`,
    at: createdAt,
    kind: 'message',
    title: sender === 'coach' ? 'You wrote' : 'Message received',
    text: escapeMarkup(content),
    to: `/messages/${clientId}`,
  }))
}
