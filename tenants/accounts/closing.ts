import { AppError } from '#app/lib/errors.ts'
import { dayMs, formatCalendarDate, localDate } from '#app/lib/time.ts'
import { confirmPassword } from '../auth/confirm-password.ts'
import type { Device } from '../auth/device.ts'
import { recordSecurityEvent } from '../auth/security-events.ts'
import type { Ctx } from '../context.ts'
import { resumeDomainChecks } from '../domains/custom-domain.ts'
import { sendEmail } from '../mail.ts'
import { withTenant, type Platform } from '../platform.ts'
import { OneTimeToken, Session } from '../schema.ts'

/** How long the data of a removed coach is kept: until then they can be taken back, or reopen what they closed. */
export const removedCoachDays = 30
/** The owner is reminded this many days before the data is erased. */
const reminderDays = 3
export const reminderQueue = 'mail.closing-reminder'

/** The day on which an account that was closed at `closedAt` is erased, such as 'April 9, 2026'. */
export function formatErasure(closedAt: Date, timezone: string): string {
  const erasedAt = new Date(closedAt.getTime() + removedCoachDays * dayMs)
  return formatCalendarDate(localDate(erasedAt, timezone), { dateStyle: 'long' })
}

/**
 * Removes the coach as an administrator does, and lets the owner reopen the account for 30 days. Ends all sessions but
 * the one of `currentHash`. Throws validation_failed for a wrong password, conflict for an administrator and for an
 * account that is closed.
 */
export async function closeAccount(
  ctx: Ctx,
  currentPassword: string,
  { currentHash, device }: { currentHash: Buffer | null; device: Device },
): Promise<void> {
  const { coachId, account, platform } = ctx
  if (account.isAdmin) throw new AppError('conflict', "The administrator's account can't be closed.")
  await confirmPassword(ctx, currentPassword)
  await ctx.write(async (tx) => {
    const now = tx.now()
    const closed = await tx.query({
      name: 'account.close',
      text: `update account set removed_at = $2, closed_at = $2, closing_reminded_at = null, updated_at = $2
        where id = $1 and removed_at is null and not is_admin returning id`,
      values: [coachId, now],
    })
    if (!closed.length) throw new AppError('conflict', 'Your account is closed already.')
    await tx.em.nativeDelete(Session, { coachId, ...(currentHash ? { tokenHash: { $ne: currentHash } } : {}) })
    await tx.em.nativeDelete(OneTimeToken, { coachId, kind: { $ne: 'passkey' } })
    for (const close of platform.extensions.accountClosers) await close(tx)
    const details = { name: formatErasure(now, account.timezone) }
    await recordSecurityEvent(tx, coachId, { kind: 'account_closed', device, now, details })
  })
}

/**
 * Opens an account again that its owner closed less than 30 days ago, with everything in it. Does nothing for one that
 * is open. Throws not_found once it is too late.
 */
export async function reopenAccount(ctx: Ctx, device: Device): Promise<void> {
  const { coachId } = ctx
  await ctx.write(async (tx) => {
    const now = tx.now()
    const reopened = await tx.query({
      name: 'account.reopen',
      text: `update account set removed_at = null, closed_at = null, closing_reminded_at = null, updated_at = $2
        where id = $1 and closed_at = removed_at and removed_at > $3 returning id`,
      values: [coachId, now, new Date(now.getTime() - removedCoachDays * dayMs)],
    })
    if (reopened.length) {
      await resumeDomainChecks(tx, coachId, now)
      await recordSecurityEvent(tx, coachId, { kind: 'account_reopened', device, now })
      return
    }
    const open = await tx.query({
      name: 'account.is-open',
      text: 'select 1 from account where id = $1 and removed_at is null',
      values: [coachId],
    })
    if (!open.length) throw new AppError('not_found', 'The 30 days are over: this account is being deleted.')
  })
}

type Closed = { email: string; timezone: string; closedAt: Date }

/** An account that its owner has closed; null for any other. */
export async function findClosed(platform: Platform, coachId: number): Promise<Closed | null> {
  const [rows] = await platform.readPool.queryAsTenant(coachId, [
    {
      name: 'account.closed',
      text: `select email, timezone, closed_at as "closedAt" from account
        where id = $1 and closed_at = removed_at`,
      values: [coachId],
    },
  ])
  return (rows as Closed[])[0] ?? null
}

/** Throws forbidden for an account that its owner has closed: the API has no way to reopen it. */
export async function refuseClosed(platform: Platform, coachId: number): Promise<void> {
  if (await findClosed(platform, coachId)) throw accountClosed(platform)
}

export const accountClosed = ({ config }: Pick<Platform, 'config'>): AppError =>
  new AppError('forbidden', `This account is closed. Sign in at ${config.origin}/auth to reopen it.`)

/** Plans the email that comes three days before a closed account is erased, once. */
export function remindOfClosing(platform: Platform, coachId: number): Promise<void> {
  const now = platform.now()
  const closedBefore = new Date(now.getTime() - (removedCoachDays - reminderDays) * dayMs)
  return withTenant(platform, coachId, async (tx) => {
    const due = await tx.query({
      name: 'account.remind-of-closing',
      text: `update account set closing_reminded_at = $2
        where id = $1 and closed_at = removed_at and closed_at <= $3 and closing_reminded_at is null returning id`,
      values: [coachId, now, closedBefore],
    })
    if (due.length) await tx.enqueue(reminderQueue, { coachId })
  })
}

/** Does nothing for an account that was reopened in the meantime. */
export async function sendClosingReminder(platform: Platform, coachId: number): Promise<void> {
  const closed = await findClosed(platform, coachId)
  if (!closed) return
  const day = formatErasure(closed.closedAt, closed.timezone)
  await sendEmail(
    platform.config,
    {
      to: closed.email,
      subject: `Your account will be deleted on ${day}`,
      paragraphs: [
        `You closed your account. On ${day} everything in it is deleted, and nobody can bring it back.`,
        'Until then you can sign in to reopen it as it was, or to export your data.',
      ],
      button: { label: 'Sign in', url: `${platform.config.origin}/auth` },
      from: null,
    },
    platform.now(),
  )
}
