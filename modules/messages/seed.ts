import type { DemoPractice } from '#modules/core/manifest.ts'
import { listClientOptions } from '#modules/crm/index.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { insertAttachments } from './services/messages.ts'

/** `hours`: before now. `files`: how many of the newest it comes with. */
type DemoMessage = { client: number; sender: 'coach' | 'client'; hours: number; content: string; files?: number }

const demoMessages: Record<DemoPractice['which'], DemoMessage[]> = {
  first: [
    { client: 0, sender: 'coach', hours: 52, content: 'How did the talk with your manager go?' },
    {
      client: 0,
      sender: 'client',
      hours: 47,
      content: 'Better than I thought. She asked for a plan, and I have one.\n\nMay we look at it on Thursday?',
    },
    { client: 0, sender: 'coach', hours: 46, content: 'Gladly. Send it by Wednesday, then I can read it before.' },
    {
      client: 0,
      sender: 'coach',
      hours: 45,
      content: 'Until then, these two may help: what to expect of the first weeks, and the diary that I mentioned.',
      files: 2,
    },
    { client: 1, sender: 'client', hours: 3, content: 'I will be five minutes late tomorrow, the train comes at ten.' },
  ],
  second: [
    { client: 0, sender: 'coach', hours: 30, content: 'For your first run. Slowly, please.', files: 2 },
    { client: 0, sender: 'client', hours: 20, content: 'The first run is done. Twenty-two minutes!' },
  ],
}

/** Fills the demo practice, once. Without emails: the messages are older than the practice. */
export async function seed(ctx: Ctx, { which, now }: DemoPractice): Promise<void> {
  const [existing] = await ctx.query({
    name: 'messages.any',
    text: 'select 1 from message where coach_id = $1 limit 1',
    values: [ctx.coachId],
  })
  if (existing) return
  const clients = await listClientOptions(ctx, { rows: 2 })
  if (!clients.length) return
  await ctx.write(async (tx) => {
    for (const { client, sender, hours, content, files = 0 } of demoMessages[which]) {
      const clientId = (clients[client] ?? clients[0]!).id
      const at = new Date(now.getTime() - hours * 3_600_000)
      const isUnread = sender === 'client' && hours < 24
      const [message] = await tx.query<{ id: number }>({
        name: 'messages.seed',
        text: `insert into message (coach_id, client_id, sender, content, read_at, notified_at, created_at)
          values ($1, $2, $3, $4, $5, $6, $6) returning id`,
        values: [tx.coachId, clientId, sender, content, isUnread ? null : at, at],
      })
      await tx.query({
        name: 'messages.seed-thread',
        text: `insert into message_thread as t
            (coach_id, client_id, last_message_id, last_sender, excerpt, last_message_at, unread_by_coach)
          values ($1, $2, $3, $4, $5, $6, $7)
          on conflict (coach_id, client_id) do update set last_message_id = excluded.last_message_id,
            last_sender = excluded.last_sender, excerpt = excluded.excerpt, last_message_at = excluded.last_message_at,
            unread_by_coach = t.unread_by_coach + excluded.unread_by_coach`,
        values: [tx.coachId, clientId, message!.id, sender, content.slice(0, 140), at, isUnread ? 1 : 0],
      })
      await attachNewest(tx, { clientId, messageId: message!.id, files })
    }
  })
}

async function attachNewest(
  tx: WriteCtx,
  { clientId, messageId, files }: { clientId: number; messageId: number; files: number },
): Promise<void> {
  const sharing = tx.extensions.fileSharing
  if (!sharing || !files) return
  const ids = (await sharing.listChoices(tx, { clientId, q: '', rows: files })).map(({ id }) => id)
  await sharing.share(tx, { clientId, ids })
  await insertAttachments(tx, messageId, ids)
}
