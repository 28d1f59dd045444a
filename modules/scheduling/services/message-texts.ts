import { AppError } from '#app/lib/errors.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { standardTexts, textKinds, type MessageText, type TextKind } from '../messages/texts.ts'

export type SavedText = MessageText & { kind: TextKind; isStandard: boolean; version: number }

/** All texts: the coach's own, otherwise the standard one. A version of 1 means that it was never changed. */
export async function listMessageTexts(ctx: Ctx): Promise<SavedText[]> {
  authorize(ctx, 'scheduling:message:read')
  const saved = await ctx.query<{ kind: TextKind; subject: string | null; body: string | null; version: number }>({
    name: 'scheduling.message-texts',
    text: 'select kind, subject, body, version from message_text where coach_id = $1',
    values: [ctx.coachId],
  })
  return (Object.keys(textKinds) as TextKind[]).map((kind) => {
    const own = saved.find((text) => text.kind === kind)
    const { subject, body } = standardTexts[kind]
    return {
      kind,
      subject: own?.subject ?? subject,
      body: own?.body ?? body,
      isStandard: own?.subject == null,
      version: own?.version ?? 1,
    }
  })
}

export async function getMessageText(ctx: Ctx, kind: TextKind): Promise<SavedText> {
  return (await listMessageTexts(ctx)).find((text) => text.kind === kind)!
}

/** Replaces a text, with null by the standard one. Throws conflict if it was changed after `expectedVersion`. */
export async function saveMessageText(
  ctx: WriteCtx,
  kind: TextKind,
  text: MessageText | null,
  expectedVersion?: number,
): Promise<SavedText> {
  authorize(ctx, 'scheduling:message:write')
  const version = expectedVersion ?? (await getMessageText(ctx, kind)).version
  const [saved] = await ctx.query({
    name: 'scheduling.save-message-text',
    text: `insert into message_text as m (coach_id, kind, subject, body, version, created_at, updated_at)
      values ($1, $2, $3, $4, 2, $5, $5)
      on conflict (coach_id, kind) do update set subject = excluded.subject, body = excluded.body,
        version = m.version + 1, updated_at = excluded.updated_at
      where m.version = $6
      returning version`,
    values: [ctx.coachId, kind, text?.subject ?? null, text?.body ?? null, ctx.now(), version],
  })
  if (!saved) throw new AppError('conflict', 'This message was changed in another tab.', { subject: 'message' })
  return getMessageText(ctx, kind)
}
