import { AppError } from '#app/lib/errors.ts'
import { createAccount } from '#tenants/accounts/accounts.ts'
import type { PlanName } from '#tenants/accounts/plans.ts'
import { writeAsTenant, type WriteCtx } from '#tenants/context.ts'
import { Account, OneTimeToken, Session } from '#tenants/schema.ts'
import { authorizeAdmin } from '../authorize-admin.ts'
import type { NewCoach } from '../forms.ts'
import { coachNotFound, type CoachOverview } from '../output.ts'
import { getCoach } from '../queries/coaches.ts'

/** Creates an account and sends an invitation. Throws conflict if the email is taken. */
export async function createCoach(ctx: WriteCtx, input: NewCoach): Promise<CoachOverview> {
  authorizeAdmin(ctx, 'admin:coach:write')
  const { email, firstName, lastName, businessName, subscriptionStatus } = input
  const id = await createAccount(
    ctx.platform,
    { email, firstName: firstName ?? '', lastName: lastName ?? '', businessName, plan: subscriptionStatus },
    (tx, coachId) => tx.enqueue('mail.invitation', { coachId, email }),
    (coachId, work) => writeAsTenant(ctx, coachId, work),
  )
  return getCoach(ctx, id)
}

/** Moves a coach to any plan and ends a running trial. Throws not_found. */
export async function changePlan(ctx: WriteCtx, id: number, plan: PlanName): Promise<CoachOverview> {
  authorizeAdmin(ctx, 'admin:coach:write')
  const now = ctx.now()
  await writeAsTenant(ctx, id, async ({ em }) => {
    const updated = await em.nativeUpdate(Account, { id, removedAt: null }, { plan, updatedAt: now })
    if (!updated) throw coachNotFound()
    await em.nativeUpdate(Account, { id, trialEndsAt: { $gt: now } }, { trialEndsAt: now })
  })
  return getCoach(ctx, id)
}

/** Ends all sessions; a job erases the data after 30 days. Throws not_found, and conflict for the own account. */
export async function deleteCoach(ctx: WriteCtx, id: number): Promise<void> {
  authorizeAdmin(ctx, 'admin:coach:write')
  if (id === ctx.account.id) throw new AppError('conflict', "You can't remove your own account")
  await writeAsTenant(ctx, id, async ({ em }) => {
    const removed = await em.nativeUpdate(Account, { id, removedAt: null }, { removedAt: ctx.now() })
    if (!removed) throw coachNotFound()
    await em.nativeDelete(Session, { coachId: id })
    await em.nativeDelete(OneTimeToken, { coachId: id })
  })
}
