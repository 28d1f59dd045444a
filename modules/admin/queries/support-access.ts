import { isoTimestamp } from '#db/read-pool.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { authorizeAdmin } from '../authorize-admin.ts'

/** `expiresAt`: when it ends by itself. */
export type CurrentGrant = { id: number; reason: string; expiresAt: string }
/** `endedAt`: before its time. */
export type PastGrant = { id: number; reason: string; createdAt: string; expiresAt: string; endedAt: string | null }

/** The consent of a coach that counts now, for administrators. */
export async function findSupportGrant(ctx: Ctx, coach: number): Promise<CurrentGrant | null> {
  authorizeAdmin(ctx, 'admin:coach:read')
  const [grant] = await ctx.query<CurrentGrant>({
    name: 'admin.support-grant',
    text: `select id, reason, ${isoTimestamp('expires_at')} as "expiresAt" from find_support_grant($1, $2)`,
    values: [coach, ctx.now()],
  })
  return grant ?? null
}

/** The coach's own consents, newest first. */
export async function listSupportGrants(ctx: Ctx, rows: number): Promise<PastGrant[]> {
  authorize(ctx, 'admin:support-access:read')
  return ctx.query<PastGrant>({
    name: 'support-grant.list',
    text: `select id, reason, ${isoTimestamp('created_at')} as "createdAt", ${isoTimestamp('expires_at')} as "expiresAt",
      ${isoTimestamp('ended_at')} as "endedAt"
      from support_grant where coach_id = $1 order by id desc limit $2`,
    values: [ctx.coachId, rows],
  })
}

/** Whether a consent counts at `now`. */
export const isCurrent = ({ endedAt, expiresAt }: PastGrant, now: Date): boolean =>
  endedAt === null && new Date(expiresAt) > now
