import type { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { confirmPassword } from '../auth/confirm-password.ts'
import type { Device } from '../auth/device.ts'
import { recordSecurityEvent } from '../auth/security-events.ts'
import { createSession } from '../auth/sessions.ts'
import { hashPassword } from '../auth/sign-in.ts'
import type { Viewer } from '../auth/viewer.ts'
import type { Ctx } from '../context.ts'
import { OneTimeToken, Session } from '../schema.ts'
import type { PasswordChange } from './forms.ts'
import { checkNewPassword } from './passwords.ts'
import { setPassword } from './protected-columns.ts'

/**
 * Sets a new password, ends all sessions and starts a new one for this device. Returns its token. Throws
 * validation_failed for a wrong password and one that is easy to guess, rate_limited after 10 failures.
 */
export async function changePassword(
  ctx: Ctx,
  { currentPassword, newPassword }: z.infer<typeof PasswordChange>,
  device: Device & { viewer: Pick<Viewer, 'domain'> },
): Promise<string> {
  const { platform, coachId, account } = ctx
  await confirmPassword(ctx, currentPassword)
  if (newPassword === currentPassword)
    throw new AppError('validation_failed', 'This is already your password.', { field: 'newPassword' })
  await checkNewPassword(platform.config, newPassword, account, 'newPassword')
  const passwordHash = await hashPassword(newPassword)
  const now = ctx.now()
  await ctx.write(async (tx) => {
    await setPassword(tx, passwordHash, now)
    await tx.em.nativeDelete(Session, { coachId })
    const others = { coachId, usedAt: null, kind: { $ne: 'verification' as const } }
    await tx.em.nativeUpdate(OneTimeToken, others, { usedAt: now })
    await recordSecurityEvent(tx, coachId, { kind: 'password_changed', device, now })
  })
  return createSession(platform, coachId, device, device.viewer.domain)
}
