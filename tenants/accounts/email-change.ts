import { LockMode, UniqueConstraintViolationException } from '@mikro-orm/core'
import type { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { emailRequestRules, tokenRules } from '../auth/account-limits.ts'
import { confirmPassword } from '../auth/confirm-password.ts'
import type { Device } from '../auth/device.ts'
import { findTokenCoach } from '../auth/one-time-tokens.ts'
import { countAttempt, withRateLimit } from '../auth/rate-limit.ts'
import { recordSecurityEvent } from '../auth/security-events.ts'
import { logSecurity } from '../auth/security-log.ts'
import { findAccountByEmail } from '../auth/sign-in.ts'
import { createToken, hashToken } from '../auth/signing-keys.ts'
import type { Ctx, WriteCtx } from '../context.ts'
import { sendEmail } from '../mail.ts'
import { withTenant, type Platform, type TenantTransaction } from '../platform.ts'
import { Account, OneTimeToken } from '../schema.ts'
import type { EmailChange } from './forms.ts'

const emailChangeSeconds = 24 * 3600
const kind = 'email_change'

/** The address that confirms. */
export type Side = 'old' | 'new'
/** The `data` of a token. There is one for each side; `confirmed` once its link was used. */
type LinkData = { side: Side; newEmail: string; confirmed?: 'yes' }

/**
 * Sends a link to the new address and one to the old: the change takes effect when both are confirmed. An old address
 * that was never verified may be a typo, so it isn't asked. Replaces an earlier request. Throws validation_failed for a
 * wrong password and the present address, conflict for a taken one, rate_limited after 5 an hour, for a client with
 * many accounts after 60.
 */
export async function requestEmailChange(ctx: Ctx, input: z.infer<typeof EmailChange>): Promise<void> {
  const { platform, coachId, account } = ctx
  await confirmPassword(ctx, input.currentPassword)
  if (input.email.toLowerCase() === account.email.toLowerCase())
    throw new AppError('validation_failed', 'This is already your email address.', { field: 'email' })
  const who = { account: coachId, address: ctx.address }
  const rules = [
    { key: `email-change:${coachId}`, attempts: 5, minutes: 60 },
    ...emailRequestRules('email-change', input.email.toLowerCase(), ctx.address),
  ]
  await countAttempt(platform, { rules, ...who })
  if (await findAccountByEmail(platform, input.email)) throw emailTaken()
  const expiresAt = new Date(ctx.now().getTime() + emailChangeSeconds * 1000)
  const sides: Side[] = account.emailVerified ? ['old', 'new'] : ['new']
  await ctx.write(async (tx) => {
    tx.logSecurity({ event: 'email_change_requested', ...who })
    await lockAccount(tx, coachId)
    await tx.em.nativeDelete(OneTimeToken, { coachId, kind })
    for (const side of sides) {
      const data: LinkData = { side, newEmail: input.email }
      // The job that sends the link replaces the hash, so that no queue stores a token.
      tx.em.create(OneTimeToken, { coachId, kind, tokenHash: createToken().tokenHash, data, expiresAt })
      await tx.enqueue('mail.email-change', { coachId, side })
    }
  })
}

const emailTaken = (): AppError =>
  new AppError('conflict', 'An account with this email already exists', { field: 'email' })

const lockAccount = ({ em }: TenantTransaction, coachId: number) =>
  em.findOneOrFail(Account, { id: coachId }, { lockMode: LockMode.PESSIMISTIC_WRITE })

export async function cancelEmailChange(ctx: WriteCtx): Promise<void> {
  await ctx.em.nativeDelete(OneTimeToken, { coachId: ctx.coachId, kind })
}

/** The requested change that still waits for a link; `waitingFor` lists the addresses. */
export async function findEmailChange(ctx: Ctx): Promise<{ newEmail: string; waitingFor: Side[] } | null> {
  const links = await ctx.query<{ data: LinkData; isUsed: boolean }>({
    name: 'email-change.pending',
    text: `select data, used_at is not null as "isUsed" from one_time_token
      where coach_id = $1 and kind = 'email_change' and expires_at > $2 order by id`,
    values: [ctx.coachId, ctx.now()],
  })
  const open = links.filter(({ data }) => !data.confirmed)
  // A new password uses up all links.
  if (!open.length || open.some(({ isUsed }) => isUsed)) return null
  return { newEmail: open[0]!.data.newEmail, waitingFor: open.map(({ data }) => data.side) }
}

/** Emails the link of one side. Does nothing if the change was cancelled in the meantime. */
export async function sendEmailChangeLink(
  platform: Platform,
  { coachId, side }: { coachId: number; side: Side },
): Promise<void> {
  const { token, tokenHash } = createToken()
  const change = await withTenant(platform, coachId, async (tx) => {
    const { email } = await lockAccount(tx, coachId)
    const link = (await findLinks(tx, coachId)).find(({ data }) => (data as LinkData).side === side)
    if (!link || link.usedAt || link.expiresAt <= platform.now()) return null
    link.tokenHash = tokenHash
    return { oldEmail: email, newEmail: (link.data as LinkData).newEmail }
  })
  if (!change) return
  const { platformName, origin } = platform.config
  const isOld = side === 'old'
  await sendEmail(
    platform.config,
    {
      to: isOld ? change.oldEmail : change.newEmail,
      subject: isOld ? 'Is your email address changing?' : 'Confirm your new email address',
      paragraphs: isOld
        ? [
            `Somebody who is signed in to your account on ${platformName} wants to use ${change.newEmail} instead of this address.`,
            "If it wasn't you, open the link, cancel the change and choose a new password.",
          ]
        : [
            `Somebody wants to use this address for an account on ${platformName}.`,
            "If it wasn't you, ignore this email.",
          ],
      button: {
        label: isOld ? 'Confirm or cancel' : 'Confirm email address',
        url: `${origin}/auth/email-change?token=${token}`,
      },
      from: null,
    },
    platform.now(),
  )
}

const findLinks = ({ em }: TenantTransaction, coachId: number) =>
  em.find(OneTimeToken, { coachId, kind }, { orderBy: { id: 'asc' } })

/** The content of the page behind a link; null for one that is used, expired or cancelled. */
export async function findEmailChangeLink(
  platform: Platform,
  token: string,
): Promise<{ side: Side; newEmail: string } | null> {
  const coachId = await findTokenCoach(platform, kind, token)
  if (coachId === null) return null
  const [rows] = await platform.readPool.queryAsTenant(coachId, [
    {
      name: 'email-change.link',
      text: 'select data from one_time_token where coach_id = $1 and token_hash = $2',
      values: [coachId, hashToken(token)],
    },
  ])
  const [link] = rows as { data: LinkData }[]
  return link ? { side: link.data.side, newEmail: link.data.newEmail } : null
}

/**
 * Confirms the side of a link. With the last one the address changes, and the old one gets an email. Throws
 * validation_failed for a link that is used, expired or cancelled, conflict if the address was taken in the meantime,
 * rate_limited for a client that tries many.
 */
export async function confirmEmailChange(
  platform: Platform,
  token: string,
  device: Device,
): Promise<{ isChanged: boolean }> {
  const coachId = await findLinkCoach(platform, token, device)
  try {
    return await withTenant(platform, coachId, (tx) => confirmSide(platform, tx, { coachId, token, device }))
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error
    await cancelByLink(platform, coachId)
    throw new AppError('conflict', 'Another account uses this address now, so yours was not changed.')
  }
}

async function confirmSide(
  platform: Platform,
  tx: TenantTransaction,
  { coachId, token, device }: { coachId: number; token: string; device: Device },
): Promise<{ isChanged: boolean }> {
  // Both links may be opened at the same time.
  const account = await lockAccount(tx, coachId)
  const links = await findLinks(tx, coachId)
  const tokenHash = hashToken(token)
  const link = links.find((own) => Buffer.compare(own.tokenHash, tokenHash) === 0)
  if (!link || link.usedAt) throw linkUsed()
  const now = platform.now()
  link.data = { ...link.data, confirmed: 'yes' }
  link.usedAt = now
  await tx.em.flush()
  if (!links.every(({ data }) => data?.confirmed)) return { isChanged: false }

  const change = { oldEmail: account.email, newEmail: (link.data as LinkData).newEmail }
  tx.em.assign(account, { email: change.newEmail, emailVerifiedAt: now, updatedAt: now })
  await tx.em.flush()
  await tx.em.nativeDelete(OneTimeToken, { coachId, kind })
  // Links sent to the old address must not open the account.
  await tx.em.nativeUpdate(OneTimeToken, { coachId, usedAt: null }, { usedAt: now })
  await recordSecurityEvent(tx, coachId, { kind: 'email_changed', device, now, details: { name: change.newEmail } })
  if (links.length > 1) await tx.enqueue('mail.email-changed', change)
  return { isChanged: true }
}

/** The person behind one of the addresses rejects the change. */
export async function denyEmailChange(platform: Platform, token: string, client: { address: string }): Promise<void> {
  await cancelByLink(platform, await findLinkCoach(platform, token, client))
}

const findLinkCoach = (platform: Platform, token: string, { address }: { address: string }): Promise<number> =>
  withRateLimit(
    platform,
    { rules: tokenRules(address), address },
    async () => {
      const coachId = await findTokenCoach(platform, kind, token)
      if (coachId !== null) return coachId
      logSecurity(platform, { event: 'link_refused', address, reason: kind })
      throw linkUsed()
    },
    (error) => error instanceof AppError,
  )

const cancelByLink = (platform: Platform, coachId: number) =>
  withTenant(platform, coachId, ({ em }) => em.nativeDelete(OneTimeToken, { coachId, kind }))

const linkUsed = (): AppError =>
  new AppError('validation_failed', 'This link has expired or was already used.', { field: 'token' })

/** Emails the old address that the account has another one now. */
export async function sendEmailChanged(
  platform: Platform,
  { oldEmail, newEmail }: { oldEmail: string; newEmail: string },
): Promise<void> {
  const { platformName, origin } = platform.config
  await sendEmail(
    platform.config,
    {
      to: oldEmail,
      subject: 'Your email address was changed',
      paragraphs: [
        `Your account on ${platformName} now uses ${newEmail} instead of this address.`,
        "If this wasn't you, ask the person who runs the platform for help.",
      ],
      button: { label: 'Sign in', url: `${origin}/auth` },
      from: null,
    },
    platform.now(),
  )
}
