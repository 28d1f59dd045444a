import { AppError } from '#app/lib/errors.ts'
import { dayMs } from '#app/lib/time.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import { getCustomDomain } from '../config.ts'
import type { Ctx, WriteCtx } from '../context.ts'
import { withTenant, type Platform, type TenantTransaction } from '../platform.ts'
import { Account, Session } from '../schema.ts'
import { confirmPassword } from './confirm-password.ts'
import { describeDevice, isSameDevice, toDeviceColumns, type Device } from './device.ts'
import { recordSecurityEvent, type SecurityEventKind } from './security-events.ts'
import { createToken, hashToken } from './signing-keys.ts'
import type { HostTenant, Viewer } from './viewer.ts'

const sessionDays = 30
/** A session ends after this time without a request; `find_viewer` enforces it. */
const idleDays = 7

/**
 * The account of the session `token` and the coach of the host `hostLabel`: a subdomain's name, a domain, or null on
 * the platform's host. One round trip.
 */
export async function findViewer(
  platform: Platform,
  token: string | undefined,
  hostLabel: string | null,
): Promise<Viewer> {
  const sessionHash = token ? hashToken(token) : null
  const domain = hostLabel?.includes('.') ? hostLabel : null
  if (!sessionHash && !hostLabel) return { account: null, tenant: null, owner: null, sessionHash: null, domain }
  const [row] = await platform.readPool.queryGlobal<Omit<Viewer, 'sessionHash' | 'domain'> & { isStale: boolean }>({
    name: 'viewer',
    text: 'select account, tenant, owner, is_stale as "isStale", closed from find_viewer($1, $2, $3)',
    values: [sessionHash, hostLabel, platform.now()],
  })
  const { isStale, ...found } = row!
  const viewer = { ...found, ...hideLapsedDomain(found, hostLabel), sessionHash, domain }
  // The response doesn't wait for it.
  if (isStale) void updateLastSeen(platform, viewer)
  return viewer
}

/** A domain of one's own is not there below Premium. */
const hideLapsedDomain = ({ tenant }: Pick<Viewer, 'tenant'>, hostLabel: string | null): Partial<Viewer> =>
  tenant && hostLabel === tenant.customDomain && !getCustomDomain(tenant) ? { tenant: null, owner: null } : {}

async function updateLastSeen(platform: Platform, { account, sessionHash }: Viewer): Promise<void> {
  if (!account || !sessionHash) return
  const session = { coachId: account.id, tokenHash: sessionHash }
  try {
    await withTenant(platform, account.id, ({ em }) =>
      em.nativeUpdate(Session, session, { lastSeenAt: platform.now() }),
    )
  } catch (error) {
    platform.log.warn({ err: error }, 'the time of a session could not be updated')
  }
}

/**
 * Creates a session and returns the token for the cookie; only its hash is stored. Emails the owner about a sign-in
 * from a new device. One that is made at the domain of a coach is valid there alone.
 */
export async function createSession(
  platform: Platform,
  coachId: number,
  device: Device,
  domain: string | null,
): Promise<string> {
  const { token, tokenHash } = createToken()
  const now = platform.now()
  await withTenant(platform, coachId, async (tx) => {
    tx.em.create(Session, {
      coachId,
      tokenHash,
      ...toDeviceColumns(device),
      domain,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + sessionDays * dayMs),
    })
    await tx.em.nativeUpdate(Account, { id: coachId }, { lastSignInAt: now })
    await recordSecurityEvent(tx, coachId, { kind: await getSignInKind(tx, coachId, device), device, now })
  })
  return token
}

/** The account's first sign-in isn't one from a new device. */
async function getSignInKind(tx: TenantTransaction, coachId: number, device: Device): Promise<SecurityEventKind> {
  const earlier = await tx.query<Device>({
    name: 'security-event.sign-ins',
    text: `select user_agent as "userAgent", coalesce(ip_address, '') as address from security_event
      where coach_id = $1 and kind in ('sign_in', 'new_device') order by id desc limit 100`,
    values: [coachId],
  })
  return !earlier.length || earlier.some((entry) => isSameDevice(entry, device)) ? 'sign_in' : 'new_device'
}

