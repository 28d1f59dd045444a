import { AppError } from '#app/lib/errors.ts'
import { dayStart, localDate, localTime } from '#app/lib/time.ts'
import { assertNotReadOnly } from '#modules/crm/index.ts'
import { isRefused, wasNotTaken } from '#tenants/mail-errors.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { forEachCoach } from '#tenants/for-each-coach.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import type { Platform } from '#tenants/platform.ts'
import { getInvoiceFile } from '../documents/files.ts'
import { balanceSql } from '../invoices/records.ts'
import { emailInvoice, markSent } from '../services/invoice-emails.ts'
import { lockInvoice } from '../services/invoice-rows.ts'

export const reminderQueue = 'billing.send-reminder'

/** Clients are reminded during the day, in the coach's time zone. */
const firstHour = '09:00'
const lastHour = '18:00'
/** A reminder that could not be sent on its day is sent up to two days later, and then left out. */
const lateDays = 2

type DueReminder = { invoiceId: number; days: number }

/** Puts the reminders that are due into the queue. Repeated runs change nothing: `sendReminder` sends each one once. */
export async function planReminders(platform: Platform): Promise<void> {
  await forEachCoach(platform, async ({ id, removedAt }) => {
    const ctx = removedAt ? null : await loadCoachContext(platform, id, 'reminders')
    if (!ctx?.account.emailVerified || !isDaytime(ctx)) return
    const due = await listDueReminders(ctx)
    if (!due.length) return
    await ctx.write(async (tx) => {
      for (const reminder of due)
        await tx.enqueue(
          reminderQueue,
          { coachId: id, ...reminder },
          { singletonKey: `${id} ${reminder.invoiceId} ${reminder.days}` },
        )
    })
  })
}

function isDaytime(ctx: Ctx): boolean {
  const time = localTime(ctx.now(), ctx.account.timezone)
  return time >= firstHour && time < lastHour
}

/**
 * Lists the latest one of each invoice that the client was not reminded of today: a coach who switches reminders on
 * sends no three at once.
 */
async function listDueReminders(ctx: Ctx, only: DueReminder | null = null): Promise<DueReminder[]> {
  const { timezone } = ctx.account
  const today = localDate(ctx.now(), timezone)
  return ctx.query<DueReminder>({
    name: 'billing.due-reminders',
    text: `select i.id as "invoiceId", max(d.days) as days
      from billing_settings s cross join unnest(s.reminder_days) as d (days) join invoice i on i.coach_id = $1
      where s.coach_id = $1 and s.sends_reminders and i.kind = 'invoice' and i.state = 'open'
        and i.client_id is not null and i.sent_at is not null and ${balanceSql()} > 0
        and i.due_date + d.days between $2::date - ${lateDays} and $2::date
        and not exists (
          select 1 from invoice_reminder r
          where r.coach_id = $1 and r.invoice_id = i.id and (r.days >= d.days or r.claimed_at >= $5))
        and ($3::bigint is null or i.id = $3 and d.days = $4)
      group by i.id order by i.id`,
    values: [ctx.coachId, today, only && only.invoiceId, only && only.days, dayStart(today, timezone)],
  })
}

/**
 * Sends a reminder if it still applies, at most once: it is marked before the mail server gets it, and sent again only
 * if the server certainly did not take it (decision 0053).
 */
export async function sendReminder(
  platform: Platform,
  { coachId, ...reminder }: DueReminder & { coachId: number },
): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, `reminder-${reminder.invoiceId}`)
  // One that the mail server did not take by the evening waits for the next day.
  if (!ctx?.account.emailVerified || !isDaytime(ctx) || !(await listDueReminders(ctx, reminder)).length) return
  // Before it is marked: an invoice that can't be printed now is tried again.
  await getInvoiceFile(ctx, reminder.invoiceId)
  const id = await ctx.write((tx) => claimReminder(tx, reminder))
  if (id === null) return
  const release = () => ctx.write((tx) => deleteClaim(tx, id))
  try {
    const isSent = await emailInvoice(platform, { coachId, invoiceId: reminder.invoiceId, kind: 'reminder' })
    if (!isSent) return await release()
  } catch (error) {
    if (isRefused(error)) return
    if (wasNotTaken(error)) await release()
    throw error
  }
  await ctx.write((tx) => markSent(tx, id))
}

/** The id of the reminder that is sent now; null if it no longer applies, or another worker sends it. */
async function claimReminder(ctx: WriteCtx, { invoiceId, days }: DueReminder): Promise<number | null> {
  const { client } = await lockInvoice(ctx, invoiceId)
  const [due] = await listDueReminders(ctx, { invoiceId, days })
  if (!due || !client || (await isReadOnly(ctx, client.id))) return null
  const [claimed] = await ctx.query<{ id: number }>({
    name: 'billing.claim-reminder',
    text: `insert into invoice_reminder (coach_id, invoice_id, days, claimed_at, started_at) values ($1, $2, $3, $4, $4)
      on conflict (coach_id, invoice_id, days) where days is not null do nothing returning id`,
    values: [ctx.coachId, invoiceId, days, ctx.now()],
  })
  return claimed?.id ?? null
}

async function isReadOnly(ctx: WriteCtx, clientId: number): Promise<boolean> {
  try {
    await assertNotReadOnly(ctx, clientId)
    return false
  } catch (error) {
    if (error instanceof AppError && error.code === 'plan_limit') return true
    throw error
  }
}

async function deleteClaim(ctx: WriteCtx, id: number): Promise<void> {
  await ctx.query({
    name: 'billing.release-reminder',
    text: 'delete from invoice_reminder where coach_id = $1 and id = $2 and sent_at is null',
    values: [ctx.coachId, id],
  })
}
