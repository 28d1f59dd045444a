import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { AppError } from '#app/lib/errors.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import { tokenRules } from '#tenants/auth/account-limits.ts'
import { describeDevice, type Device } from '#tenants/auth/device.ts'
import type { PasskeyEntry } from '#tenants/auth/passkeys.ts'
import { countAttempt, withRateLimit } from '#tenants/auth/rate-limit.ts'
import { logSecurity } from '#tenants/auth/security-log.ts'
import {
  createPasskeyOptions,
  createSignInOptions,
  getOrigin,
  verifyNewPasskey,
  verifyPasskey,
  type PasskeySite,
  type StoredPasskey,
} from '#tenants/auth/webauthn.ts'
import { coachOrigin } from '#tenants/config.ts'
import { requireClient, visitorContext, type Ctx, type PortalClient, type WriteCtx } from '#tenants/context.ts'
import { addPasskeyMinutes, maxPasskeys } from '../fields.ts'
import { passkeyEmailQueue, type PasskeyEmailJob } from './passkey-email.ts'
import { createSession, lockAccess } from './sign-in.ts'

const permission = 'client:passkey:write'

/**
 * Passkeys belong to the coach's host, so that no other practice can ask for them. Throws not_found for a coach without
 * one.
 */
function requireSite({ platform, account }: Ctx): PasskeySite {
  const origin = coachOrigin(platform.config, account)
  if (!origin) throw new AppError('not_found', "We can't find that page.")
  return { origin, domain: new URL(origin).hostname }
}

/** The passkeys with which the client signs in at the practice's present address, oldest first. */
export function listOwnPasskeys(ctx: Ctx): Promise<PasskeyEntry[]> {
  const client = requireClient(ctx, permission)
  return ctx.query<PasskeyEntry>({
    name: 'portal.own-passkeys',
    text: `select id, name, ${isoTimestamp('created_at')} as "createdAt", ${isoTimestamp('last_used_at')} as "lastUsedAt"
      from portal_passkey where coach_id = $1 and client_id = $2 and email = $3 and host = $4 and removed_at is null
      order by id`,
    values: listKeys(ctx, client),
  })
}

/** The parameters that limit statements to the passkeys with which the client signs in. */
const listKeys = (ctx: Ctx, { id, email }: PortalClient) => [
  ctx.coachId,
  id,
  email.toLowerCase(),
  requireSite(ctx).domain,
]

/** Whether the client has just proved who they are: a passkey lasts longer than the session that adds it. */
export const canAddPasskey = ({ client, now }: Ctx): boolean =>
  now().getTime() - (client?.signedInAt?.getTime() ?? 0) <= addPasskeyMinutes * 60_000

/**
 * The options of the browser's dialog that creates a passkey, valid for 5 minutes. Throws forbidden for a client who
 * signed in too long ago, and conflict for one who has 10.
 */
export async function startPasskey(ctx: Ctx) {
  const client = requireClient(ctx, permission)
  requireFreshSignIn(ctx)
  const existing = await listCredentials(ctx, client)
  return createPasskeyOptions(ctx.platform, {
    purpose: toAddPurpose(ctx, client),
    domain: requireSite(ctx).domain,
    site: getPracticeName(ctx),
    user: { id: `client ${ctx.coachId} ${client.id}`, name: client.email, displayName: client.name },
    existing,
  })
}

/** Stores the passkey that the browser created for the options of `startPasskey`. Throws validation_failed, too. */
export async function addPasskey(
  ctx: WriteCtx,
  { name, response }: { name: string; response: RegistrationResponseJSON },
  device: Device,
): Promise<void> {
  const client = requireClient(ctx, permission)
  requireFreshSignIn(ctx)
  const { platform, coachId } = ctx
  await countAttempt(platform, {
    rules: [{ key: `portal-passkeys:${coachId}:${client.id}`, attempts: 20, minutes: 60 }],
    address: device.address,
  })
  const site = requireSite(ctx)
  const verified = await verifyNewPasskey(platform, response, { purpose: toAddPurpose(ctx, client), site })
  if (!verified) throw refuse(ctx, device, 'new')
  // Additions at the same time count one after the other.
  await lockAccess(ctx, client.id)
  await requireOpenSession(ctx, client)
  await listCredentials(ctx, client)
  const { credentialId, publicKey, signCount, transports } = verified.passkey
  const [added] = await ctx.query<{ id: number }>({
    name: 'portal.insert-passkey',
    text: `insert into portal_passkey
        (coach_id, client_id, email, host, name, credential_id, public_key, sign_count, transports, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      on conflict (coach_id, credential_id) do nothing returning id`,
    values: [...listKeys(ctx, client), name, credentialId, publicKey, signCount, transports.slice(0, 10), ctx.now()],
  })
  // A challenge makes one passkey: a replay has the same credential, also after its removal.
  if (!added) throw refuse(ctx, device, 'used')
  ctx.logSecurity({ event: 'client_passkey_added', address: device.address })
  await emailChange(ctx, { clientId: client.id, passkeyIds: [added.id], change: 'added' }, device)
}

