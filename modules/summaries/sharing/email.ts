import { AppError, ignoreNotFound } from '#app/lib/errors.ts'
import { formatDate } from '#app/lib/time.ts'
import { getClient } from '#modules/crm/index.ts'
import { getAppointment } from '#modules/scheduling/index.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { requireVerifiedEmail } from '#tenants/accounts/email-verification.ts'
import { getSender } from '#tenants/accounts/jobs.ts'
import { countAttempt } from '#tenants/auth/rate-limit.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { sendEmail } from '#tenants/mail.ts'
import type { Platform } from '#tenants/platform.ts'
import { getSummary } from '../queries/summaries.ts'
import type { SummaryRecord } from '../records.ts'
import { markShared } from '../services/summaries.ts'
import { summaryLink } from './public-link.ts'

export const emailQueue = 'summaries.email'

/**
 * Emails the client a link to an approved summary. Throws not_found, forbidden until the coach has confirmed their address,
 * rate_limited, and conflict for a draft, a prospect, a client without an email address and a practice without an address of its own.
 */
export async function shareByEmail(ctx: WriteCtx, id: number): Promise<SummaryRecord> {
  requireVerifiedEmail(ctx)
  const { appointmentId } = await getSummary(ctx, id)
  if (!(await findRecipient(ctx, appointmentId)))
    throw new AppError('conflict', 'There is no client with an email address for this session.')
  if (!summaryLink.getUrl(ctx, id))
    throw new AppError('conflict', 'Choose an address for your pages first, on the Branding page.')
  const shared = await markShared(ctx, id, 'email')
  const rules = [
    { key: `summary-email:${ctx.coachId}:${id}`, attempts: 5, minutes: 60 },
    { key: `summary-email-coach:${ctx.coachId}`, attempts: 200, minutes: 60 },
  ]
  await countAttempt(ctx.platform, { rules, address: ctx.address, account: ctx.coachId })
  await ctx.enqueue(emailQueue, { coachId: ctx.coachId, summaryId: id })
  return shared
}

async function findRecipient(ctx: Ctx, appointmentId: number): Promise<{ name: string; email: string } | null> {
  const { clientId } = await getAppointment(ctx, appointmentId)
  const client = clientId === null ? null : await getClient(ctx, clientId)
  return client?.email ? client : null
}

/** Sends the link, unless the summary is no longer shared. The email has none of its text. */
export async function emailSummary(
  platform: Platform,
  { coachId, summaryId }: { coachId: number; summaryId: number },
): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, `summary-${summaryId}`)
  const from = await getSender(platform, coachId)
  const url = ctx && summaryLink.getUrl(ctx, summaryId)
  if (!from || !url) return
  const summary = await getSummary(ctx, summaryId).catch(ignoreNotFound)
  if (summary?.status !== 'shared') return
  const [{ startTime }, to] = await Promise.all([
    getAppointment(ctx, summary.appointmentId),
    findRecipient(ctx, summary.appointmentId),
  ])
  if (!to) return
  await sendEmail(
    platform.config,
    {
      to: to.email,
      subject: `Our session on ${formatDate(startTime, ctx.account.timezone)}`,
      paragraphs: [
        `Hello ${to.name},`,
        `here is the summary of our session, with what we agreed on. Only people with this link can open it.`,
      ],
      button: { label: 'Read the Summary', url },
      from,
      replyTo: ctx.account.email,
    },
    platform.now(),
  )
}
