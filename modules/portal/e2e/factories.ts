import { coachOrigin } from '#tenants/config.ts'
import type { WriteCtx } from '#tenants/context.ts'

/** A passkey of a client that no device has. Its name is "Phone", unless the test sets one. */
export async function insertPasskey(ctx: WriteCtx, clientId: number, name = 'Phone'): Promise<void> {
  const { hostname } = new URL(coachOrigin(ctx.platform.config, ctx.account)!)
  await ctx.query({
    name: 'test.insert-portal-passkey',
    text: `insert into portal_passkey (coach_id, client_id, email, host, name, credential_id, public_key, sign_count,
        transports, created_at)
      select coach_id, id, lower(email), $3, $4, decode(md5(random()::text), 'hex'), 'none', 0, '{}', $5
      from client where coach_id = $1 and id = $2`,
    values: [ctx.coachId, clientId, hostname, name, ctx.now()],
  })
}
