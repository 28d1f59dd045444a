import { AppError } from '#app/lib/errors.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import { assertNotReadOnly, getClient } from '#modules/crm/index.ts'
import { requireVerifiedEmail } from '#tenants/accounts/email-verification.ts'
import { describeDevice } from '#tenants/auth/device.ts'
import { countAttempt } from '#tenants/auth/rate-limit.ts'
import { coachOrigin } from '#tenants/config.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { removePasskeys } from './passkeys.ts'
import { lockAccess } from './sign-in.ts'
import { signInQueue, type SignInJob } from './sign-in-email.ts'

/** A browser in which a client is signed in. */
export type PortalDevice = { id: number; device: string; signedInAt: string; lastSeenAt: string }
/** `address`: of the portal; null while the coach has no host. `passkeys`: how many sign the client in there. */
export type PortalAccess = {
  address: string | null
  invitedAt: string | null
  devices: PortalDevice[]
  passkeys: number
}

const maxDevices = 20

/** The browsers in which a client is signed in, the last used first, and when they were last sent a link. */
export async function getAccess(ctx: Ctx, clientId: number): Promise<PortalAccess> {
  authorize(ctx, 'portal:access:read')
  const origin = coachOrigin(ctx.platform.config, ctx.account)
  const [devices, links, passkeys] = (await ctx.queryAll([
    {
      name: 'portal.devices',
      text: `select s.id, s.user_agent as "userAgent", ${isoTimestamp('s.created_at')} as "signedInAt",
          ${isoTimestamp('s.last_seen_at')} as "lastSeenAt"
        from portal_session s join client c on c.coach_id = $1 and c.id = s.client_id
        where s.coach_id = $1 and s.client_id = $2 and s.expires_at > $3 and s.email = lower(c.email)
        order by s.last_seen_at desc, s.id desc limit ${maxDevices}`,
      values: [ctx.coachId, clientId, ctx.now()],
    },
    {
      name: 'portal.last-link',
      text: `select ${isoTimestamp('max(created_at)')} as at from portal_link where coach_id = $1 and client_id = $2`,
      values: [ctx.coachId, clientId],
    },
    {
      name: 'portal.count-passkeys',
      text: `select count(*)::int as count from portal_passkey p join client c on c.coach_id = $1 and c.id = p.client_id
        where p.coach_id = $1 and p.client_id = $2 and p.removed_at is null and p.email = lower(c.email) and p.host = $3`,
      values: [ctx.coachId, clientId, origin && new URL(origin).hostname],
    },
  ])) as [(Omit<PortalDevice, 'device'> & { userAgent: string | null })[], { at: string | null }[], { count: number }[]]
  return {
    address: origin && `${origin}/portal`,
    invitedAt: links[0]!.at,
    devices: devices.map(({ userAgent, ...device }) => ({ ...device, device: describeDevice(userAgent) })),
    passkeys: passkeys[0]!.count,
  }
}

/**
 * Emails a client a link to the portal. Throws not_found, plan_limit for one who is read-only, forbidden for a coach who
 * hasn't confirmed their address, conflict for one without a host, and rate_limited.
 */
export async function inviteClient(ctx: WriteCtx, clientId: number): Promise<void> {
  authorize(ctx, 'portal:access:write')
  requireVerifiedEmail(ctx)
  const client = await getClient(ctx, clientId)
  await assertNotReadOnly(ctx, clientId)
  if (!coachOrigin(ctx.platform.config, ctx.account))
    throw new AppError('conflict', 'Choose the address of your practice under Branding first.')
  const rules = [
    { key: `portal-invite:${ctx.coachId}:${client.id}`, attempts: 5, minutes: 60 },
    { key: `portal-invites:${ctx.coachId}`, attempts: 200, minutes: 60 },
  ]
  await countAttempt(ctx.platform, { rules, address: ctx.address, account: ctx.coachId })
  const job: SignInJob = { coachId: ctx.coachId, clientId: client.id }
  await ctx.enqueue(signInQueue, job)
}

/** Signs a client out in all browsers, ends the links that they have and removes their passkeys. */
export async function endAccess(ctx: WriteCtx, clientId: number): Promise<void> {
  authorize(ctx, 'portal:access:write')
  await getClient(ctx, clientId)
  // A sign-in on its way is over before, or finds no link and no passkey after.
  await lockAccess(ctx, clientId)
  await removePasskeys(ctx, clientId)
  for (const table of ['portal_link', 'portal_session'])
    await ctx.query({
      name: `portal.end-access.${table}`,
      text: `delete from ${table} where coach_id = $1 and client_id = $2`,
      values: [ctx.coachId, clientId],
    })
}
