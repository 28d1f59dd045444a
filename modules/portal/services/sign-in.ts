import { AppError } from '#app/lib/errors.ts'
import { dayMs } from '#app/lib/time.ts'
import { publish } from '#modules/core/events.ts'
import { emailRequestRules, emailRule, tokenRules } from '#tenants/auth/account-limits.ts'
import { toDeviceColumns, type Device } from '#tenants/auth/device.ts'
import { countAttempt, isWithinLimit } from '#tenants/auth/rate-limit.ts'
import { logSecurity } from '#tenants/auth/security-log.ts'
import { createToken, hashToken } from '#tenants/auth/signing-keys.ts'
import { getCustomDomain } from '#tenants/config.ts'
import type { Ctx, PortalClient, WriteCtx } from '#tenants/context.ts'
import type { TenantTransaction } from '#tenants/platform.ts'
import { clientSignedIn } from '../events.ts'
import { idleDays, sessionDays } from '../fields.ts'
import { signInQueue } from './sign-in-email.ts'

/** The time is written once a day. */
const seenEveryMs = dayMs
/** Anybody can ask for any number of unknown addresses: their jobs don't stay. */
const jobRetention = { retentionSeconds: 3600, deleteAfterSeconds: 600 }

/**
 * Emails a link later, so that known and unknown addresses look the same. Throws rate_limited for somebody who asks too
 * often; too many emails to one address are left out silently, because their owner may not be the one who asks.
 */
export async function requestSignIn(
  { platform, coachId }: Ctx,
  input: { email: string },
  { address, next }: { address: string; next: string | null },
): Promise<void> {
  const email = input.email.trim().toLowerCase()
  const kind = `portal-${coachId}`
  await countAttempt(platform, { rules: emailRequestRules(kind, email, address), address })
  if (await isWithinLimit(platform, emailRule(kind, email)))
    await platform.boss.send(signInQueue, { coachId, email, next }, jobRetention)
}

export type OpenPortalLink = { id: number; clientId: number; name: string; email: string }

/** The client whom a link can still sign in on `host`; null for one that is used, expired, or for another host. */
export async function findLink(ctx: Ctx, token: string, host: string): Promise<OpenPortalLink | null> {
  const [link] = await ctx.query<OpenPortalLink>({
    name: 'portal.find-link',
    text: `select l.id, c.id as "clientId", c.name, l.email from portal_link l
      join client c on c.coach_id = $1 and c.id = l.client_id
      where l.coach_id = $1 and l.token_hash = $2 and l.host = $3 and l.used_at is null and l.expires_at > $4
        and c.deleted_at is null and lower(c.email) = l.email`,
    values: [ctx.coachId, hashToken(token), host, ctx.now()],
  })
  return link ?? null
}

/**
 * Uses up a link and signs its client in. Returns the token of the session's cookie; of concurrent calls one succeeds.
 * Throws not_found for a link that doesn't work here or now, and rate_limited for somebody who tries many.
 */
export async function redeemLink(ctx: Ctx, token: string, { host, device }: SignInVisit) {
  const link = await findLink(ctx, token, host)
  const session = link && (await ctx.write((tx) => startSession(tx, link, { host, device })))
  if (session) return session
  const { address } = device
  await countAttempt(ctx.platform, { rules: tokenRules(address), address })
  logSecurity(ctx.platform, { event: 'link_refused', address, reason: 'portal' })
  throw new AppError('not_found', 'This link has expired or was already used. Ask for a new one below.')
}

/**
 * Sign-ins, new passkeys and the end of all access of a client follow each other: the first statement of each. Not the
 * row of the client, which clients may not lock.
 */
export async function lockAccess(tx: WriteCtx, clientId: number): Promise<void> {
  await tx.query({
    name: 'portal.lock-access',
    text: `select pg_advisory_xact_lock(hashtext('portal-access ' || $1::text), $2::int)`,
    values: [tx.coachId, clientId % 2_147_483_647],
  })
}

