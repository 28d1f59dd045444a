import { isIP } from 'node:net'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { AppError } from '#app/lib/errors.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import { getCustomDomain, subdomainOrigin, type Config } from '../config.ts'
import type { Ctx, WriteCtx } from '../context.ts'
import { withTenant, type Platform, type TenantTransaction } from '../platform.ts'
import { Passkey } from '../schema.ts'
import { confirmPassword } from './confirm-password.ts'
import type { Device } from './device.ts'
import { recordSecurityEvent } from './security-events.ts'
import { logSecurity } from './security-log.ts'
import { replaceSession, type SignInContext } from './sessions.ts'
import { hashToken } from './signing-keys.ts'
import type { HostTenant } from './viewer.ts'
import {
  challengeMinutes,
  createPasskeyOptions,
  createSignInOptions,
  getOrigin,
  verifyNewPasskey,
  verifyPasskey,
  type PasskeySite,
} from './webauthn.ts'

const maxPasskeys = 20

/**
 * Passkeys belong to the platform's domain, and so to its subdomains. Null for an IP address, which can't have any, and
 * on a coach's own domain.
 */
export function getPasskeyDomain({ origin }: Pick<Config, 'origin'>, tenant: HostTenant | null = null): string | null {
  const { hostname } = new URL(origin)
  if (tenant && getCustomDomain(tenant)) return null
  return isIP(hostname.replace(/^\[|\]$/g, '')) ? null : hostname
}

export type PasskeyEntry = { id: number; name: string; createdAt: string; lastUsedAt: string | null }

export function listPasskeys(ctx: Ctx): Promise<PasskeyEntry[]> {
  return ctx.query<PasskeyEntry>({
    name: 'passkey.list',
    text: `select id, name, ${isoTimestamp('created_at')} as "createdAt", ${isoTimestamp('last_used_at')} as "lastUsedAt"
      from passkey where coach_id = $1 order by id`,
    values: [ctx.coachId],
  })
}

/**
 * The options of the browser's dialog that creates a passkey, valid for 5 minutes. Throws validation_failed, conflict.
 */
export async function startPasskey(ctx: WriteCtx, password: string) {
  await confirmPassword(ctx, password)
  const existing = await ctx.query<{ credentialId: Buffer; transports: string[] }>({
    name: 'passkey.credentials',
    text: 'select credential_id as "credentialId", transports from passkey where coach_id = $1',
    values: [ctx.coachId],
  })
  if (existing.length >= maxPasskeys)
    throw new AppError('conflict', `You have ${maxPasskeys} passkeys. Remove one before you add another.`)
  const { config } = ctx.platform
  return createPasskeyOptions(ctx.platform, {
    purpose: `add for ${ctx.coachId}`,
    domain: requirePasskeyDomain(config),
    site: config.platformName,
    user: {
      id: `coach ${ctx.coachId}`,
      name: ctx.account.email,
      displayName: `${ctx.account.firstName} ${ctx.account.lastName}`,
    },
    existing,
  })
}

/** Stores the passkey that the browser created for the options of `startPasskey`. Throws validation_failed. */
export async function addPasskey(
  ctx: WriteCtx,
  { name, response }: { name: string; response: RegistrationResponseJSON },
  context: SignInContext,
): Promise<void> {
  const { platform, coachId } = ctx
  const site = getSite(platform.config, context.tenant)
  const verified = await verifyNewPasskey(platform, response, { purpose: `add for ${coachId}`, site })
  if (!verified) {
    logSecurity(platform, { event: 'passkey_refused', account: coachId, address: context.address, reason: 'new' })
    throw new AppError('validation_failed', 'This passkey could not be verified. Please try again.')
  }
  await redeemChallenge(ctx, platform, coachId, verified.challenge.text, context)
  ctx.em.create(Passkey, { coachId, name, ...verified.passkey, createdAt: ctx.now() })
  await ctx.em.flush()
  await recordSecurityEvent(ctx, coachId, { kind: 'passkey_added', device: context, now: ctx.now(), details: { name } })
}

