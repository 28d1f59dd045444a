import type { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import type { ResetPassword } from '../accounts/forms.ts'
import { checkNewPassword, type PasswordOwner } from '../accounts/passwords.ts'
import { ApiKey } from '../api-keys/schema.ts'
import { setPassword } from '../accounts/protected-columns.ts'
import { withTenant, type Platform, type TenantTransaction } from '../platform.ts'
import {
  Account,
  AuthenticatorApp,
  OneTimeToken,
  Passkey,
  RecoveryCode,
  Session,
  type OneTimeTokenKind,
} from '../schema.ts'
import { emailRequestRules, emailRule, knownClientKey, tokenRules } from './account-limits.ts'
import type { Device } from './device.ts'
import { countAttempt, isWithinLimit, remember, withRateLimit } from './rate-limit.ts'
import { recordSecurityEvent } from './security-events.ts'
import { logSecurity } from './security-log.ts'
import { replaceSession, type SignInContext } from './sessions.ts'
import { findAccountByEmail, hashPassword } from './sign-in.ts'
import { createToken, hashToken } from './signing-keys.ts'
import type { HostTenant } from './viewer.ts'

const handoverSeconds = 60
const resetSeconds = 3600
const invitationSeconds = 7 * 86_400
const signInSeconds = 300

/**
 * A token that signs `coachId` in on their own host `host`, a subdomain's name or a domain, once, within 60 seconds.
 */
export async function createHandoverToken(platform: Platform, coachId: number, host: string): Promise<string> {
  return createOneTimeToken(platform, coachId, 'handover', handoverSeconds, { host })
}

/**
 * Creates a session on the host of `tenant`. Returns its token; null for a token that is used, expired, not theirs or
 * for another host.
 */
export async function redeemHandoverToken(
  platform: Platform,
  token: string,
  tenant: HostTenant,
  context: SignInContext,
): Promise<string | null> {
  const coachId = await redeemToken(platform, 'handover', token, {
    onlyFor: { coachId: tenant.id, host: context.viewer.domain ?? tenant.subdomain },
  })
  return coachId === null ? null : replaceSession(platform, coachId, context)
}

/** Valid for 5 minutes, for the step between password and code. */
export function createSignInToken(platform: Platform, coachId: number): Promise<string> {
  return createOneTimeToken(platform, coachId, 'second_factor', signInSeconds)
}

/** The coach who may finish signing in with `token`; null for a token that is used, expired or unknown. */
export const findSignInToken = (platform: Platform, token: string): Promise<number | null> =>
  findTokenCoach(platform, 'second_factor', token)

/** As `findSignInToken`, and uses the token up: of concurrent calls one succeeds. */
export const redeemSignInToken = (platform: Platform, token: string): Promise<number | null> =>
  redeemToken(platform, 'second_factor', token, {})

/** The job of an unknown address must not stay: anybody can add any number of them. */
const jobRetention = { retentionSeconds: 6 * 3600, deleteAfterSeconds: 600 }

/**
 * Sends a reset email later, so that known and unknown addresses look the same. Throws rate_limited for a client that
 * asks too often; too many emails to one address are left out silently, because their owner may not be the one who
 * asks.
 */
export async function requestPasswordReset(
  platform: Platform,
  input: { email: string },
  { address }: { address: string },
): Promise<void> {
  const email = input.email.trim().toLowerCase()
  await countAttempt(platform, { rules: emailRequestRules('forgot', email, address), address })
  logSecurity(platform, { event: 'password_reset_requested', address })
  if (email.includes('\0') || !email.isWellFormed()) return
  if (await isWithinLimit(platform, emailRule('forgot', email)))
    await platform.boss.send('mail.reset', { email }, jobRetention)
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

/**
 * Sets a new password with an emailed token and ends all sessions and API keys of the account. The token also proves
 * the address: if nobody had before, second factors are deleted too. Throws validation_failed, and rate_limited for a
 * client that tries many tokens.
 */
export async function resetPassword(
  platform: Platform,
  input: z.infer<typeof ResetPassword>,
  device: Device,
): Promise<void> {
  await withRateLimit(
    platform,
    { rules: tokenRules(device.address), address: device.address },
    () => redeemPasswordToken(platform, input, device),
    (error) => error instanceof AppError && error.code === 'validation_failed',
  )
}

async function redeemPasswordToken(
  platform: Platform,
  { token, password }: z.infer<typeof ResetPassword>,
  device: Device,
): Promise<void> {
  const owner = await findPasswordOwner(platform, token)
  // The link stays valid after a password that is easy to guess.
  if (owner) await checkNewPassword(platform.config, password, owner)
  // Hash the password after the token was found: hashing is slow.
  const passwordHash = owner && (await hashPassword(password))
  if (!owner || (await redeemToken(platform, owner.kind, token, { passwordHash, device })) === null) {
    logSecurity(platform, { event: 'link_refused', address: device.address, reason: 'reset' })
    throw new AppError('validation_failed', 'This link has expired or was already used. Please ask for a new one.', {
      field: 'token',
    })
  }
  await remember(platform, knownClientKey(owner.email.toLowerCase(), device.address))
}

/**
 * Ends all sessions and API keys of an account and uses up its links. The challenges of used passkeys stay, so that
 * none works again.
 */
export async function endAccess({ em }: TenantTransaction, coachId: number): Promise<void> {
  await em.nativeDelete(Session, { coachId })
  await em.nativeDelete(ApiKey, { coachId })
  await em.nativeDelete(OneTimeToken, { coachId, kind: { $ne: 'passkey' } })
}

/** Deletes all that signs in besides the password, or is needed with it. */
export async function deleteSecondFactors({ em }: TenantTransaction, coachId: number): Promise<void> {
  await em.nativeDelete(AuthenticatorApp, { coachId })
  await em.nativeDelete(RecoveryCode, { coachId })
  await em.nativeDelete(Passkey, { coachId })
}

/** The account whose password a token can set, and the token's kind. */
async function findPasswordOwner(
  platform: Platform,
  token: string,
): Promise<(PasswordOwner & { kind: OneTimeTokenKind }) | null> {
  for (const kind of ['reset', 'invitation'] as const) {
    const coachId = await findTokenCoach(platform, kind, token)
    if (coachId === null) continue
    const [rows] = await platform.readPool.queryAsTenant(coachId, [
      {
        name: 'token.owner',
        text: `select email, first_name as "firstName", last_name as "lastName" from account where id = $1`,
        values: [coachId],
      },
    ])
    return { ...(rows as PasswordOwner[])[0]!, kind }
  }
  return null
}

export async function createOneTimeToken(
  platform: Platform,
  coachId: number,
  kind: OneTimeTokenKind,
  seconds: number,
  data: Record<string, string> | null = null,
): Promise<string> {
  const { token, tokenHash } = createToken()
  const expiresAt = new Date(platform.now().getTime() + seconds * 1000)
  await withTenant(platform, coachId, async ({ em }) => {
    em.create(OneTimeToken, { coachId, kind, tokenHash, data, expiresAt })
  })
  return token
}

/** The coach of a token that can still be used, otherwise null. */
export async function findTokenCoach(
  platform: Platform,
  kind: OneTimeTokenKind,
  token: string,
): Promise<number | null> {
  const [row] = await platform.readPool.queryGlobal<{ coachId: number | null }>({
    name: 'token.coach',
    text: 'select find_token_coach($1, $2, $3) as "coachId"',
    values: [kind, hashToken(token), platform.now()],
  })
  return row!.coachId
}

/**
 * Marks a token as used and sets `passwordHash`, if given, in the same transaction. Of concurrent calls one succeeds.
 * Returns the coach; null for a token that is used, expired or unknown.
 */
async function redeemToken(
  platform: Platform,
  kind: OneTimeTokenKind,
  token: string,
  {
    onlyFor,
    passwordHash,
    device,
  }: { onlyFor?: { coachId: number; host: string }; passwordHash?: string | null; device?: Device },
): Promise<number | null> {
  const now = platform.now()
  const tokenHash = hashToken(token)
  const coachId = await findTokenCoach(platform, kind, token)
  if (coachId === null || (onlyFor && coachId !== onlyFor.coachId)) return null
  return withTenant(platform, coachId, async (tx) => {
    const { em } = tx
    if (onlyFor) {
      const link = await em.findOne(OneTimeToken, { coachId, tokenHash })
      if (link?.data?.host !== onlyFor.host) return null
    }
    const updated = await em.nativeUpdate(OneTimeToken, { coachId, tokenHash, usedAt: null }, { usedAt: now })
    if (updated !== 1) return null
    if (passwordHash && device) {
      await setPassword(tx, passwordHash, now)
      const isProved = await em.nativeUpdate(Account, { id: coachId, emailVerifiedAt: null }, { emailVerifiedAt: now })
      // Somebody else may have registered the address and prepared a way in.
      if (isProved) await deleteSecondFactors(tx, coachId)
      await em.nativeUpdate(OneTimeToken, { coachId, usedAt: null }, { usedAt: now })
      await em.nativeDelete(Session, { coachId })
      // Somebody who knew the old password may have created one.
      await em.nativeDelete(ApiKey, { coachId })
      await recordSecurityEvent(tx, coachId, { kind: 'password_reset', device, now })
    }
    return coachId
  })
}