/**
 * Throws unauthorized if the session has ended since the request began, or the client has another address now. Read as
 * the practice, because clients see no sessions.
 */
async function requireOpenSession(ctx: WriteCtx, { id, email, signedInAt }: PortalClient): Promise<void> {
  const practice = visitorContext(ctx.platform, ctx.account, { requestId: ctx.requestId }, [])
  const open = await practice.query({
    name: 'portal.session-is-open',
    text: `select s.id from portal_session s join client c on c.coach_id = $1 and c.id = s.client_id
      where s.coach_id = $1 and s.client_id = $2 and s.created_at = $3 and s.expires_at > $5
        and s.email = $4 and lower(c.email) = $4 and c.deleted_at is null limit 1`,
    values: [ctx.coachId, id, signedInAt ?? null, email.toLowerCase(), ctx.now()],
  })
  if (!open.length) throw new AppError('unauthorized', 'You were signed out. Sign in again, then add the passkey.')
}

/** The client removes a passkey of theirs. Throws not_found for one that was removed already. */
export async function removeOwnPasskey(ctx: WriteCtx, id: number, device: Device): Promise<void> {
  const client = requireClient(ctx, permission)
  const removed = await ctx.query({
    name: 'portal.remove-own-passkey',
    text: `update portal_passkey set removed_at = $4
      where coach_id = $1 and client_id = $2 and id = $3 and removed_at is null returning id`,
    values: [ctx.coachId, client.id, id, ctx.now()],
  })
  if (!removed.length) throw new AppError('not_found', 'This passkey was already removed.')
  ctx.logSecurity({ event: 'client_passkey_removed', address: device.address })
  await emailChange(ctx, { clientId: client.id, passkeyIds: [id], change: 'removed' }, device)
}

/** Removes all passkeys of a client, for the coach. */
export async function removePasskeys(ctx: WriteCtx, clientId: number): Promise<void> {
  const removed = await ctx.query<{ id: number }>({
    name: 'portal.remove-passkeys',
    text: `update portal_passkey set removed_at = $3
      where coach_id = $1 and client_id = $2 and removed_at is null returning id`,
    values: [ctx.coachId, clientId, ctx.now()],
  })
  if (!removed.length) return
  ctx.logSecurity({ event: 'client_passkey_removed', account: ctx.coachId, address: ctx.address })
  await emailChange(ctx, { clientId, passkeyIds: removed.map(({ id }) => id), change: 'removed' }, null)
}

/** The options of the browser's dialog that signs in with a passkey, valid for 5 minutes. `ctx`: a visitor's. */
export async function startPasskeySignIn(ctx: Ctx) {
  return createSignInOptions(ctx.platform, { purpose: toSignInPurpose(ctx), domain: requireSite(ctx).domain })
}

/**
 * Signs a client in with a passkey. Returns the token of the session's cookie. Throws unauthorized, and rate_limited
 * for somebody who tries many. `ctx`: a visitor's.
 */
export function signInWithPasskey(ctx: Ctx, response: AuthenticationResponseJSON, device: Device): Promise<string> {
  const { address } = device
  return withRateLimit(
    ctx.platform,
    { rules: tokenRules(address), address },
    () => redeemPasskey(ctx, response, device),
    (error) => error instanceof AppError && error.code === 'unauthorized',
  )
}

type PasskeyRow = Omit<StoredPasskey, 'credentialId' | 'signCount'> & {
  id: number
  clientId: number
  email: string
  signCount: string
}