/** Removes a passkey. Throws validation_failed for a wrong password, not_found for one that was removed already. */
export async function removePasskey(
  ctx: WriteCtx,
  { id, currentPassword }: { id: number; currentPassword: string },
  device: Device,
): Promise<void> {
  const { coachId } = ctx
  await confirmPassword(ctx, currentPassword)
  const passkey = await ctx.em.findOne(Passkey, { coachId, id })
  if (!passkey) throw new AppError('not_found', 'This passkey was already removed.')
  await ctx.em.nativeDelete(Passkey, { coachId, id })
  const details = { name: passkey.name }
  await recordSecurityEvent(ctx, coachId, { kind: 'passkey_removed', device, now: ctx.now(), details })
}

/** The options of the browser's dialog that signs in with a passkey, valid for 5 minutes. */
export async function startPasskeySignIn(platform: Platform) {
  return createSignInOptions(platform, { purpose: 'sign-in', domain: requirePasskeyDomain(platform.config) })
}

type PasskeyRow = { coachId: number; id: number; publicKey: Buffer; signCount: string; transports: string[] }

/**
 * Signs in with a passkey, which counts as both factors: the device and its PIN, finger or face. Returns the token of
 * the session. Throws unauthorized, also for a passkey of another practice.
 */
export async function signInWithPasskey(
  platform: Platform,
  response: AuthenticationResponseJSON,
  context: SignInContext,
): Promise<string> {
  const [passkey] = await platform.readPool.queryGlobal<PasskeyRow>({
    name: 'passkey.find',
    text: `select coach_id as "coachId", id, public_key as "publicKey", sign_count::text as "signCount", transports
      from find_passkey($1)`,
    values: [Buffer.from(response.id, 'base64url')],
  })
  const { tenant, address } = context
  const refuse = (reason: string, message: string): AppError => {
    logSecurity(platform, { event: 'passkey_refused', account: passkey?.coachId ?? null, address, reason })
    return new AppError('unauthorized', message)
  }
  if (!passkey) throw refuse('unknown', 'This passkey is not known here. Sign in with your password.')
  const site = getSite(platform.config, tenant)
  const { publicKey, transports } = passkey
  const verified = await verifyPasskey(platform, response, {
    purpose: 'sign-in',
    site,
    passkey: { publicKey, transports, signCount: Number(passkey.signCount) },
  })
  if (!verified)
    throw getOrigin(response) === site.origin
      ? refuse('not_verified', 'This passkey could not be verified. Please try again.')
      : refuse('other_address', `This passkey was used at another address. Open ${site.origin} and try again.`)
  const { coachId, id } = passkey
  if (tenant && tenant.id !== coachId)
    throw refuse('other_host', `This passkey belongs to another account. Sign in at ${platform.config.origin} instead.`)
  await withTenant(platform, coachId, async (tx) => {
    await redeemChallenge(tx, platform, coachId, verified.challenge.text, context)
    const changes = { signCount: verified.signCount, lastUsedAt: platform.now() }
    if (!(await tx.em.nativeUpdate(Passkey, { coachId, id }, changes)))
      throw unauthorized('This passkey was removed. Sign in with your password.')
  })
  return replaceSession(platform, coachId, context)
}

const unauthorized = (message: string): AppError => new AppError('unauthorized', message)

function requirePasskeyDomain(config: Config): string {
  const domain = getPasskeyDomain(config)
  if (!domain) throw new AppError('not_found', 'Passkeys need an address with a domain name.')
  return domain
}

/** The platform's host or the coach's own. */
function getSite(config: Config, tenant: HostTenant | null): PasskeySite {
  return {
    origin: tenant ? subdomainOrigin(config, tenant.subdomain) : config.origin,
    domain: requirePasskeyDomain(config),
  }
}

/** Lets each challenge be used once. Throws unauthorized for the second time. */
async function redeemChallenge(
  tx: TenantTransaction,
  platform: Platform,
  coachId: number,
  challenge: string,
  { address }: { address: string },
): Promise<void> {
  const now = platform.now()
  const stored = await tx.query({
    name: 'passkey.redeem-challenge',
    text: `insert into one_time_token (coach_id, kind, token_hash, expires_at, used_at)
      values ($1, 'passkey', $2, $3, $4) on conflict (token_hash) do nothing returning id`,
    values: [coachId, hashToken(challenge), new Date(now.getTime() + challengeMinutes * 60_000), now],
  })
  if (stored.length) return
  logSecurity(platform, { event: 'passkey_refused', account: coachId, address, reason: 'used' })
  throw unauthorized('This passkey was already used for this sign-in. Please try again.')
}
