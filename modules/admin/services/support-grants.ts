import { AppError } from '#app/lib/errors.ts'
import { hourMs } from '#app/lib/time.ts'
import type { Device } from '#tenants/auth/device.ts'
import { recordSecurityEvent } from '#tenants/auth/security-events.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { supportHours } from '../fields.ts'
import type { NewSupportGrant } from '../forms.ts'
import { SupportGrant } from '../schema.ts'
import { endSupportQueue } from './support-visits.ts'

/** Lets administrators read the practice for a time. Throws conflict while they may. */
export async function allowSupport(ctx: WriteCtx, { hours, reason }: NewSupportGrant, device: Device): Promise<void> {
  authorize(ctx, 'admin:support-access:write')
  const { coachId } = ctx
  const now = ctx.now()
  // Two tabs at once allow it once.
  await ctx.query({
    name: 'support-grant.lock',
    text: 'select 1 from account where id = $1 for update',
    values: [coachId],
  })
  const current = { coachId, endedAt: null, expiresAt: { $gt: now } }
  if (await ctx.em.count(SupportGrant, current))
    throw new AppError('conflict', 'Support may already read your practice. End that first to choose another time.')
  const expiresAt = new Date(now.getTime() + Number(hours) * hourMs)
  ctx.em.create(SupportGrant, { coachId, reason, createdAt: now, expiresAt })
  const details = { name: `${supportHours[hours]}: ${reason}` }
  await recordSecurityEvent(ctx, coachId, { kind: 'support_allowed', device, now, details })
}

/** Ends the consent at once, and all visits. Throws conflict if there is none. */
export async function endSupportGrant(ctx: WriteCtx, device: Device): Promise<void> {
  authorize(ctx, 'admin:support-access:write')
  const { coachId } = ctx
  const now = ctx.now()
  const [grant] = await ctx.query<{ id: number }>({
    name: 'support-grant.end',
    text: `update support_grant set ended_at = $2 where coach_id = $1 and ended_at is null and expires_at > $2
      returning id`,
    values: [coachId, now],
  })
  if (!grant) throw new AppError('conflict', 'Support access has already ended.')
  await recordSecurityEvent(ctx, coachId, { kind: 'support_withdrawn', device, now })
  await ctx.enqueue(endSupportQueue, { coachId, grantId: grant.id })
}
