import { AppError } from '#app/lib/errors.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { lockSettings } from '../services/settings.ts'

/** `reminderDays`: after the due date, ascending. */
export type ReminderSettings = { sendsReminders: boolean; reminderDays: number[]; version: number }

export async function getReminderSettings(ctx: Ctx): Promise<ReminderSettings> {
  authorize(ctx, 'billing:invoice:read')
  const [settings] = await ctx.query<ReminderSettings>({
    name: 'billing.reminder-settings',
    text: `select sends_reminders as "sendsReminders", reminder_days as "reminderDays", version from billing_settings
      where coach_id = $1`,
    values: [ctx.coachId],
  })
  return settings ?? { sendsReminders: false, reminderDays: [3, 7, 14], version: 1 }
}

/** Throws conflict if the settings of billing changed after `expectedVersion`. */
export async function updateReminderSettings(
  ctx: WriteCtx,
  { sendsReminders, reminderDays }: { sendsReminders: boolean; reminderDays: number[] },
  expectedVersion?: number,
): Promise<ReminderSettings> {
  authorize(ctx, 'billing:invoice:write')
  const row = await lockSettings(ctx)
  if (expectedVersion !== undefined && expectedVersion !== row.version)
    throw new AppError('conflict', 'These settings were changed in another tab.', { subject: 'settings' })
  ctx.em.assign(row, { sendsReminders, reminderDays, version: row.version + 1, updatedAt: ctx.now() })
  await ctx.em.flush()
  return getReminderSettings(ctx)
}
