import type { Merge, RecordsMoved } from '#modules/crm/index.ts'
import type { WriteCtx } from '#tenants/context.ts'
import type { Sender } from '../fields.ts'
import { toExcerpt } from './messages.ts'
import { notifyAfterSeconds, notifyQueue, type NotifyJob } from './notifications.ts'

/** Before the messages move: reading them also locks the thread first. */
export async function lockThreads(ctx: WriteCtx, { keptId, mergedId }: Merge): Promise<void> {
  await ctx.query({
    name: 'messages.lock-threads',
    text: `select id from message_thread where coach_id = $1 and client_id = any($2::bigint[])
      order by client_id for update`,
    values: [ctx.coachId, [keptId, mergedId]],
  })
}

/** Makes the threads of two clients again from their messages. */
export async function rebuildThreads(ctx: WriteCtx, { fromId, toId, moved }: RecordsMoved): Promise<void> {
  if (!moved.message?.length) return
  for (const clientId of [fromId, toId].toSorted((a, b) => a - b)) await rebuildThread(ctx, clientId)
  // The job of the other client finds nothing any more.
  for (const sender of ['coach', 'client'] as const) {
    const job: NotifyJob = { coachId: ctx.coachId, clientId: toId, sender }
    await ctx.enqueue(notifyQueue, job, { startAfter: notifyAfterSeconds })
  }
}

type Latest = { id: number; sender: Sender; content: string; at: Date; byCoach: number; byClient: number }

async function rebuildThread(ctx: WriteCtx, clientId: number): Promise<void> {
  const [latest] = await ctx.query<Latest>({
    name: 'messages.latest',
    text: `select m.id, m.sender, m.content, m.created_at as at,
        (select count(*)::int from message u where u.coach_id = $1 and u.client_id = $2 and u.sender = 'client'
          and u.read_at is null) as "byCoach",
        (select count(*)::int from message u where u.coach_id = $1 and u.client_id = $2 and u.sender = 'coach'
          and u.read_at is null) as "byClient"
      from message m where m.coach_id = $1 and m.client_id = $2 order by m.id desc limit 1`,
    values: [ctx.coachId, clientId],
  })
  if (!latest) {
    await ctx.query({
      name: 'messages.delete-thread',
      text: 'delete from message_thread where coach_id = $1 and client_id = $2',
      values: [ctx.coachId, clientId],
    })
    return
  }
  await ctx.query({
    name: 'messages.rebuild-thread',
    text: `insert into message_thread (coach_id, client_id, last_message_id, last_sender, excerpt, last_message_at,
        unread_by_coach, unread_by_client)
      values ($1, $2, $3, $4, $5, $6, $7, $8)
      on conflict (coach_id, client_id) do update set last_message_id = excluded.last_message_id,
        last_sender = excluded.last_sender, excerpt = excluded.excerpt, last_message_at = excluded.last_message_at,
        unread_by_coach = excluded.unread_by_coach, unread_by_client = excluded.unread_by_client`,
    values: [
      ctx.coachId,
      clientId,
      latest.id,
      latest.sender,
      toExcerpt(latest.content),
      latest.at,
      latest.byCoach,
      latest.byClient,
    ],
  })
}
