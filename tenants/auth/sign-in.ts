import { hash, verify } from '@node-rs/argon2'
import type { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { createSemaphore } from '#app/lib/semaphore.ts'
import type { Login } from '../accounts/forms.ts'
import { setPassword } from '../accounts/protected-columns.ts'
import { withTenant, type Platform } from '../platform.ts'
import { knownClientKey, signInRules } from './account-limits.ts'
import { remember, withRateLimit } from './rate-limit.ts'
import { logSecurity } from './security-log.ts'
import type { HostTenant } from './viewer.ts'

/**
 * Checks an email address and a password. Returns the account's id. On a coach's host (`tenant`) only that coach can
 * sign in. Throws unauthorized, the same for a wrong password, an unknown address and another coach's host;
 * rate_limited after too many failures (`signInRules`).
 */
export async function checkCredentials(
  platform: Platform,
  input: z.infer<typeof Login>,
  { address, tenant }: { address: string; tenant: HostTenant | null },
): Promise<number> {
  const email = input.email.trim().toLowerCase()
  const { id, passwordHash } = await withRateLimit(
    platform,
    { rules: signInRules(email, address), address },
    () => checkPassword(platform, { email, password: input.password }, { address, tenant }),
    (error) => error instanceof AppError && error.code === 'unauthorized',
  )
  await remember(platform, knownClientKey(email, address))
  if (isWeakHash(passwordHash))
    await rehash(platform, id, { passwordHash, password: input.password }).catch((error: unknown) =>
      platform.log.warn({ err: error, account: id }, 'a password could not be hashed anew'),
    )
  return id
}

async function checkPassword(
  platform: Platform,
  { email, password }: { email: string; password: string },
  { address, tenant }: { address: string; tenant: HostTenant | null },
): Promise<{ id: number; passwordHash: string }> {
  const account = await findCredentials(platform, email)
  // An unknown address must take as long as a wrong password.
  const passwordHash = account?.passwordHash ?? (await getDummyHash())
  const isCorrect = await verifyPassword(passwordHash, password)
  const isOtherHost = tenant !== null && tenant.id !== account?.id
  if (!account?.passwordHash || !isCorrect || isOtherHost) {
    const reason = !account ? 'unknown_account' : isCorrect && isOtherHost ? 'other_host' : 'wrong_password'
    logSecurity(platform, { event: 'sign_in_failed', account: account?.id ?? null, address, reason })
    throw new AppError('unauthorized', 'Invalid email or password')
  }
  return { id: account.id, passwordHash: account.passwordHash }
}

/** Stores a hash of today's parameters, unless the password was changed in the meantime. */
async function rehash(
  platform: Platform,
  id: number,
  { passwordHash, password }: { passwordHash: string; password: string },
): Promise<void> {
  const stronger = await hashPassword(password)
  await withTenant(platform, id, (tx) => setPassword(tx, stronger, platform.now(), passwordHash))
}

export async function findAccountByEmail(platform: Platform, email: string): Promise<{ id: number } | undefined> {
  if (!isStorable(email)) return undefined
  const [row] = await platform.readPool.queryGlobal<{ id: number }>({
    name: 'account.by-email',
    text: 'select id from find_account_by_email($1)',
    values: [email],
  })
  return row
}

type Credentials = { id: number; passwordHash: string | null }

/** The account of `email` with the hash that its password is checked against. */
export async function findCredentials(platform: Platform, email: string): Promise<Credentials | undefined> {
  if (!isStorable(email)) return undefined
  const [row] = await platform.readPool.queryGlobal<Credentials>({
    name: 'account.credentials',
    text: 'select id, password_hash as "passwordHash" from find_credentials($1, $2)',
    values: [email, platform.databaseSigner.signCredentials(email)],
  })
  return row
}

/** Postgres can't store other texts: no account can have such an address. */
const isStorable = (email: string): boolean => !email.includes('\0') && email.isWellFormed()

let dummyHash: Promise<string> | undefined
const getDummyHash = (): Promise<string> => (dummyHash ??= hashPassword('a password of no account'))

/** As OWASP recommends. Stored hashes with less are replaced at the next sign-in. */
const argon2Cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** argon2id. Throws unavailable under overload. */
export function hashPassword(password: string): Promise<string> {
  return limitHashing(() => hash(password, argon2Cost))
}

/** Whether a hash is easier to attack than one of `hashPassword`. */
function isWeakHash(passwordHash: string): boolean {
  const [, memory, time] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$/.exec(passwordHash) ?? []
  return Number(memory ?? 0) < argon2Cost.memoryCost || Number(time ?? 0) < argon2Cost.timeCost
}

/** Whether `password` is the one of the hash. Throws unavailable under overload. */
export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return limitHashing(() => verify(passwordHash, password).catch(() => false))
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
