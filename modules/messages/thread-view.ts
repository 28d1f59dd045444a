import { formatDateTime } from '#app/lib/time.ts'
import type { Ctx } from '#tenants/context.ts'
import type { Sender } from './fields.ts'
import { listAttachments } from './queries/attachments.ts'
import { listThread } from './queries/messages.ts'

const shownMessages = 50

/** The messages of a thread as its page shows them: the last ones, or those before `before`. */
export async function loadThread(
  ctx: Ctx,
  { clientId, before, reader }: { clientId: number; before: number | null; reader: Sender },
) {
  const found = await listThread(ctx, clientId, { rows: shownMessages + 1, before })
  const messages = found.slice(-shownMessages)
  const messageIds = messages.map(({ id }) => id)
  const attachments = await listAttachments(ctx, { clientId, messageIds })
  const { timeFormat } = ctx.account
  const timezone = ctx.client?.timezone ?? ctx.account.timezone
  return {
    messages: messages.map(({ id, sender, content, createdAt }) => ({
      id,
      isOwn: sender === reader,
      content,
      attachments: attachments.get(id) ?? [],
      at: formatDateTime(createdAt, { timezone, timeFormat }),
    })),
    /** The message before which there are more. */
    earlier: found.length > shownMessages ? messages[0]!.id : null,
    lastId: messages.at(-1)?.id ?? null,
  }
}
export type ThreadView = Awaited<ReturnType<typeof loadThread>>
