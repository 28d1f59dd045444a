import { AppError } from '#app/lib/errors.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import type { SupportAccess } from '#modules/core/support-access.ts'
import { recordSecurityEvent } from '#tenants/auth/security-events.ts'
import type { CoachAccount } from '#tenants/auth/viewer.ts'
import { writeAsTenant, type WriteCtx } from '#tenants/context.ts'
import { withOtherTenant, withTenant, type Platform } from '#tenants/platform.ts'
import { authorizeAdmin } from '../authorize-admin.ts'
import { getCoach } from '../queries/coaches.ts'
import { findSupportGrant } from '../queries/support-access.ts'
import { SupportVisit } from '../schema.ts'
import { recordAction } from './audit-log.ts'

/** Records the ends of visits in the coach's security log. */
export const endSupportQueue = 'admin.end-support'
export type EndSupportJob = { coachId: number; grantId: number }

/** The administrator caused the event, so it has no device of the coach's. */
const noDevice = { userAgent: null, address: '' }

/**
 * Begins to read the practice of a coach who allows it, in this session alone. The coach gets an email about it. Returns
 * the id of the visit. Throws not_found, conflict for the own account, and forbidden without the coach's consent.
 */
export async function startSupportVisit(ctx: WriteCtx, targetId: number, sessionHash: Buffer | null): Promise<number> {
  authorizeAdmin(ctx, 'admin:coach:write')
  const { coachId, account } = ctx
  const now = ctx.now()
  if (targetId === coachId) throw new AppError('conflict', 'This is your own practice.')
  const { email } = await getCoach(ctx, targetId)
  const grant = await findSupportGrant(ctx, targetId)
  if (!grant || !sessionHash)
    throw new AppError(
      'forbidden',
      'This coach doesn’t let support in. Ask them to allow it under Settings, Support access.',
    )
  const visit = ctx.em.create(SupportVisit, {
    coachId,
    adminEmail: account.email,
    targetId,
    targetEmail: email,
    supportGrantId: grant.id,
    sessionHash,
    ipAddress: ctx.address,
    startedAt: now,
  })
  await ctx.em.flush()
  ctx.logSecurity({ event: 'admin_support_started', account: coachId, target: targetId, address: ctx.address })
  await writeAsTenant(ctx, targetId, (tx) =>
    recordSecurityEvent(tx, targetId, {
      kind: 'support_started',
      device: noDevice,
      now,
      details: { name: account.email },
    }),
  )
  const seconds = Math.ceil((Date.parse(grant.expiresAt) - now.getTime()) / 1000)
  await ctx.enqueue(endSupportQueue, { coachId: targetId, grantId: grant.id }, { startAfter: seconds + 1 })
  return visit.id
}

/** The server calls these: see `app/server/http/support-access.ts`. */
export const supportAccess: SupportAccess = {
  async findVisit(platform, { id, administrator, sessionHash }) {
    const [found] = await platform.readPool.queryGlobal<{ account: CoachAccount; until: string }>({
      name: 'admin.support-visit',
      text: `select account, ${isoTimestamp('expires_at')} as until from find_support_visit($1, $2, $3, $4)`,
      values: [administrator.id, id, sessionHash, platform.now()],
    })
    // An administrator's practice is read without the rights of its owner.
    return found ? { id, coach: { ...found.account, isAdmin: false }, administrator, until: found.until } : null
  },

  recordPage: (ctx, { coach }, page) =>
    ctx.write(async (tx) => {
      recordAction(tx, 'support_page_opened', { target: coach, after: { page } })
      const details = { name: page }
      const event = { kind: 'support_page_opened', device: noDevice, now: tx.now(), details } as const
      await writeAsTenant(tx, coach.id, (theirs) => recordSecurityEvent(theirs, coach.id, event))
    }),

  leave: (ctx, { id, coach }) =>
    ctx.write(async (tx) => {
      const ended = await tx.query({
        name: 'support-visit.leave',
        text: `update support_visit set ended_at = $3, end_recorded = true
          where coach_id = $1 and id = $2 and ended_at is null returning id`,
        values: [tx.coachId, id, tx.now()],
      })
      if (!ended.length) return
      tx.logSecurity({ event: 'admin_support_ended', account: tx.coachId, target: coach.id, address: tx.address })
      await writeAsTenant(tx, coach.id, (theirs) => recordEnd(theirs, coach.id, tx.account.email, tx.now()))
    }),
}

type EndedVisit = { administrator: number; id: number; adminEmail: string; endsAt: Date }

/** Records the ends of the visits of a consent that has ended, each once. Does nothing while it lasts. */
export async function endSupportVisits(platform: Platform, { coachId, grantId }: EndSupportJob): Promise<void> {
  const visits = await platform.readPool.queryGlobal<EndedVisit>({
    name: 'admin.ended-support-visits',
    text: `select administrator, id, admin_email as "adminEmail", ends_at as "endsAt"
      from list_ended_support_visits($1, $2, $3)`,
    values: [coachId, grantId, platform.now()],
  })
  for (const { administrator, id, adminEmail, endsAt } of visits)
    await withTenant(platform, administrator, async (tx) => {
      const ended = await tx.query({
        name: 'support-visit.end',
        text: `update support_visit set ended_at = coalesce(ended_at, $3), end_recorded = true
          where coach_id = $1 and id = $2 and not end_recorded returning id`,
        values: [administrator, id, endsAt],
      })
      if (!ended.length) return
      await withOtherTenant(platform, { tx, ownId: administrator }, coachId, (theirs) =>
        recordEnd(theirs, coachId, adminEmail, endsAt),
      )
    })
}

const recordEnd = (tx: Parameters<typeof recordSecurityEvent>[0], coachId: number, adminEmail: string, now: Date) =>
  recordSecurityEvent(tx, coachId, { kind: 'support_ended', device: noDevice, now, details: { name: adminEmail } })