type SignInVisit = { host: string; device: Device }

async function startSession(tx: WriteCtx, link: OpenPortalLink, visit: SignInVisit): Promise<string | null> {
  await lockAccess(tx, link.clientId)
  const used = await tx.query({
    name: 'portal.use-link',
    text: 'update portal_link set used_at = $3 where coach_id = $1 and id = $2 and used_at is null returning id',
    values: [tx.coachId, link.id, tx.now()],
  })
  return used.length ? createSession(tx, link, visit) : null
}

/** Signs a client in on `host` who has proved that `email` is theirs. Returns the token of the session's cookie. */
export async function createSession(
  tx: WriteCtx,
  { clientId, email }: { clientId: number; email: string },
  { host, device }: SignInVisit,
): Promise<string> {
  const now = tx.now()
  const { token, tokenHash } = createToken()
  const { userAgent, ipAddress } = toDeviceColumns(device)
  await tx.query({
    name: 'portal.insert-session',
    text: `insert into portal_session
        (coach_id, client_id, email, domain, token_hash, user_agent, ip_address, created_at, last_seen_at, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)`,
    values: [
      tx.coachId,
      clientId,
      email,
      host === getCustomDomain(tx.account) ? host : null,
      tokenHash,
      userAgent,
      ipAddress,
      now,
      new Date(now.getTime() + sessionDays * dayMs),
    ],
  })
  await publish(tx, clientSignedIn, { clientId })
  return token
}

/**
 * The client of a session that is still used; null for any other, for one of another host, and for a client who is not
 * there any more. `domain`: the visited host, if it is the coach's own domain.
 */
export async function findSessionClient(ctx: Ctx, token: string, domain: string | null): Promise<PortalClient | null> {
  const now = ctx.now()
  const [row] = await ctx.query<Omit<PortalClient, 'timezone'> & { timezone: string | null; isStale: boolean }>({
    name: 'portal.session-client',
    text: `select c.id, c.name, c.email, c.timezone, s.created_at as "signedInAt", s.last_seen_at < $4 as "isStale"
      from portal_session s
      join client c on c.coach_id = $1 and c.id = s.client_id
      where s.coach_id = $1 and s.token_hash = $2 and s.expires_at > $3 and s.last_seen_at > $5
        and s.domain is not distinct from $6 and c.deleted_at is null and lower(c.email) = s.email`,
    values: [
      ctx.coachId,
      hashToken(token),
      now,
      new Date(now.getTime() - seenEveryMs),
      new Date(now.getTime() - idleDays * dayMs),
      domain,
    ],
  })
  if (!row) return null
  const { isStale, timezone, ...client } = row
  // The page doesn't wait for it.
  if (isStale) void updateLastSeen(ctx, token)
  return { ...client, timezone: timezone ?? ctx.account.timezone }
}

/** The next owner of the domain gets the cookies of those who signed in there. */
export async function endDomainSessions(tx: TenantTransaction, coachId: number): Promise<void> {
  await tx.query({
    name: 'portal.end-domain-sessions',
    text: 'delete from portal_session where coach_id = $1 and domain is not null',
    values: [coachId],
  })
}

async function updateLastSeen(ctx: Ctx, token: string): Promise<void> {
  try {
    await ctx.write((tx) =>
      tx.query({
        name: 'portal.session-seen',
        text: 'update portal_session set last_seen_at = $3 where coach_id = $1 and token_hash = $2',
        values: [tx.coachId, hashToken(token), tx.now()],
      }),
    )
  } catch (error) {
    ctx.platform.log.warn({ err: error }, 'the time of a portal session could not be updated')
  }
}

/** Ends the session of this browser. `ctx`: a visitor's. */
export async function signOut(ctx: Ctx, token: string): Promise<void> {
  await ctx.write((tx) =>
    tx.query({
      name: 'portal.sign-out',
      text: 'delete from portal_session where coach_id = $1 and token_hash = $2',
      values: [tx.coachId, hashToken(token)],
    }),
  )
}
