import { randomBytes } from 'node:crypto'
import { dayMs } from '#app/lib/time.ts'
import { clientContext, type Ctx } from '#tenants/context.ts'
import { hashToken } from '#tenants/auth/signing-keys.ts'
import { contextFor, inTenant, type Tenant } from './factories.ts'

// Without the module that signs clients in: tests of others use it, too, and it can be removed.

/**
 * Signs a client in to the portal past the emailed link, at the subdomain or the coach's own `domain`. Returns the value
 * of the cookie `portal`.
 */
export async function createPortalSession(
  coach: Tenant,
  clientId: number,
  domain: string | null = null,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await inTenant(coach, (ctx) =>
    ctx.query({
      name: 'test.portal-session',
      text: `insert into portal_session (coach_id, client_id, email, domain, token_hash, created_at, last_seen_at, expires_at)
        select coach_id, id, lower(email), $6, $3, $4, $4, $5 from client where coach_id = $1 and id = $2`,
      values: [ctx.coachId, clientId, hashToken(token), ctx.now(), new Date(ctx.now().getTime() + dayMs), domain],
    }),
  )
  return token
}

/** The context of a client in the portal. */
export async function clientContextFor(coach: Tenant, clientId: number): Promise<Ctx> {
  const { platform, account } = await contextFor(coach)
  const client = { id: clientId, name: 'A client', email: 'client@example.com', timezone: account.timezone }
  return clientContext(platform, account, { requestId: 'test' }, client)
}
