import { requireVerifiedEmail } from '#tenants/accounts/email-verification.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { getSender } from '#tenants/accounts/jobs.ts'
import { countAttempt } from '#tenants/auth/rate-limit.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { sendEmail } from '#tenants/mail.ts'
import type { Platform } from '#tenants/platform.ts'
import { getMessageText } from '../services/message-texts.ts'
import { formatSample, loadSample } from './samples.ts'
import { textKinds, type TextKind } from './texts.ts'

export const testQueue = 'scheduling.send-test-message'

type Test = { kind: TextKind; appointmentId: number | null }

/**
 * Sends the coach a message as an attendee would get it. Throws forbidden without a confirmed address, and not_found.
 */
export async function requestTestMessage(ctx: WriteCtx, { kind, appointmentId }: Test): Promise<void> {
  authorize(ctx, 'scheduling:message:write')
  requireVerifiedEmail(ctx)
  await loadSample(ctx, kind, appointmentId)
  const rules = [{ key: `test-message:${ctx.coachId}`, attempts: 20, minutes: 60 }]
  await countAttempt(ctx.platform, { rules, account: ctx.coachId, address: ctx.address })
  await ctx.enqueue(testQueue, { coachId: ctx.coachId, kind, appointmentId })
}

export async function sendTestMessage(
  platform: Platform,
  coachId: number,
  { kind, appointmentId }: { kind: string; appointmentId: number | null },
): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, 'test-message')
  if (!ctx || !Object.hasOwn(textKinds, kind)) return
  const textKind = kind as TextKind
  const text = await getMessageText(ctx, textKind)
  const announced = await loadSample(ctx, textKind, appointmentId)
  const email = formatSample(ctx, textKind, { announced, from: await getSender(platform, coachId), text })
  const { invitations: _invitations, ...plain } = email
  await sendEmail(
    platform.config,
    { ...plain, to: ctx.account.email, subject: `Test: ${email.subject}` },
    platform.now(),
  )
}
