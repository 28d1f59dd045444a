import { hash, verify } from '@node-rs/argon2'
import type { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { createSemaphore } from '#app/lib/semaphore.ts'
import type { Login } from '../accounts/forms.ts'
import type { Platform } from '../platform.ts'
import { knownClientKey, signInRules } from './account-limits.ts'
import { remember, withRateLimit } from './rate-limit.ts'
import type { HostTenant } from './viewer.ts'

/**
 * Checks an email address and a password. Returns the account's id. On a coach's host (`tenant`) only that coach can sign
 * in. Throws unauthorized, the same for a wrong password, an unknown address and another coach's host; rate_limited after
 * too many failures (`signInRules`).
 */
export async function checkCredentials(
  platform: Platform,
  input: z.infer<typeof Login>,
  { address, tenant }: { address: string; tenant: HostTenant | null },
): Promise<number> {
  const email = input.email.trim().toLowerCase()
  const coachId = await withRateLimit(
    platform,
    signInRules(email, address),
    () => checkPassword(platform, email, input.password, tenant),
    (error) => error instanceof AppError && error.code === 'unauthorized',
  )
  await remember(platform, knownClientKey(email, address))
  return coachId
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
