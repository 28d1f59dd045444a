import type { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import type { ResetPassword } from '../accounts/forms.ts'
import { withTenant, type Platform } from '../platform.ts'
import { Account, OneTimeToken, Session, type OneTimeTokenKind } from '../schema.ts'
import { countAttempt } from './rate-limit.ts'
import { createSession, findAccountByEmail, hashPassword } from './sign-in.ts'
import { createToken, hashToken } from './signing-keys.ts'
import type { HostTenant } from './viewer.ts'

const handoverSeconds = 60
const resetSeconds = 3600
const invitationSeconds = 7 * 86_400

/** A token that signs `coachId` in on their own host, once, within 60 seconds. */
export async function createHandoverToken(platform: Platform, coachId: number): Promise<string> {
  return createOneTimeToken(platform, coachId, 'handover', handoverSeconds)
}

/** Creates a session on the host of `tenant`. Returns its token; null for a token that is used, expired or not theirs. */
export async function redeemHandoverToken(
  platform: Platform,
  token: string,
  tenant: HostTenant,
): Promise<string | null> {
  const coachId = await redeemToken(platform, 'handover', token, { onlyFor: tenant.id })
  return coachId === null ? null : createSession(platform, coachId)
}

/** Sends a reset email later, so that known and unknown addresses look the same. Throws rate_limited after 5 an hour. */
export async function requestPasswordReset(platform: Platform, address: string): Promise<void> {
  const email = address.trim().toLowerCase()
  await countAttempt(platform, { key: `forgot:${email}`, attempts: 5, minutes: 60 })
  if (email.includes('\0') || !email.isWellFormed()) return
  await platform.boss.send('mail.reset', { email })
}

/** The account of `email` with a new reset token; null if there is none. Only for the email. */
export async function createResetToken(
  platform: Platform,
  email: string,
): Promise<{ coachId: number; token: string } | null> {
  const account = await findAccountByEmail(platform, email)
  if (!account) return null
  return { coachId: account.id, token: await createOneTimeToken(platform, account.id, 'reset', resetSeconds) }
}

/** Valid for a week, for a coach whom the admin added to choose their first password. */
export async function createInvitationToken(platform: Platform, coachId: number): Promise<string> {
  return createOneTimeToken(platform, coachId, 'invitation', invitationSeconds)
}

/** Sets a new password with an emailed token and ends all sessions of the account. Throws validation_failed. */
export async function resetPassword(platform: Platform, input: z.infer<typeof ResetPassword>): Promise<void> {
  const passwordHash = await hashPassword(input.password)
  const coachId =
    (await redeemToken(platform, 'reset', input.token, { passwordHash })) ??
    (await redeemToken(platform, 'invitation', input.token, { passwordHash }))
  if (coachId === null)
    throw new AppError('validation_failed', 'This link has expired or was already used. Please ask for a new one.', {
      field: 'token',
    })
}

async function createOneTimeToken(
  platform: Platform,
  coachId: number,
  kind: OneTimeTokenKind,
  seconds: number,
): Promise<string> {
  const { token, tokenHash } = createToken()
  const expiresAt = new Date(platform.now().getTime() + seconds * 1000)
  await withTenant(platform, coachId, async ({ em }) => {
    em.create(OneTimeToken, { coachId, kind, tokenHash, expiresAt })
  })
  return token
}

/**
 * Marks a token as used and sets `passwordHash`, if given, in the same transaction. Of concurrent calls one succeeds.
 * Returns the coach; null for a token that is used, expired or unknown.
 */
async function redeemToken(
  platform: Platform,
  kind: OneTimeTokenKind,
  token: string,
  { onlyFor, passwordHash }: { onlyFor?: number; passwordHash?: string },
): Promise<number | null> {
  const now = platform.now()
  const tokenHash = hashToken(token)
  const [row] = await platform.readPool.queryGlobal<{ coachId: number | null }>({
    name: 'token.coach',
    text: 'select find_token_coach($1, $2, $3) as "coachId"',
    values: [kind, tokenHash, now],
  })
  const { coachId } = row!
  if (coachId === null || (onlyFor !== undefined && coachId !== onlyFor)) return null
  return withTenant(platform, coachId, async ({ em }) => {
    const updated = await em.nativeUpdate(OneTimeToken, { coachId, tokenHash, usedAt: null }, { usedAt: now })
    if (updated !== 1) return null
    if (passwordHash) {
      await em.nativeUpdate(Account, { id: coachId }, { passwordHash, updatedAt: now })
      await em.nativeUpdate(OneTimeToken, { coachId, usedAt: null }, { usedAt: now })
      await em.nativeDelete(Session, { coachId })
    }
    return coachId
  })
}
