import { emailCoach, wantsEmail } from '#modules/core/notifications.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import type { WriteCtx } from '#tenants/context.ts'
import { isRefused, wasNotTaken } from '#tenants/mail-errors.ts'
import type { Platform } from '#tenants/platform.ts'

export const notifyQueue = 'public-page.notify'
export type NotifyJob = { coachId: number; contactMessageId: number }

/** The parts of the email. */
type Claimed = { name: string; email: string; message: string }

/**
 * Emails a message of the contact form to the coach, at most once: it is marked before the mail server gets it, and again
 * later only if the server certainly did not take it (decision 0053).
 */
export async function notify(platform: Platform, { coachId, contactMessageId: id }: NotifyJob): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, `contact-message-${id}`)
  if (!ctx?.account.emailVerified || !(await wantsEmail(ctx, 'public-page.contact'))) return
  const claimed = await ctx.write((tx) => claim(tx, id))
  if (!claimed) return
  const { name, email, message } = claimed
  try {
    await emailCoach(ctx, 'public-page.contact', {
      replyTo: email,
      subject: `Message from ${name}`,
      paragraphs: [
        `Hello ${ctx.account.firstName},`,
        `${name} (${email}) wrote to you with the contact form of your public page:`,
        message,
        'Reply to this email to answer. Anybody can type any address: ' +
          'before you share anything confidential, make sure who wrote.',
      ],
      button: { label: 'See all messages', url: `${platform.config.origin}/public-page#messages` },
    })
  } catch (error) {
    if (isRefused(error)) return
    if (wasNotTaken(error)) await ctx.write((tx) => release(tx, id))
    throw error
  }
}

async function claim(ctx: WriteCtx, id: number): Promise<Claimed | undefined> {
  const [row] = await ctx.query<Claimed>({
    name: 'public-page.claim-contact-message',
    text: `update contact_message set notified_at = $3
      where coach_id = $1 and id = $2 and notified_at is null and deleted_at is null returning name, email, message`,
    values: [ctx.coachId, id, ctx.now()],
  })
  return row
}

async function release(ctx: WriteCtx, id: number): Promise<void> {
  await ctx.query({
    name: 'public-page.release-contact-message',
    text: 'update contact_message set notified_at = null where coach_id = $1 and id = $2',
    values: [ctx.coachId, id],
  })
}
