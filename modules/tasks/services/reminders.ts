import { dayStart, formatCalendarDate, localDate, localTime, addDays } from '#app/lib/time.ts'
import { emailCoach, wantsEmail } from '#modules/core/notifications.ts'
import { joinClient } from '#modules/crm/index.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { forEachCoach } from '#tenants/for-each-coach.ts'
import { isRefused, wasNotTaken } from '#tenants/mail-errors.ts'
import type { Platform } from '#tenants/platform.ts'
import type { TaskOwner, TaskSource } from '../fields.ts'

export const reminderQueue = 'tasks.remind'

/** Coaches are reminded during the day, in their time zone. */
const firstHour = '08:00'
const lastHour = '20:00'
/** Tasks that one email names; the page has all of them. */
const namedTasks = 20

type DueTask = {
  id: number
  title: string
  owner: TaskOwner
  source: TaskSource
  clientName: string | null
  dueDate: string
}

/** Puts coaches with tasks to be reminded of into the queue. Repeated runs change nothing. */
export async function planReminders(platform: Platform): Promise<void> {
  await forEachCoach(platform, async ({ id, removedAt }) => {
    const ctx = removedAt ? null : await loadCoachContext(platform, id, 'task-reminders')
    if (!ctx?.account.emailVerified || !isDaytime(ctx) || !(await listToRemind(ctx)).length) return
    if (!(await wantsEmail(ctx, 'tasks.due'))) return
    await ctx.write((tx) => tx.enqueue(reminderQueue, { coachId: id }, { singletonKey: String(id) }))
  })
}

function isDaytime(ctx: Ctx): boolean {
  const time = localTime(ctx.now(), ctx.account.timezone)
  return time >= firstHour && time < lastHour
}

/**
 * Tasks whose day of reminder is today, or was yesterday if nothing could be sent then. Not those that were added
 * today: the coach knows them.
 */
const toRemind = `from task t ${joinClient('t')}
  where t.coach_id = $1 and t.deleted_at is null and c.deleted_at is null and t.done_at is null and t.reminded_at is null
    and t.created_at < $4 and t.due_date - case t.reminder when 'before' then 1 else 0 end in ($2::date, $3::date)
    and t.reminder <> 'none'`

const toValues = (ctx: Ctx): unknown[] => {
  const { timezone } = ctx.account
  const today = localDate(ctx.now(), timezone)
  return [ctx.coachId, today, addDays(today, -1), dayStart(today, timezone)]
}

async function listToRemind(ctx: Ctx): Promise<DueTask[]> {
  return ctx.query<DueTask>({
    name: 'tasks.to-remind',
    text: `select t.id, t.title, t.owner, t.source, c.name as "clientName", t.due_date::text as "dueDate"
      ${toRemind} order by t.due_date, t.id limit 500`,
    values: toValues(ctx),
  })
}

/**
 * Sends one email about all these tasks, at most once for each: they are marked before the mail server gets it, and
 * sent again only if the server certainly did not take it (decision 0053).
 */
export async function sendReminders(platform: Platform, { coachId }: { coachId: number }): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, `task-reminders-${coachId}`)
  // One that the mail server did not take by the evening waits for the next day.
  if (!ctx?.account.emailVerified || !isDaytime(ctx) || !(await wantsEmail(ctx, 'tasks.due'))) return
  const tasks = await ctx.write(claim)
  if (!tasks.length) return
  try {
    await emailCoach(ctx, 'tasks.due', toEmail(ctx, tasks))
  } catch (error) {
    if (isRefused(error)) return
    if (wasNotTaken(error)) await ctx.write((tx) => release(tx, tasks))
    throw error
  }
}

/** The tasks that this worker reminds of: those that no other one has marked. */
async function claim(ctx: WriteCtx): Promise<DueTask[]> {
  const tasks = await listToRemind(ctx)
  const claimed = await ctx.query<{ id: number }>({
    name: 'tasks.claim-reminders',
    text: `update task set reminded_at = $3
      where coach_id = $1 and id = any($2::bigint[]) and reminded_at is null returning id`,
    values: [ctx.coachId, tasks.map(({ id }) => id), ctx.now()],
  })
  return tasks.filter(({ id }) => claimed.some((row) => row.id === id))
}

async function release(ctx: WriteCtx, tasks: DueTask[]): Promise<void> {
  await ctx.query({
    name: 'tasks.release-reminders',
    text: 'update task set reminded_at = null where coach_id = $1 and id = any($2::bigint[])',
    values: [ctx.coachId, tasks.map(({ id }) => id)],
  })
}

function toEmail(ctx: Ctx, tasks: DueTask[]) {
  const today = localDate(ctx.now(), ctx.account.timezone)
  const lines = tasks.slice(0, namedTasks).map((task) => describe(task, today))
  const more = tasks.length - lines.length
  const { origin } = ctx.platform.config
  return {
    subject: tasks.length === 1 ? 'A task is due' : `${tasks.length} tasks are due`,
    paragraphs: [`Hello ${ctx.account.firstName},`, [...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n')],
    button: { label: 'Open Tasks', url: `${origin}/tasks` },
  }
}

/** Emails outlast a withdrawn consent, so they quote nothing of a session. */
function describe({ title, owner, source, clientName, dueDate }: DueTask, today: string): string {
  const what = source === 'session' ? 'An action item of a session' : title
  const who = owner === 'client' ? `${clientName} does it` : clientName && `about ${clientName}`
  const when =
    dueDate === today ? 'due today' : `due ${formatCalendarDate(dueDate, { month: 'short', day: 'numeric' })}`
  return `• ${[what, who, when].filter(Boolean).join(', ')}`
}
