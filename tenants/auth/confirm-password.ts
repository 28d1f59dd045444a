import { AppError } from '#app/lib/errors.ts'
import type { Ctx } from '../context.ts'
import { withRateLimit } from './rate-limit.ts'
import { logSecurity } from './security-log.ts'
import { findCredentials, verifyPassword } from './sign-in.ts'

/**
 * Checks the password of the signed-in coach before a change of the account's security. Throws validation_failed, and
 * rate_limited after 10 failures in 15 minutes.
 */
export async function confirmPassword(ctx: Ctx, password: string): Promise<void> {
  const who = { account: ctx.coachId, address: ctx.address }
  await withRateLimit(
    ctx.platform,
    { rules: [{ key: `confirm-password:${ctx.coachId}`, attempts: 10, minutes: 15 }], ...who },
    async () => {
      if (await isOwnPassword(ctx, password)) return
      logSecurity(ctx.platform, { event: 'password_check_failed', ...who })
      throw new AppError('validation_failed', 'This password is wrong.', { field: 'currentPassword' })
    },
    (error) => error instanceof AppError,
  )
}

export async function isOwnPassword({ platform, account }: Ctx, password: string): Promise<boolean> {
  const found = await findCredentials(platform, account.email)
  return found?.passwordHash ? verifyPassword(found.passwordHash, password) : false
}
