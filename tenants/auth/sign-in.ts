import { hash, verify } from '@node-rs/argon2'
import type { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { OneTimeToken, Session, Account } from '../schema.ts'
import type { Login, ResetPassword } from '../accounts/forms.ts'
import { inTenant, type Platform } from '../platform.ts'
import { hashToken, newToken } from './signing-keys.ts'
import { countOnce, throttled } from './rate-limit.ts'
import type { HostTenant, Visitor } from './viewer.ts'

const sessionDays = 30
const handoverSeconds = 60
const resetMinutes = 60

/** Who holds the session `token`, and whose host `hostLabel` is (null on the platform host). One round trip. */
export async function findVisitor(
  platform: Platform,
  token: string | undefined,
  hostLabel: string | null,
): Promise<Visitor> {
  const sessionHash = token ? hashToken(token) : null
  if (!sessionHash && !hostLabel) return { account: null, tenant: null, sessionHash: null }
  const [row] = await platform.reads.look<Pick<Visitor, 'account' | 'tenant'>>({
    name: 'visitor',
    text: 'select account, tenant from visitor($1, $2, $3)',
    values: [sessionHash, hostLabel, platform.now()],
  })
  return { account: row!.account, tenant: row!.tenant, sessionHash }
}

/**
 * Checks an address and a password, and opens a session. Answers the account's id and the new session's token.
 * On a coach's host (`tenant`) only that coach gets in. Throws unauthorized, the same for a wrong password, an unknown
 * address and another coach's host; rate_limited after 10 failures for an account from one address in 15 minutes, or 100 from one address.
 */
export async function signIn(
  platform: Platform,
  input: z.infer<typeof Login>,
  from: { address: string; tenant: HostTenant | null },
): Promise<{ coachId: number; token: string }> {
  const who = input.email.trim().toLowerCase()
  const coachId = await throttled(
    platform,
    [
      { key: `sign-in:${from.address}:${who}`, failures: 10, minutes: 15 },
      { key: `sign-in:${from.address}`, failures: 100, minutes: 15 },
    ],
    () => checkPassword(platform, who, input.password, from.tenant),
    (error) => error instanceof AppError && error.code === 'unauthorized',
  )
  return { coachId, token: await openSession(platform, coachId) }
}

async function checkPassword(
  platform: Platform,
  email: string,
  password: string,
  tenant: HostTenant | null,
): Promise<number> {
  // Postgres can't hold NUL: such an address is as unknown as any other.
  const known = email.includes('\0') || !email.isWellFormed() ? undefined : await accountOf(platform, email)
  // An unknown address costs the same time as a wrong password.
  const right = await verify(known?.password_hash ?? (await nobodysHash()), password).catch(() => false)
  if (!known?.password_hash || !right || (tenant && tenant.id !== known.id))
    throw new AppError('unauthorized', 'Invalid email or password')
  return known.id
}

async function accountOf(
  platform: Platform,
  email: string,
): Promise<{ id: number; password_hash: string | null } | undefined> {
  const [row] = await platform.reads.look<{ id: number; password_hash: string | null }>({
    name: 'sign-in.account',
    text: 'select id, password_hash from sign_in_account($1)',
    values: [email],
  })
  return row
}

let nobody: Promise<string> | undefined
const nobodysHash = (): Promise<string> => (nobody ??= hashPassword('nobody signs in with this'))

/** argon2id with the library's defaults (19 MiB, 2 passes), as OWASP recommends. */
export function hashPassword(password: string): Promise<string> {
  return hash(password)
}

/** A new session of `coachId`; answers the token for the cookie, of which only the hash is stored. */
export async function openSession(platform: Platform, coachId: number): Promise<string> {
  const { token, hash: tokenHash } = newToken()
  const now = platform.now()
  await inTenant(platform, coachId, async ({ em }) => {
    em.create(Session, {
      coachId,
      tokenHash,
      createdAt: now,
      expiresAt: new Date(now.getTime() + sessionDays * 86_400_000),
    })
    await em.nativeUpdate(Account, { id: coachId }, { lastSignInAt: now })
  })
  return token
}

/** Ends the visitor's session on the server. Nothing happens without one. */
export async function signOut(platform: Platform, visitor: Visitor): Promise<void> {
  const { account, sessionHash } = visitor
  if (!account || !sessionHash) return
  await inTenant(platform, account.id, ({ em }) =>
    em.nativeDelete(Session, { coachId: account.id, tokenHash: sessionHash }),
  )
}

/** A token that signs `coachId` in on their own host, once, within 60 seconds. */
export async function handOver(platform: Platform, coachId: number): Promise<string> {
  return issueToken(platform, coachId, 'handover', handoverSeconds)
}

/** Takes a hand-over token on the host of `tenant` and opens a session there; null when it is used, old, forged or another coach's. */
export async function takeOver(platform: Platform, token: string, tenant: HostTenant): Promise<string | null> {
  const coachId = await useToken(platform, 'handover', token, tenant.id)
  return coachId === null ? null : openSession(platform, coachId)
}

/** Asks for a reset mail: the same answer and time whether or not the address is known. Throws rate_limited after 5 an hour. */
export async function forgotPassword(platform: Platform, email: string): Promise<void> {
  const who = email.trim().toLowerCase()
  await countOnce(platform, { key: `forgot:${who}`, failures: 5, minutes: 60 })
  if (who.includes('\0') || !who.isWellFormed()) return
  await platform.boss.send('mail.reset', { email: who })
}

/** The account behind `email` with a fresh reset token; null if there is none. For the mail alone. */
export async function issueReset(
  platform: Platform,
  email: string,
): Promise<{ coachId: number; token: string } | null> {
  const known = await accountOf(platform, email)
  return known ? { coachId: known.id, token: await issueToken(platform, known.id, 'reset', resetMinutes * 60) } : null
}

/** As a reset, but for a coach whom the admin has added: a week to choose the first password. */
export async function issueInvitation(platform: Platform, coachId: number): Promise<string> {
  return issueToken(platform, coachId, 'invitation', 7 * 86_400)
}

/** Sets a new password by an e-mailed link and ends every session of the account. Throws validation_failed for a used, old or forged link. */
export async function resetPassword(platform: Platform, input: z.infer<typeof ResetPassword>): Promise<void> {
  const passwordHash = await hashPassword(input.password)
  const done =
    (await useToken(platform, 'reset', input.token, null, passwordHash)) ??
    (await useToken(platform, 'invitation', input.token, null, passwordHash))
  if (done === null)
    throw new AppError('validation_failed', 'This link has expired or was already used. Please ask for a new one.', {
      field: 'token',
    })
}

async function issueToken(
  platform: Platform,
  coachId: number,
  kind: 'reset' | 'invitation' | 'handover',
  seconds: number,
): Promise<string> {
  const { token, hash: tokenHash } = newToken()
  await inTenant(platform, coachId, async ({ em }) => {
    em.create(OneTimeToken, {
      coachId,
      kind,
      tokenHash,
      expiresAt: new Date(platform.now().getTime() + seconds * 1000),
    })
  })
  return token
}

/** Uses a token up and, given a new password, sets it in the same transaction. Two at once: one wins. Answers the coach, or null. */
async function useToken(
  platform: Platform,
  kind: 'reset' | 'invitation' | 'handover',
  token: string,
  onlyFor: number | null,
  passwordHash?: string,
): Promise<number | null> {
  const now = platform.now()
  const tokenHash = hashToken(token)
  const [row] = await platform.reads.look<{ coach: number | null }>({
    name: 'token.owner',
    text: 'select token_owner($1, $2, $3) as coach',
    values: [kind, tokenHash, now],
  })
  const coachId = row!.coach
  if (coachId === null || (onlyFor !== null && coachId !== onlyFor)) return null
  return inTenant(platform, coachId, async ({ em }) => {
    const used = await em.nativeUpdate(OneTimeToken, { coachId, tokenHash, usedAt: null }, { usedAt: now })
    if (used !== 1) return null
    if (passwordHash) {
      await em.nativeUpdate(Account, { id: coachId }, { passwordHash, updatedAt: now })
      await em.nativeUpdate(OneTimeToken, { coachId, usedAt: null }, { usedAt: now })
      await em.nativeDelete(Session, { coachId })
    }
    return coachId
  })
}
