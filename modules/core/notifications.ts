import { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import type { Config } from '#tenants/config.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { sendEmail, type Email } from '#tenants/mail.ts'

/** A kind of email to the coach that can be switched off, such as `messages.new`. It begins with the module's id. */
export type CoachNotification = {
  kind: string
  /** When it is sent: 'A client writes to you'. */
  label: string
  /** A sentence with more about it. */
  description?: string
  /** Whether it is sent until the coach chooses. By default it is. */
  isOn?: boolean
}
/** `group`: the title of the module. */
export type RegisteredNotification = CoachNotification & { group: string }
export type NotificationChoice = Required<Pick<CoachNotification, 'kind' | 'label'>> & {
  group: string
  description: string | null
  isOn: boolean
}

type Reader = Pick<Ctx, 'query' | 'coachId' | 'platform'>

/** The notifications of the modules that the coach has, with the coach’s choices. */
export async function listNotifications(ctx: Ctx): Promise<NotificationChoice[]> {
  authorize(ctx, 'account:profile:read')
  const isOn = await loadChoices(ctx)
  return ctx.extensions.notifications.map(({ kind, label, group, description = null }) => ({
    kind,
    label,
    group,
    description,
    isOn: isOn(kind),
  }))
}

/** Changes the given kinds and no other, so that two tabs don't undo each other's choices. Throws validation_failed. */
export async function chooseNotifications(ctx: WriteCtx, choices: Record<string, boolean>): Promise<void> {
  authorize(ctx, 'account:profile:write')
  const kinds = Object.keys(choices)
  const known = ctx.extensions.notifications.map(({ kind }) => kind)
  if (kinds.some((kind) => !known.includes(kind)))
    throw new AppError('validation_failed', 'There is no email of this kind', { field: 'choices' })
  if (!kinds.length) return
  await ctx.query({
    name: 'account.choose-notifications',
    text: `update account set notification_choices = notification_choices || $2::jsonb, updated_at = $3 where id = $1`,
    values: [ctx.coachId, JSON.stringify(choices), ctx.now()],
  })
}

const KindList = z.array(z.string().max(100)).max(200).default([])

/** The kinds that are checked, and in `seen` those that the form showed as on. */
export const NotificationsForm = z.object({ on: KindList, seen: KindList })

/** Changes what the coach has changed in the form. Kinds of a module that is off by now are ignored. */
export async function saveNotifications(
  ctx: WriteCtx,
  { on, seen }: z.output<typeof NotificationsForm>,
): Promise<void> {
  const changed = ctx.extensions.notifications
    .map(({ kind }) => kind)
    .filter((kind) => on.includes(kind) !== seen.includes(kind))
  await chooseNotifications(ctx, Object.fromEntries(changed.map((kind) => [kind, on.includes(kind)])))
}

/** Whether the coach wants the emails of a kind, as of now: ask when one is sent, not when it is planned. */
export async function wantsEmail(ctx: Reader, kind: string): Promise<boolean> {
  const isOn = await loadChoices(ctx)
  return isOn(kind)
}

/** Returns whether the emails of a kind are on. Throws for one that no module declares. */
export async function loadChoices(ctx: Reader): Promise<(kind: string) => boolean> {
  const [account] = await ctx.query<{ choices: Record<string, boolean> }>({
    name: 'account.notification-choices',
    text: 'select notification_choices as choices from account where id = $1',
    values: [ctx.coachId],
  })
  return (kind) => {
    const declared = ctx.platform.extensions.notifications.find((notification) => notification.kind === kind)
    if (!declared) throw new Error(`No module declares the notification "${kind}"`)
    return account?.choices[kind] ?? declared.isOn ?? true
  }
}

/** Emails the coach in the platform's name, unless they have switched emails of this kind off. */
export async function emailCoach(
  ctx: Pick<Ctx, 'query' | 'coachId' | 'platform' | 'account'>,
  kind: string,
  email: Omit<Email, 'to' | 'from' | 'settingsUrl'>,
): Promise<void> {
  const { config, now } = ctx.platform
  if (!(await wantsEmail(ctx, kind))) return
  await sendEmail(config, { ...email, ...toCoach(ctx) }, now())
}

/** The addresses of an email that the coach can switch off. */
export const toCoach = ({ account, platform }: Pick<Ctx, 'account' | 'platform'>) => ({
  to: account.email,
  from: null,
  settingsUrl: getSettingsUrl(platform.config),
})

const getSettingsUrl = ({ origin }: Config): string => `${origin}/settings#notifications`