async function redeemPasskey(ctx: Ctx, response: AuthenticationResponseJSON, device: Device): Promise<string> {
  const site = requireSite(ctx)
  const [found] = await ctx.query<PasskeyRow>({
    name: 'portal.find-passkey',
    text: `select p.id, p.client_id as "clientId", p.email, p.public_key as "publicKey", p.sign_count::text as "signCount",
        p.transports
      from portal_passkey p join client c on c.coach_id = $1 and c.id = p.client_id
      where p.coach_id = $1 and p.credential_id = $2 and p.host = $3 and p.removed_at is null
        and c.deleted_at is null and lower(c.email) = p.email`,
    values: [ctx.coachId, Buffer.from(response.id, 'base64url'), site.domain],
  })
  if (!found) throw refuse(ctx, device, 'unknown')
  const { id, clientId, email, publicKey, transports } = found
  const verified = await verifyPasskey(ctx.platform, response, {
    purpose: toSignInPurpose(ctx),
    site,
    passkey: { publicKey, transports, signCount: Number(found.signCount) },
  })
  if (!verified) throw refuse(ctx, device, getOrigin(response) === site.origin ? 'not_verified' : 'other_address')
  return ctx.write(async (tx) => {
    await lockAccess(tx, clientId)
    const used = await tx.query({
      name: 'portal.use-passkey',
      text: `update portal_passkey set sign_count = $3, challenge_expires_at = $4, last_used_at = $5
        where coach_id = $1 and id = $2 and removed_at is null
          and (challenge_expires_at is null or challenge_expires_at < $4)
          and (sign_count < $3 or (sign_count = 0 and $3 = 0)) returning id`,
      values: [tx.coachId, id, verified.signCount, verified.challenge.expiresAt, tx.now()],
    })
    if (!used.length) throw refuse(ctx, device, 'used')
    return createSession(tx, { clientId, email }, { host: site.domain, device })
  })
}

/** Signed with the challenge: it works at this host of this coach, for this client alone. */
const toAddPurpose = (ctx: Ctx, client: PortalClient): string =>
  `of client ${client.id} of ${ctx.coachId} at ${requireSite(ctx).domain}`
const toSignInPurpose = (ctx: Ctx): string => `of clients of ${ctx.coachId} at ${requireSite(ctx).domain}`

const getPracticeName = ({ account }: Ctx): string => account.businessName ?? `${account.firstName} ${account.lastName}`

function requireFreshSignIn(ctx: Ctx): void {
  if (!canAddPasskey(ctx))
    throw new AppError(
      'forbidden',
      'You signed in more than an hour ago. Reload this page, sign in again, then add the passkey.',
    )
}

/** The credentials of the client's passkeys. Throws conflict if there can't be another one. */
async function listCredentials(
  ctx: Ctx,
  client: PortalClient,
): Promise<Pick<StoredPasskey, 'credentialId' | 'transports'>[]> {
  const rows = await ctx.query<Pick<StoredPasskey, 'credentialId' | 'transports'>>({
    name: 'portal.passkey-credentials',
    text: `select credential_id as "credentialId", transports from portal_passkey
      where coach_id = $1 and client_id = $2 and email = $3 and host = $4 and removed_at is null`,
    values: listKeys(ctx, client),
  })
  if (rows.length >= maxPasskeys)
    throw new AppError('conflict', `You have ${maxPasskeys} passkeys. Remove one before you add another.`)
  return rows
}

const messages = {
  new: 'This passkey could not be verified. Please try again.',
  not_verified: 'This passkey could not be verified. Please try again.',
  other_address: 'This passkey was used at another address. Please try again.',
  unknown: 'This passkey is not known here. Sign in with a link instead.',
  used: 'This passkey was already used for this. Please try again.',
}

function refuse({ platform }: Ctx, { address }: Device, reason: keyof typeof messages): AppError {
  logSecurity(platform, { event: 'passkey_refused', address, reason: `portal_${reason}` })
  return new AppError(reason === 'new' ? 'validation_failed' : 'unauthorized', messages[reason])
}

/** `device` null: the coach did it. */
async function emailChange(
  ctx: WriteCtx,
  change: Pick<PasskeyEmailJob, 'clientId' | 'passkeyIds' | 'change'>,
  device: Device | null,
): Promise<void> {
  const job: PasskeyEmailJob = {
    ...change,
    coachId: ctx.coachId,
    device: device && describeDevice(device.userAgent),
  }
  await ctx.enqueue(passkeyEmailQueue, job)
}
