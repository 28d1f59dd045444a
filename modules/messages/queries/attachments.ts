import type { SharedFile, SharedFileChoice } from '#modules/core/file-sharing.ts'
import { authorize, requireClient, type Ctx } from '#tenants/context.ts'

/** `name` and `details` are null once the file is deleted, and for a client who can't open it any more. */
export type Attachment = {
  fileId: number
  name: string | null
  details: string | null
  isAvailable: boolean
  to: string | null
}

/** The files of messages with a client, by the message, as the coach or the client in the portal sees them. */
export async function listAttachments(
  ctx: Ctx,
  { clientId, messageIds }: { clientId: number; messageIds: number[] },
): Promise<Map<number, Attachment[]>> {
  if (ctx.client) requireClient(ctx, 'client:message:write')
  else authorize(ctx, 'messages:message:read')
  if (!messageIds.length) return new Map()
  const rows = await ctx.query<{ messageId: number; fileId: number }>({
    name: 'messages.attachments',
    text: `select message_id as "messageId", resource_id as "fileId" from message_attachment
      where coach_id = $1 and message_id = any($2::bigint[]) order by message_id, position`,
    values: [ctx.coachId, messageIds],
  })
  if (!rows.length) return new Map()
  const byId = await findFiles(
    ctx,
    clientId,
    rows.map(({ fileId }) => fileId),
  )
  const attachments = new Map<number, Attachment[]>()
  for (const { messageId, fileId } of rows) {
    const { name = null, details = null, isOpen = false, to = null } = byId.get(fileId) ?? {}
    const ofMessage = attachments.get(messageId) ?? []
    attachments.set(messageId, [...ofMessage, { fileId, name, details, isAvailable: isOpen, to }])
  }
  return attachments
}

/** The files with these ids as the coach or the client sees them, by their ids. */
export async function findFiles(ctx: Ctx, clientId: number, ids: number[]): Promise<Map<number, SharedFile>> {
  const files = ids.length ? await ctx.extensions.fileSharing?.find(ctx, { clientId, ids: [...new Set(ids)] }) : []
  return new Map((files ?? []).map((file) => [file.id, file]))
}

const shownChoices = 30

/** `found`: how many of them match `q`. `isCut`: more match. */
export type FileChoices = { q: string; choices: SharedFileChoice[]; found: number; isCut: boolean }

/**
 * The files that can be sent to a client: the newest, or those that match `q`, and always those that are `chosen`. Null
 * for a coach without the module that keeps files.
 */
export async function listFileChoices(
  ctx: Ctx,
  { clientId, q, chosen }: { clientId: number; q: string; chosen: number[] },
): Promise<FileChoices | null> {
  authorize(ctx, 'messages:message:write')
  const sharing = ctx.extensions.fileSharing
  if (!sharing) return null
  const [kept, found] = await Promise.all([
    chosen.length ? sharing.listChoices(ctx, { clientId, ids: chosen, rows: chosen.length }) : [],
    sharing.listChoices(ctx, { clientId, q, rows: shownChoices + 1 }),
  ])
  const shown = found.slice(0, shownChoices)
  const others = shown.filter(({ id }) => !kept.some((choice) => choice.id === id))
  return { q, choices: [...kept, ...others], found: shown.length, isCut: found.length > shownChoices }
}
