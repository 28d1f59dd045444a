import { AppError } from '#app/lib/errors.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { replanQueue } from '../messages/replan.ts'

export type MessageSettings = {
  /** Minutes before the start, longest first. */
  reminderMinutes: number[]
  followUp: boolean
  /** Minutes after the end. */
  followUpMinutes: number
  /** Whether the coach gets an email when a client books, moves or cancels. */
  tellsCoach: boolean
}
export type SavedSettings = MessageSettings & { version: number }

const unsaved: SavedSettings = {
  reminderMinutes: [1440, 60],
  followUp: false,
  followUpMinutes: 120,
  tellsCoach: true,
  version: 1,
}

/** The rules of types that have none of their own. */
export async function getMessageSettings(ctx: Ctx): Promise<SavedSettings> {
  authorize(ctx, 'scheduling:message:read')
  const [found] = await ctx.query<SavedSettings>({
    name: 'scheduling.message-settings',
    text: `select reminder_minutes as "reminderMinutes", follow_up as "followUp", follow_up_minutes as "followUpMinutes",
        tells_coach as "tellsCoach", version
      from message_settings where coach_id = $1`,
    values: [ctx.coachId],
  })
  return found ?? unsaved
}

/** The form's name of the settings, for the notice of a conflict. */
export const settingsNoun = 'plan'

/**
 * Changes the given settings, also for sessions that are planned. Throws conflict if they changed after
 * `expectedVersion`.
 */
export async function updateMessageSettings(
  ctx: WriteCtx,
  input: { [N in keyof MessageSettings]?: MessageSettings[N] | undefined },
  expectedVersion?: number,
): Promise<SavedSettings> {
  authorize(ctx, 'scheduling:message:write')
  const current = await getMessageSettings(ctx)
  const {
    reminderMinutes = current.reminderMinutes,
    followUp = current.followUp,
    followUpMinutes = current.followUpMinutes,
    tellsCoach = current.tellsCoach,
  } = input
  const [saved] = await ctx.query({
    name: 'scheduling.save-message-settings',
    text: `insert into message_settings as ms
        (coach_id, reminder_minutes, follow_up, follow_up_minutes, tells_coach, version, created_at, updated_at)
      values ($1, $2, $3, $4, $5, ${unsaved.version + 1}, $6, $6)
      on conflict (coach_id) do update set reminder_minutes = excluded.reminder_minutes,
        follow_up = excluded.follow_up, follow_up_minutes = excluded.follow_up_minutes,
        tells_coach = excluded.tells_coach, version = ms.version + 1, updated_at = excluded.updated_at
      where ms.version = $7
      returning version`,
    values: [
      ctx.coachId,
      reminderMinutes,
      followUp,
      followUpMinutes,
      tellsCoach,
      ctx.now(),
      expectedVersion ?? current.version,
    ],
  })
  if (!saved)
    throw new AppError('conflict', `This ${settingsNoun} was changed in another tab.`, { subject: settingsNoun })
  await ctx.enqueue(replanQueue, { coachId: ctx.coachId })
  return getMessageSettings(ctx)
}
