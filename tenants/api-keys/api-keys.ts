import { AppError } from '#app/lib/errors.ts'
import { dayMs } from '#app/lib/time.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import { accountClosed } from '../accounts/closing.ts'
import { requireVerifiedEmail } from '../accounts/email-verification.ts'
import { keyRules } from '../auth/account-limits.ts'
import { confirmPassword } from '../auth/confirm-password.ts'
import type { Device } from '../auth/device.ts'
import { countAttempt } from '../auth/rate-limit.ts'
import { logSecurity } from '../auth/security-log.ts'
import { recordSecurityEvent } from '../auth/security-events.ts'
import { createToken, hashToken } from '../auth/signing-keys.ts'
import type { CoachAccount } from '../auth/viewer.ts'
import type { Ctx, WriteCtx } from '../context.ts'
import { withTenant, type Platform } from '../platform.ts'
import { ApiKey } from './schema.ts'
import type { Scope } from './scopes.ts'

export const maxKeys = 20
/** Scanners for leaked secrets find a key by it. */
const prefix = 'coach_key_'
/** Requests of one key in a minute. */
const requestsPerMinute = 600

export type ApiKeyEntry = {
  id: number
  name: string
  hint: string
  scopes: string[]
  createdAt: string
  expiresAt: string | null
  lastUsedAt: string | null
}

/** Newest first, also expired ones. */
export async function listApiKeys(ctx: Ctx): Promise<ApiKeyEntry[]> {
  return ctx.query<ApiKeyEntry>({
    name: 'api-key.list',
    text: `select id, name, hint, scopes, ${isoTimestamp('created_at')} as "createdAt",
        ${isoTimestamp('expires_at')} as "expiresAt", ${isoTimestamp('last_used_at')} as "lastUsedAt"
      from api_key where coach_id = $1 order by id desc limit ${maxKeys}`,
    values: [ctx.coachId],
  })
}

/**
 * Creates a key and returns it: only its hash is stored. Throws validation_failed for a wrong password, forbidden while
 * the coach's address isn't confirmed, conflict beyond the limit.
 */
export async function createApiKey(
  ctx: WriteCtx,
  {
    name,
    scopes,
    days,
    currentPassword,
  }: { name: string; scopes: Scope[]; days: number | null; currentPassword: string },
  device: Device,
): Promise<string> {
  const { coachId } = ctx
  requireVerifiedEmail(ctx)
  await confirmPassword(ctx, currentPassword)
  const now = ctx.now()
  // Two forms at the same time must not get past the limit.
  await ctx.query({
    name: 'api-key.lock-account',
    text: 'select id from account where id = $1 for no key update',
    values: [coachId],
  })
  if ((await listApiKeys(ctx)).length >= maxKeys)
    throw new AppError('conflict', `You have ${maxKeys} keys, as many as possible. Revoke one that you no longer use.`)
  const { token } = createToken()
  const key = prefix + token
  const expiresAt = days === null ? null : new Date(now.getTime() + days * dayMs)
  const row = { coachId, name, tokenHash: hashToken(key), hint: key.slice(-4), scopes, expiresAt, createdAt: now }
  ctx.em.create(ApiKey, row)
  await ctx.em.flush()
  await recordSecurityEvent(ctx, coachId, { kind: 'api_key_created', device, now, details: { name } })
  return key
}

/** The key stops working at once. Throws not_found for one that was revoked already. */
export async function revokeApiKey(ctx: WriteCtx, id: number, device: Device): Promise<void> {
  const { coachId } = ctx
  const key = await ctx.em.findOne(ApiKey, { coachId, id })
  if (!key || !(await ctx.em.nativeDelete(ApiKey, { coachId, id })))
    throw new AppError('not_found', 'This key was already revoked.')
  const details = { name: key.name }
  await recordSecurityEvent(ctx, coachId, { kind: 'api_key_revoked', device, now: ctx.now(), details })
}

/** The key of a request's Authorization header; null without one that has the form `Bearer …`. */
export function readBearer(headers: Headers): string | null {
  const [, token] = /^Bearer +(\S{1,200}) *$/i.exec(headers.get('authorization') ?? '') ?? []
  return token ?? null
}

/**
 * The account that a key acts for, and what it may do. Counts the request. Throws unauthorized for a key that is
 * revoked, expired or unknown, forbidden for one of an account that its owner has closed, rate_limited for one that is
 * used too often and for a client that tries many.
 */
export async function findKeyAccount(
  platform: Platform,
  key: string,
  address: string,
): Promise<{ account: CoachAccount; scopes: string[]; keyId: number }> {
  const now = platform.now()
  const [found] = await platform.readPool.queryGlobal<{
    account: CoachAccount | null
    keyId: number
    scopes: string[]
    isStale: boolean
  }>({
    name: 'api-key.find',
    text: `select account, key_id as "keyId", scopes, is_stale as "isStale" from find_api_key($1, $2)`,
    values: [hashToken(key), now],
  })
  if (!found) {
    await countAttempt(platform, { rules: keyRules(address), address })
    logSecurity(platform, { event: 'api_key_refused', address, reason: 'unknown_or_expired' })
    throw new AppError('unauthorized', 'This API key is not valid.', {
      headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
    })
  }
  const { account, keyId, scopes, isStale } = found
  if (!account) throw accountClosed(platform)
  const rules = [{ key: `api-key:${keyId}`, attempts: requestsPerMinute, minutes: 1 }]
  await countAttempt(platform, { rules, address, account: account.id })
  // The response doesn't wait for it.
  if (isStale) void noteUse(platform, account.id, keyId)
  return { account, scopes, keyId }
}

async function noteUse(platform: Platform, coachId: number, id: number): Promise<void> {
  try {
    await withTenant(platform, coachId, ({ em }) =>
      em.nativeUpdate(ApiKey, { coachId, id }, { lastUsedAt: platform.now() }),
    )
  } catch (error) {
    platform.log.warn({ err: error }, 'the use of an API key could not be noted')
  }
}
