import { AppError } from '#app/lib/errors.ts'
import { lockRow } from '#modules/core/lock-row.ts'
import { createAccount } from '#tenants/accounts/accounts.ts'
import { requireVerifiedEmail } from '#tenants/accounts/email-verification.ts'
import type { PlanName } from '#tenants/accounts/plans.ts'
import { setPlan } from '#tenants/accounts/protected-columns.ts'
import { endAccess } from '#tenants/auth/one-time-tokens.ts'
import { recordSecurityEvent } from '#tenants/auth/security-events.ts'
import { writeAsTenant, type WriteCtx } from '#tenants/context.ts'
import { Account, AuthenticatorApp, RecoveryCode, Session } from '#tenants/schema.ts'
import { authorizeAdmin } from '../authorize-admin.ts'
import type { NewCoach } from '../forms.ts'
import { coachNotFound, type CoachOverview } from '../output.ts'
import { getCoach } from '../queries/coaches.ts'
import { recordAction } from './audit-log.ts'

const coach = { notFound: coachNotFound }

/** Creates an account and sends an invitation. Throws conflict if the email is taken, forbidden before the own is verified. */
export async function createCoach(ctx: WriteCtx, input: NewCoach): Promise<CoachOverview> {
  authorizeAdmin(ctx, 'admin:coach:write')
  requireVerifiedEmail(ctx)
  const { email, subscriptionStatus: plan, businessName } = input
  const names = { firstName: input.firstName ?? '', lastName: input.lastName ?? '', businessName }
  const id = await createAccount(
    ctx.platform,
    { email, ...names, plan },
    (tx, coachId) => tx.enqueue('mail.invitation', { coachId, email }),
    (coachId, work) => writeAsTenant(ctx, coachId, work),
  )
  recordAction(ctx, 'coach_added', { target: { id, email }, after: { ...names, plan } })
  return getCoach(ctx, id)
}

/** Moves a coach to any plan and ends a running trial. Throws not_found. */
export async function changePlan(ctx: WriteCtx, id: number, plan: PlanName): Promise<CoachOverview> {
  authorizeAdmin(ctx, 'admin:coach:write')
  const now = ctx.now()
  await writeAsTenant(ctx, id, async (tx) => {
    const account = await lockRow(tx, coach, Account, { id, removedAt: null })
    const trial = account.trialEndsAt && account.trialEndsAt > now ? account.trialEndsAt : null
    const before = { plan: account.plan, ...(trial ? { trialEndsAt: trial.toISOString() } : {}) }
    const after = { plan, ...(trial ? { trialEndsAt: now.toISOString() } : {}) }
    await setPlan(tx, plan, now)
    recordAction(ctx, 'plan_changed', { target: account, before, after })
  })
  return getCoach(ctx, id)
}

/** Signs a coach out of all devices, who gets an email about it. Throws not_found, and conflict for the own account. */
export async function signOutCoach(ctx: WriteCtx, id: number): Promise<void> {
  authorizeAdmin(ctx, 'admin:coach:write')
  if (id === ctx.account.id) throw new AppError('conflict', 'Sign out your own devices in Settings, Security')
  await writeAsTenant(ctx, id, async (tx) => {
    const account = await lockRow(tx, coach, Account, { id, removedAt: null })
    await tx.em.nativeDelete(Session, { coachId: id })
    const device = { userAgent: null, address: '' }
    await recordSecurityEvent(tx, id, { kind: 'signed_out_by_administrator', device, now: ctx.now() })
    recordAction(ctx, 'coach_signed_out', { target: account })
  })
}

/**
 * Turns off two-step sign-in for a coach who lost the app and the recovery codes and gets an email about it. Throws
 * not_found, and conflict for the own account and while it is off.
 */
export async function turnOffSecondFactor(ctx: WriteCtx, id: number): Promise<void> {
  authorizeAdmin(ctx, 'admin:coach:write')
  if (id === ctx.account.id) throw new AppError('conflict', 'Turn off your own two-step sign-in in Settings, Security')
  await writeAsTenant(ctx, id, async (tx) => {
    const account = await lockRow(tx, coach, Account, { id, removedAt: null })
    if (!(await tx.em.nativeDelete(AuthenticatorApp, { coachId: id })))
      throw new AppError('conflict', 'Two-step sign-in is already off for this coach')
    await tx.em.nativeDelete(RecoveryCode, { coachId: id })
    const device = { userAgent: null, address: '' }
    await recordSecurityEvent(tx, id, {
      kind: 'authenticator_removed_by_administrator',
      device,
      now: ctx.now(),
    })
    recordAction(ctx, 'second_factor_removed', { target: account })
  })
}

/** Ends all sessions; a job erases the data after 30 days. Throws not_found, and conflict for the own account. */
export async function deleteCoach(ctx: WriteCtx, id: number): Promise<void> {
  authorizeAdmin(ctx, 'admin:coach:write')
  if (id === ctx.account.id) throw new AppError('conflict', "You can't remove your own account")
  await writeAsTenant(ctx, id, async (tx) => {
    const account = await lockRow(tx, coach, Account, { id, removedAt: null })
    const { firstName, lastName, businessName, plan } = account
    tx.em.assign(account, { removedAt: ctx.now() })
    await endAccess(tx, id)
    recordAction(ctx, 'coach_removed', { target: account, before: { firstName, lastName, businessName, plan } })
  })
}