/** The browser that signs in: its device, its host and the account that it is signed in to until now. */
export type SignInContext = Device & { tenant: HostTenant | null; viewer: Viewer }

/** Signs the browser in and ends the session that it had. Returns the token of the new one. */
export async function replaceSession(platform: Platform, coachId: number, context: SignInContext): Promise<string> {
  const token = await createSession(platform, coachId, context, context.viewer.domain)
  await signOut(platform, context.viewer)
  return token
}

/**
 * Ends the sessions at the coach's own domain, their clients' too. It may belong to somebody else next, to whom browsers
 * then send the cookies.
 */
export async function endDomainSessions(platform: Platform, tx: TenantTransaction, coachId: number): Promise<void> {
  for (const end of platform.extensions.domainSessionEnders) await end(tx, coachId)
  await tx.em.nativeDelete(Session, { coachId, domain: { $ne: null } })
}

/** Deletes the viewer's session, if there is one. */
export async function signOut(
  platform: Platform,
  { account, closed, supportEnded, sessionHash }: Viewer,
): Promise<void> {
  const coachId = (account ?? closed?.account ?? supportEnded)?.id
  if (!coachId || !sessionHash) return
  await withTenant(platform, coachId, ({ em }) => em.nativeDelete(Session, { coachId, tokenHash: sessionHash }))
}

export type SessionEntry = {
  id: number
  device: string
  address: string | null
  signedInAt: string
  lastSeenAt: string
  isCurrent: boolean
}

/**
 * The devices that are signed in, this one first, then the most recently used. `total`: the number without `rows` and
 * `skip`.
 */
export async function listSessions(
  ctx: Ctx,
  currentHash: Buffer | null,
  { rows: limit = null, skip = 0 }: { rows?: number | null; skip?: number } = {},
): Promise<(SessionEntry & { total: number })[]> {
  const now = ctx.now()
  const rows = await ctx.query<Omit<SessionEntry, 'device'> & { userAgent: string | null; total: number }>({
    name: 'session.list',
    text: `select id, user_agent as "userAgent", ip_address as address, ${isoTimestamp('created_at')} as "signedInAt",
      ${isoTimestamp('last_seen_at')} as "lastSeenAt", coalesce(token_hash = $2, false) as "isCurrent",
      count(*) over ()::int as total
      from session where coach_id = $1 and expires_at > $3 and last_seen_at > $4
      order by coalesce(token_hash = $2, false) desc, last_seen_at desc, id desc limit $5 offset $6`,
    values: [ctx.coachId, currentHash, now, idleSince(now), limit, skip],
  })
  return rows.map(({ userAgent, ...session }) => ({ ...session, device: describeDevice(userAgent) }))
}

/** Sessions that were last used before this time have ended. */
export const idleSince = (now: Date): Date => new Date(now.getTime() - idleDays * dayMs)

type PasswordInput = { currentPassword: string }

/** Signs one device out. Throws validation_failed for a wrong password, not_found if it has already signed out. */
export async function endSession(
  ctx: WriteCtx,
  { id, currentPassword }: PasswordInput & { id: number },
  device: Device,
): Promise<void> {
  const { coachId } = ctx
  await confirmPassword(ctx, currentPassword)
  const session = await ctx.em.findOne(Session, { coachId, id })
  if (!session || !(await ctx.em.nativeDelete(Session, { coachId, id })))
    throw new AppError('not_found', 'This device is already signed out.')
  const details = { name: describeDevice(session.userAgent ?? null) }
  await recordSecurityEvent(ctx, coachId, { kind: 'session_ended', device, now: ctx.now(), details })
}

/** Signs all devices out but the one of `currentHash`. Throws validation_failed for a wrong password. */
export async function endOtherSessions(
  ctx: WriteCtx,
  { currentPassword }: PasswordInput,
  { currentHash, device }: { currentHash: Buffer | null; device: Device },
): Promise<void> {
  await confirmPassword(ctx, currentPassword)
  const others = { coachId: ctx.coachId, ...(currentHash ? { tokenHash: { $ne: currentHash } } : {}) }
  if (!(await ctx.em.nativeDelete(Session, others))) return
  await recordSecurityEvent(ctx, ctx.coachId, { kind: 'sessions_ended', device, now: ctx.now() })
}
