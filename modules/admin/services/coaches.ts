import { AppError } from '#app/lib/errors.ts'
import { dayMs } from '#app/lib/time.ts'
import { lockRow } from '#modules/core/lock-row.ts'
import { createAccount } from '#tenants/accounts/accounts.ts'
import { removedCoachDays } from '#tenants/accounts/closing.ts'
import { requireVerifiedEmail } from '#tenants/accounts/email-verification.ts'
import { planIncludes, type PlanName } from '#tenants/accounts/plans.ts'
import { setPlan } from '#tenants/accounts/protected-columns.ts'
import { emailRule } from '#tenants/auth/account-limits.ts'
import { ApiKey } from '#tenants/api-keys/schema.ts'
import { endAccess } from '#tenants/auth/one-time-tokens.ts'
import { countAttempt } from '#tenants/auth/rate-limit.ts'
import { recordSecurityEvent } from '#tenants/auth/security-events.ts'
import { endDomainSessions } from '#tenants/auth/sessions.ts'
import { writeAsTenant, type WriteCtx } from '#tenants/context.ts'
import { resumeDomainChecks } from '#tenants/domains/custom-domain.ts'
import { Account, AuthenticatorApp, RecoveryCode, Session } from '#tenants/schema.ts'
import { authorizeAdmin } from '../authorize-admin.ts'
import { planTitles } from '../fields.ts'
import type { NewCoach } from '../forms.ts'
import { coachNotFound, type CoachOverview } from '../output.ts'
import { getCoach } from '../queries/coaches.ts'
import { recordAction } from './audit-log.ts'

const coach = { notFound: coachNotFound }
/** The coach did not cause the event, so it has no device. */
const noDevice = { userAgent: null, address: '' }

/**
 * Creates an account and sends an invitation. Throws conflict if the email is taken, forbidden before the own is
 * verified.
 */
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

/**
 * Sends another invitation to a coach who hasn't accepted one. Throws not_found, conflict once they have, and
 * rate_limited after 20 an hour.
 */
export async function resendInvitation(ctx: WriteCtx, id: number): Promise<void> {
  authorizeAdmin(ctx, 'admin:coach:write')
  requireVerifiedEmail(ctx)
  const { email, invited } = await getCoach(ctx, id)
  if (!invited) throw new AppError('conflict', 'This coach has already accepted the invitation')
  const rules = [emailRule('invitation', email.toLowerCase())]
  await countAttempt(ctx.platform, { rules, account: ctx.account.id, address: ctx.address })
  await writeAsTenant(ctx, id, (tx) => tx.enqueue('mail.invitation', { coachId: id, email }))
  recordAction(ctx, 'invitation_sent', { target: { id, email } })
}

/**
 * Moves a coach to any plan and ends a running trial. Throws not_found, and conflict if the plan is no longer `seen`,
 * the one that the administrator saw.
 */
export async function changePlan(
  ctx: WriteCtx,
  id: number,
  plan: PlanName,
  seen: PlanName | null = null,
): Promise<CoachOverview> {
  authorizeAdmin(ctx, 'admin:coach:write')
  const now = ctx.now()
  await writeAsTenant(ctx, id, async (tx) => {
    const account = await lockRow(tx, coach, Account, { id, removedAt: null })
    const trial = account.trialEndsAt && account.trialEndsAt > now ? account.trialEndsAt : null
    const current: PlanName = trial && account.plan === 'free' ? 'pro' : account.plan
    if (seen !== null && seen !== current)
      throw new AppError('conflict', `This coach is on ${planTitles[current]} by now. Check the plan again.`)
    const before = { plan: account.plan, ...(trial ? { trialEndsAt: trial.toISOString() } : {}) }
    const after = { plan, ...(trial ? { trialEndsAt: now.toISOString() } : {}) }
    await setPlan(tx, plan, now)
    if (!planIncludes(plan, 'custom-domain')) await endDomainSessions(ctx.platform, tx, id)
    recordAction(ctx, 'plan_changed', { target: account, before, after })
  })
  return getCoach(ctx, id)
}

/**
 * Signs a coach out of all devices and revokes the API keys. The coach gets an email about it. Throws not_found, and
 * conflict for the own account.
 */
export async function signOutCoach(ctx: WriteCtx, id: number): Promise<void> {
  authorizeAdmin(ctx, 'admin:coach:write')
  if (id === ctx.account.id) throw new AppError('conflict', 'Sign out your own devices in Settings, Security')
  await writeAsTenant(ctx, id, async (tx) => {
    const account = await lockRow(tx, coach, Account, { id, removedAt: null })
    await tx.em.nativeDelete(Session, { coachId: id })
    await tx.em.nativeDelete(ApiKey, { coachId: id })
    await recordSecurityEvent(tx, id, { kind: 'signed_out_by_administrator', device: noDevice, now: ctx.now() })
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
    await recordSecurityEvent(tx, id, {
      kind: 'authenticator_removed_by_administrator',
      device: noDevice,
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
    tx.em.assign(account, { removedAt: ctx.now(), updatedAt: ctx.now() })
    await endAccess(tx, id)
    recordAction(ctx, 'coach_removed', { target: account, before: { firstName, lastName, businessName, plan } })
  })
}

/**
 * Takes back a coach who was removed less than 30 days ago: the coach gets the practice as it was, and an email about
 * it. Throws not_found, also for one who isn't removed.
 */
export async function restoreCoach(ctx: WriteCtx, id: number): Promise<CoachOverview> {
  authorizeAdmin(ctx, 'admin:coach:write')
  const now = ctx.now()
  const erasedBefore = new Date(now.getTime() - removedCoachDays * dayMs)
  await writeAsTenant(ctx, id, async (tx) => {
    const account = await lockRow(tx, coach, Account, { id, removedAt: { $gt: erasedBefore } })
    const { firstName, lastName, businessName, plan, email } = account
    tx.em.assign(account, { removedAt: null, closedAt: null, closingRemindedAt: null, updatedAt: now })
    await resumeDomainChecks(tx, id, now)
    const isInvited = account.emailVerifiedAt === null && account.lastSignInAt === null
    // The removal ended the link of the first invitation.
    if (isInvited) await tx.enqueue('mail.invitation', { coachId: id, email })
    else await recordSecurityEvent(tx, id, { kind: 'restored_by_administrator', device: noDevice, now })
    recordAction(ctx, 'coach_restored', { target: account, after: { firstName, lastName, businessName, plan } })
  })
  return getCoach(ctx, id)
}
