import { AppError } from '#app/lib/errors.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { standardTexts, textKinds, type MessageText, type TextKind } from '../messages/texts.ts'

export type SavedText = MessageText & { kind: TextKind; isStandard: boolean; version: number }

/** All texts: the coach's own, otherwise the standard one. A version of 1 means that it was never changed. */
export async function listMessageTexts(ctx: Ctx): Promise<SavedText[]> {
  authorize(ctx, 'scheduling:message:read')
  const saved = await ctx.query<SavedText>({
    name: 'scheduling.message-texts',
    text: 'select kind, subject, body, is_standard as "isStandard", version from message_text where coach_id = $1',
    values: [ctx.coachId],
  })
  return (Object.keys(textKinds) as TextKind[]).map((kind) => {
    const own = saved.find((text) => text.kind === kind) ?? { kind, isStandard: true, version: 1 }
    return { ...own, ...(own.isStandard ? standardTexts[kind] : {}) } as SavedText
  })
}

export async function getMessageText(ctx: Ctx, kind: TextKind): Promise<SavedText> {
  return (await listMessageTexts(ctx)).find((text) => text.kind === kind)!
}

/** Replaces a text. Throws conflict if it was changed after `expectedVersion`. */
export async function saveMessageText(
  ctx: WriteCtx,
  kind: TextKind,
  { subject, body }: MessageText,
  expectedVersion?: number,
): Promise<SavedText> {
  authorize(ctx, 'scheduling:message:write')
  const version = expectedVersion ?? (await getMessageText(ctx, kind)).version
  const [saved] = await ctx.query({
    name: 'scheduling.save-message-text',
    text: `insert into message_text as m (coach_id, kind, subject, body, version, created_at, updated_at)
      values ($1, $2, $3, $4, 2, $5, $5)
      on conflict (coach_id, kind) do update set subject = excluded.subject, body = excluded.body, is_standard = false,
        version = m.version + 1, updated_at = excluded.updated_at
      where m.version = $6
      returning version`,
    values: [ctx.coachId, kind, subject, body, ctx.now(), version],
  })
  if (!saved) throw new AppError('conflict', 'This message was changed in another tab.', { subject: 'message' })
  return getMessageText(ctx, kind)
}

/** Uses the standard text, or with `restore` the coach's own again. */
export async function resetMessageText(ctx: WriteCtx, kind: TextKind, { restore = false } = {}): Promise<SavedText> {
  authorize(ctx, 'scheduling:message:write')
  await ctx.query({
    name: 'scheduling.reset-message-text',
    text: `update message_text set is_standard = $3, version = version + 1, updated_at = $4
      where coach_id = $1 and kind = $2 and is_standard <> $3`,
    values: [ctx.coachId, kind, !restore, ctx.now()],
  })
  return getMessageText(ctx, kind)
}
