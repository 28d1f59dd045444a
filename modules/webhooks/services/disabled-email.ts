import { emailCoach } from '#modules/core/notifications.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import type { Platform } from '#tenants/platform.ts'
import { findEndpoint } from '../queries/webhooks.ts'

/** Tells the coach that an endpoint was switched off, unless it is on again. */
export async function emailDisabled(
  platform: Platform,
  { coachId, endpointId }: { coachId: number; endpointId: number },
): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, `webhook-email-${endpointId}`)
  const endpoint = ctx && (await findEndpoint(ctx, endpointId))
  if (!ctx || !endpoint?.disabledAt) return
  await emailCoach(ctx, 'webhooks.disabled', {
    subject: 'A webhook was switched off',
    paragraphs: [
      `${new URL(endpoint.url).host} has not taken what we send to it, so nothing more is sent there.`,
      'Look at what it answered, and switch the webhook on again once it works. Nothing that happens until then is sent later.',
    ],
    button: { label: 'Open the webhook', url: `${platform.config.origin}/settings/webhooks/${endpointId}` },
  })
}
