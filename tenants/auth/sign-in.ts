import { hash, verify } from '@node-rs/argon2'
import type { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { createSemaphore } from '#app/lib/semaphore.ts'
import { dayMs } from '#app/lib/time.ts'
import type { Login } from '../accounts/forms.ts'
import { withTenant, type Platform } from '../platform.ts'
import { Account, Session } from '../schema.ts'
import { knownClientKey, signInRules } from './account-limits.ts'
import { remember, withRateLimit } from './rate-limit.ts'
import { createToken, hashToken } from './signing-keys.ts'
import type { HostTenant, Viewer } from './viewer.ts'

const sessionDays = 30

/** The account of the session `token` and the coach of the host `hostLabel` (null: platform host). One round trip. */
export async function findViewer(
  platform: Platform,
  token: string | undefined,
  hostLabel: string | null,
): Promise<Viewer> {
  const sessionHash = token ? hashToken(token) : null
  if (!sessionHash && !hostLabel) return { account: null, tenant: null, sessionHash: null }
  const [row] = await platform.readPool.queryGlobal<Pick<Viewer, 'account' | 'tenant'>>({
    name: 'viewer',
    text: 'select account, tenant from find_viewer($1, $2, $3)',
    values: [sessionHash, hostLabel, platform.now()],
  })
  return { account: row!.account, tenant: row!.tenant, sessionHash }
}

/**
 * Checks an email address and a password and creates a session. Returns the account's id and the session's token. On a
 * coach's host (`tenant`) only that coach can sign in. Throws unauthorized, the same for a wrong password, an unknown
 * address and another coach's host; rate_limited after too many failures (`signInRules`).
 */
export async function signIn(
  platform: Platform,
  input: z.infer<typeof Login>,
  { address, tenant }: { address: string; tenant: HostTenant | null },
): Promise<{ coachId: number; token: string }> {
  const email = input.email.trim().toLowerCase()
  const coachId = await withRateLimit(
    platform,
    signInRules(email, address),
    () => checkPassword(platform, email, input.password, tenant),
    (error) => error instanceof AppError && error.code === 'unauthorized',
  )
  await remember(platform, knownClientKey(email, address))
  return { coachId, token: await createSession(platform, coachId) }
}

async function checkPassword(
  platform: Platform,
  email: string,
  password: string,
  tenant: HostTenant | null,
): Promise<number> {
  const account = await findAccountByEmail(platform, email)
  // An unknown address must take as long as a wrong password.
  const passwordHash = account?.passwordHash ?? (await getDummyHash())
  const isCorrect = await verifyPassword(passwordHash, password)
  if (!account?.passwordHash || !isCorrect || (tenant && tenant.id !== account.id))
    throw new AppError('unauthorized', 'Invalid email or password')
  return account.id
}

export async function findAccountByEmail(
  platform: Platform,
  email: string,
): Promise<{ id: number; passwordHash: string | null } | undefined> {
  // Postgres can't store these: no account can have such an address.
  if (email.includes('\0') || !email.isWellFormed()) return undefined
  const [row] = await platform.readPool.queryGlobal<{ id: number; passwordHash: string | null }>({
    name: 'account.by-email',
    text: 'select id, password_hash as "passwordHash" from find_account_by_email($1)',
    values: [email],
  })
  return row
}

let dummyHash: Promise<string> | undefined
const getDummyHash = (): Promise<string> => (dummyHash ??= hashPassword('a password of no account'))

/** argon2id with the library's defaults (19 MiB, 2 passes), as OWASP recommends. Throws unavailable under overload. */
export function hashPassword(password: string): Promise<string> {
  return limitHashing(() => hash(password))
}

/** A hash keeps one core busy: leave the others to everybody else's requests. */
const limitHashing = createSemaphore({
  slots: 2,
  waiting: 100,
  busy: () =>
    new AppError('unavailable', 'Many people are signing in. Please try again in a moment.', {
      headers: { 'Retry-After': '2' },
    }),
})

export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return limitHashing(() => verify(passwordHash, password).catch(() => false))
}

/** Creates a session and returns the token for the cookie; only its hash is stored. */
export async function createSession(platform: Platform, coachId: number): Promise<string> {
  const { token, tokenHash } = createToken()
  const now = platform.now()
  await withTenant(platform, coachId, async ({ em }) => {
    em.create(Session, {
      coachId,
      tokenHash,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + sessionDays * dayMs),
    })
    await em.nativeUpdate(Account, { id: coachId }, { lastSignInAt: now })
  })
  return token
}

/** Deletes the viewer's session, if there is one. */
export async function signOut(platform: Platform, { account, sessionHash }: Viewer): Promise<void> {
  if (!account || !sessionHash) return
  await withTenant(platform, account.id, ({ em }) =>
    em.nativeDelete(Session, { coachId: account.id, tokenHash: sessionHash }),
  )
}
