import { AppError } from '#app/lib/errors.ts'
import { utc } from '#db/read-pool.ts'
import { createAccount } from '#tenants/accounts/accounts.ts'
import { authorize, writeAs, type Ctx } from '#tenants/context.ts'
import type { Place } from '#tenants/api/cursor.ts'
import { plans, type PlanName } from '#tenants/accounts/plans.ts'
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
export type CoachOverview = CoachRecord & { clients: number; onTrial: boolean }
export type PlatformStats = {
  totalCoaches: number
  activeCoaches: number
  monthlyRevenue: number
  totalClients: number
  subscriptionBreakdown: Record<PlanName, number>
}

const activeDays = 30

export type CoachesWanted = {
  id?: number
  /** Part of the name, the address or the business, in any case, with or without accents. */
  q?: string
  plan?: PlanName | null
  after?: Place | null
  /** null: all of them. */
  rows?: number | null
  skip?: number
}

/** Coaches who are not removed, newest first; `found` is how many there are without `rows` and `skip`. */
export async function coachesOf(
  ctx: Ctx,
  { id, q, plan, after, rows = null, skip = 0 }: CoachesWanted = {},
): Promise<(CoachOverview & { found: number })[]> {
  asAdmin(ctx, 'admin:coach:read')
  return ctx.rows({
    name: 'admin.coach-page',
    text: `select id, email, first_name as "firstName", last_name as "lastName", business_name as "businessName", plan as "subscriptionStatus",
      ${utc('created_at')} as "createdAt", clients, on_trial as "onTrial", found from platform_coach_page($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [ctx.now(), id ?? null, q || null, plan ?? null, after?.at ?? null, after?.id ?? null, rows, skip],
  })
}

/** The record of the API: exactly these fields. */
export function coachRecord({
  id,
  email,
  firstName,
  lastName,
  businessName,
  subscriptionStatus,
  createdAt,
}: CoachOverview): CoachRecord {
  return { id, email, firstName, lastName, businessName, subscriptionStatus, createdAt }
}

/** The platform's figures; revenue in cents a month, at list price, nothing for trials. Active: signed in within 30 days. */
export async function platformStats(ctx: Ctx): Promise<PlatformStats> {
  asAdmin(ctx, 'admin:coach:read')
  const now = ctx.now()
  const figures = await ctx.rows<{ plan: PlanName; coaches: number; trials: number; active: number; clients: number }>({
    name: 'admin.figures',
    text: 'select plan, coaches, trials, active, clients from platform_figures($1, $2)',
    values: [now, new Date(now.getTime() - activeDays * 86_400_000)],
  })
  const sum = (of: (figure: (typeof figures)[number]) => number) => figures.reduce((all, figure) => all + of(figure), 0)
  const on = (name: PlanName) => figures.find(({ plan }) => plan === name)?.coaches ?? 0
  return {
    totalCoaches: sum(({ coaches }) => coaches),
    activeCoaches: sum(({ active }) => active),
    monthlyRevenue: sum(({ plan, coaches, trials }) => (coaches - trials) * plans[plan].monthlyPrice),
    totalClients: sum(({ clients }) => clients),
    subscriptionBreakdown: { free: on('free'), pro: on('pro'), premium: on('premium') },
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
  const [coach] = await coachesOf(ctx, { id })
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
