import { AppError } from '#app/lib/errors.ts'
import { utc } from '#db/reads.ts'
import { createAccount } from '#tenants/accounts.ts'
import { authorize, writeAs, type Ctx } from '#tenants/context.ts'
import { plans, type PlanName } from '#tenants/plans.ts'
import { Account, OneTimeToken, Session } from '#tenants/schema.ts'
import type { z } from 'zod'
import type { NewCoach } from '../forms.ts'

export type CoachRecord = {
  id: number
  email: string
  firstName: string
  lastName: string
  businessName: string | null
  subscriptionStatus: PlanName
  createdAt: string
}
export type CoachOverview = CoachRecord & { clients: number; onTrial: boolean; lastSignInAt: string | null }
export type PlatformStats = {
  totalCoaches: number
  activeCoaches: number
  monthlyRevenue: number
  totalClients: number
  subscriptionBreakdown: Record<PlanName, number>
}

const activeDays = 30

/** All coaches who are not removed, newest first. */
export async function coachesOf(ctx: Ctx): Promise<CoachOverview[]> {
  asAdmin(ctx, 'admin:coach:read')
  return ctx.rows<CoachOverview>({
    name: 'admin.coaches',
    text: `select id, email, first_name as "firstName", last_name as "lastName", business_name as "businessName",
      case when plan = 'free' and trial_ends_at > $1 then 'pro' else plan end as "subscriptionStatus", ${utc('created_at')} as "createdAt",
      clients, plan = 'free' and coalesce(trial_ends_at > $1, false) as "onTrial", ${utc('last_sign_in_at')} as "lastSignInAt" from platform_coaches()`,
    values: [ctx.now()],
  })
}

/** The record of the API: exactly these fields. */
export function coachRecord({ id, email, firstName, lastName, businessName, subscriptionStatus, createdAt }: CoachOverview): CoachRecord {
  return { id, email, firstName, lastName, businessName, subscriptionStatus, createdAt }
}

/** The platform's figures; revenue in cents a month, at list price, nothing for trials. Active: signed in within 30 days. */
export function statsOf(coaches: CoachOverview[], now: Date): PlatformStats {
  const breakdown: Record<PlanName, number> = { free: 0, pro: 0, premium: 0 }
  for (const coach of coaches) breakdown[coach.subscriptionStatus] += 1
  const since = new Date(now.getTime() - activeDays * 86_400_000).toISOString()
  return {
    totalCoaches: coaches.length,
    activeCoaches: coaches.filter((coach) => coach.lastSignInAt !== null && coach.lastSignInAt >= since).length,
    monthlyRevenue: coaches.reduce((sum, coach) => sum + (coach.onTrial ? 0 : plans[coach.subscriptionStatus].monthlyPrice), 0),
    totalClients: coaches.reduce((sum, coach) => sum + coach.clients, 0),
    subscriptionBreakdown: breakdown,
  }
}

/** Adds a coach and sends the invitation, in one transaction. Throws conflict for an address that is taken. */
export async function addCoach(ctx: Ctx, input: z.infer<typeof NewCoach>): Promise<CoachOverview> {
  asAdmin(ctx, 'admin:coach:write')
  const { email, firstName, lastName, businessName, subscriptionStatus } = input
  return ctx.write(async (own) => {
    const id = await createAccount(
      ctx.platform,
      { email, firstName: firstName ?? '', lastName: lastName ?? '', businessName, plan: subscriptionStatus },
      async (tx, coachId) => {
        await tx.enqueue('mail.invitation', { coachId, email })
      },
      (coachId, work) => writeAs(own, coachId, work),
    )
    return coachOf(own, id)
  })
}

/** One coach who is not removed. Throws not_found. */
export async function coachOf(ctx: Ctx, id: number): Promise<CoachOverview> {
  const coach = (await coachesOf(ctx)).find((candidate) => candidate.id === id)
  if (!coach) throw coachNotFound()
  return coach
}

/** Puts a coach on a plan, in any direction; a running trial ends with it. */
export async function changePlan(ctx: Ctx, id: number, plan: PlanName): Promise<CoachOverview> {
  asAdmin(ctx, 'admin:coach:write')
  const now = ctx.now()
  return ctx.write(async (own) => {
    await writeAs(own, id, async ({ em }) => {
      const changed = await em.nativeUpdate(Account, { id, removedAt: null }, { plan, updatedAt: now })
      if (!changed) throw coachNotFound()
      await em.nativeUpdate(Account, { id, trialEndsAt: { $gt: now } }, { trialEndsAt: now })
    })
    return coachOf(own, id)
  })
}

/** Removes a coach: no sign-in and no session from this moment; the data is erased after 30 days. Throws conflict for oneself. */
export async function removeCoach(ctx: Ctx, id: number): Promise<void> {
  asAdmin(ctx, 'admin:coach:write')
  if (id === ctx.account.id) throw new AppError('conflict', "You can't remove your own account")
  await ctx.write((own) =>
    writeAs(own, id, async ({ em }) => {
      const removed = await em.nativeUpdate(Account, { id, removedAt: null }, { removedAt: ctx.now() })
      if (!removed) throw coachNotFound()
      await em.nativeDelete(Session, { coachId: id })
      await em.nativeDelete(OneTimeToken, { coachId: id })
    }),
  )
}

const coachNotFound = (): AppError => new AppError('not_found', 'Coach not found')

function asAdmin(ctx: Ctx, permission: 'admin:coach:read' | 'admin:coach:write'): void {
  authorize(ctx, permission)
  if (!ctx.account.isAdmin) throw new AppError('forbidden', 'This is for the administrator of the platform.')
}
