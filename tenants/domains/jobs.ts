import { loadCoachContext } from '../accounts/accounts.ts'
import { endDomainSessions } from '../auth/sessions.ts'
import { sendEmail } from '../mail.ts'
import { withTenant, type Platform } from '../platform.ts'
import { checkDomain } from './custom-domain.ts'
import { findCustomDomain, getDomainState } from './queries.ts'
import { describeProblem } from './texts.ts'

/** The check that was planned for the time `at`; nothing if the coach or another job has checked since. */
export async function runDomainCheck(
  platform: Platform,
  { coachId, at }: { coachId: number; at: number },
): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, 'domain')
  if (!ctx) return releaseDomain(platform, coachId)
  const domain = await findCustomDomain(ctx)
  if (domain?.nextCheckAt && Date.parse(domain.nextCheckAt) === at) await checkDomain(ctx)
}

/** The domain of a coach who was removed: they may prove it for another account. */
async function releaseDomain(platform: Platform, coachId: number): Promise<void> {
  await withTenant(platform, coachId, async (tx) => {
    await endDomainSessions(platform, tx, coachId)
    await tx.query({
      name: 'domain.release-live',
      text: 'update account set custom_domain = null where id = $1 and custom_domain is not null',
      values: [coachId],
    })
    await tx.query({
      name: 'domain.release',
      text: 'update custom_domain set verified_at = null, next_check_at = null where coach_id = $1',
      values: [coachId],
    })
  })
}

/** Tells the coach that their domain has stopped, unless it works again. */
export async function sendDomainStopped(
  platform: Platform,
  { coachId, id }: { coachId: number; id: number },
): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, 'domain')
  const domain = ctx && (await findCustomDomain(ctx))
  if (!ctx || domain?.id !== id || getDomainState(domain) !== 'stopped') return
  await sendEmail(
    platform.config,
    {
      to: ctx.account.email,
      subject: `${domain.hostname} no longer leads to your practice`,
      paragraphs: [
        `We checked ${domain.hostname} three times, and it was not set up any more. ${describeProblem(domain.problem!)}`,
        'Your clients find you at your web address on the platform, and new links lead there.',
        'Once the records are right again, check the domain on the Branding page.',
      ],
      button: { label: 'Open your domain', url: `${platform.config.origin}/branding/domain` },
      from: null,
    },
    platform.now(),
  )
}
