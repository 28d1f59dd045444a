import { AppError } from '#app/lib/errors.ts'
import { createOneTimeToken, findTokenCoach } from '../auth/one-time-tokens.ts'
import { emailRequestRules, tokenRules } from '../auth/account-limits.ts'
import { countAttempt, withRateLimit } from '../auth/rate-limit.ts'
import { logSecurity } from '../auth/security-log.ts'
import { hashToken } from '../auth/signing-keys.ts'
import type { CoachAccount } from '../auth/viewer.ts'
import type { Ctx, WriteCtx } from '../context.ts'
import { sendEmail } from '../mail.ts'
import { withTenant, type Platform } from '../platform.ts'
import { Account, OneTimeToken } from '../schema.ts'

const verificationSeconds = 24 * 3600

/**
 * Before inviting somebody, emailing a client or taking a payment: these need an address that the coach has proved to
 * be theirs. Throws forbidden.
 */
export function requireVerifiedEmail({ account }: Ctx): void {
  if (!account.emailVerified)
    throw new AppError('forbidden', `Confirm your email address first. We sent a link to ${account.email}.`)
}

/**
 * Sends the link again. Throws rate_limited after 5 an hour, for a client with many accounts after 60, and conflict for
 * a confirmed address.
 */
export async function resendVerification(ctx: WriteCtx): Promise<void> {
  const { account } = ctx
  if (account.emailVerified) throw new AppError('conflict', 'Your email address is already confirmed.')
  const rules = [
    { key: `verification:${account.id}`, attempts: 5, minutes: 60 },
    ...emailRequestRules('verification', account.email, ctx.address),
  ]
  await countAttempt(ctx.platform, { rules, account: account.id, address: ctx.address })
  await ctx.enqueue('mail.verification', { coachId: account.id })
}

/** Emails the link that proves the account's address. Does nothing if it is proved or the coach was removed. */
export async function sendVerificationEmail(platform: Platform, { coachId }: { coachId: number }): Promise<void> {
  const [rows] = await platform.readPool.queryAsTenant(coachId, [
    {
      name: 'verification.address',
      text: 'select email from account where id = $1 and email_verified_at is null and removed_at is null',
      values: [coachId],
    },
  ])
  const email = (rows as { email: string }[])[0]?.email
  if (email === undefined) return
  // The address may change before the link is opened.
  const token = await createOneTimeToken(platform, coachId, 'verification', verificationSeconds, { email })
  await sendEmail(
    platform.config,
    {
      to: email,
      subject: 'Confirm your email address',
      paragraphs: [
        `An account on ${platform.config.platformName} was created with this email address. Is it yours?`,
        "The link below works once, for 24 hours. If this wasn't you, ignore this email.",
      ],
      button: { label: 'Confirm email address', url: `${platform.config.origin}/auth/verify?token=${token}` },
      from: null,
    },
    platform.now(),
  )
}

/**
 * Marks the address as proved. Throws validation_failed for a link that is used, expired or of an earlier address,
 * rate_limited for a client that tries many.
 */
export async function verifyEmail(platform: Platform, token: string, { address }: { address: string }): Promise<void> {
  await withRateLimit(
    platform,
    { rules: tokenRules(address), address },
    async () => {
      const coachId = await findTokenCoach(platform, 'verification', token)
      const isVerified = coachId !== null && (await redeemVerification(platform, coachId, token))
      if (isVerified) return
      logSecurity(platform, { event: 'link_refused', address, reason: 'verification' })
      throw new AppError('validation_failed', 'This link has expired or was already used.', { field: 'token' })
    },
    (error) => error instanceof AppError,
  )
}

async function redeemVerification(platform: Platform, coachId: number, token: string): Promise<boolean> {
  const now = platform.now()
  return withTenant(platform, coachId, async ({ em }) => {
    const tokenHash = hashToken(token)
    const link = await em.findOne(OneTimeToken, { coachId, tokenHash, kind: 'verification' })
    const used = await em.nativeUpdate(OneTimeToken, { coachId, tokenHash, usedAt: null }, { usedAt: now })
    if (used !== 1) return false
    const current = { id: coachId, email: link?.data?.email ?? '' }
    const updated = await em.nativeUpdate(Account, current, { emailVerifiedAt: now, updatedAt: now })
    return updated === 1
  })
}

/** Decides which page the link opens. */
export async function findVerification(
  platform: Platform,
  token: string,
  account: CoachAccount | null,
): Promise<'valid' | 'verified' | 'invalid'> {
  if ((await findTokenCoach(platform, 'verification', token)) !== null) return 'valid'
  return account?.emailVerified ? 'verified' : 'invalid'
}
