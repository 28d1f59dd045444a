import { isoTimestamp } from '#db/read-pool.ts'
import type { Cursor } from '#tenants/api/cursor.ts'
import type { Ctx } from '#tenants/context.ts'
import { authorizeAdmin } from '../authorize-admin.ts'
import type { PlanName } from '#tenants/accounts/plans.ts'
import type { CoachState } from '../fields.ts'
import { coachNotFound, type CoachOverview, type CoachRecord } from '../output.ts'

export type CoachesQuery = {
  id?: number
  /** Part of a name, email or business name. Case and accents don't matter. */
  q?: string
  plan?: PlanName | null
  /** null: all who are not removed. */
  state?: CoachState | null
  after?: Cursor | null
  /** null: no limit. */
  rows?: number | null
  skip?: number
}

const recordColumns = `id, email, first_name as "firstName", last_name as "lastName", business_name as "businessName",
  plan as "subscriptionStatus", ${isoTimestamp('created_at')} as "createdAt"`

/** Coaches, newest first. `total`: the number of matches without `rows` and `skip`. */
export async function listCoaches(ctx: Ctx, wanted: CoachesQuery = {}): Promise<(CoachOverview & { total: number })[]> {
  authorizeAdmin(ctx, 'admin:coach:read')
  return ctx.query({
    name: 'admin.coaches',
    text: `select ${recordColumns}, clients, on_trial as "onTrial", two_step as "twoStep", invited,
        payment_failed as "paymentFailed", ${isoTimestamp('removed_at')} as "removedAt",
        ${isoTimestamp('last_sign_in_at')} as "lastSignInAt", total
      from list_platform_coaches($1, $2, $3, $4, $5, $6, $7, $8, $9, true)`,
    values: toValues(ctx, wanted),
  })
}

/** As `listCoaches`, with the fields of the API alone: counting clients and matches would take most of the time. */
export async function listCoachRecords(ctx: Ctx, wanted: CoachesQuery = {}): Promise<CoachRecord[]> {
  authorizeAdmin(ctx, 'admin:coach:read')
  return ctx.query({
    name: 'admin.coach-records',
    text: `select ${recordColumns} from list_platform_coaches($1, $2, $3, $4, $5, $6, $7, $8, $9, false)`,
    values: toValues(ctx, wanted),
  })
}

const toValues = (ctx: Ctx, { id, q, plan, state, after, rows = null, skip = 0 }: CoachesQuery): unknown[] => [
  ctx.now(),
  id ?? null,
  q || null,
  plan ?? null,
  state ?? null,
  after?.at ?? null,
  after?.id ?? null,
  rows,
  skip,
]

/** Throws not_found, also for a removed coach. */
export async function getCoach(ctx: Ctx, id: number): Promise<CoachOverview> {
  const coach = await findCoach(ctx, id)
  if (!coach) throw coachNotFound()
  return coach
}

export async function findCoach(ctx: Ctx, id: number): Promise<CoachOverview | null> {
  const [coach] = await listCoaches(ctx, { id })
  return coach ?? null
}

/** A coach who was removed and isn't erased yet. Throws not_found. */
export async function getRemovedCoach(ctx: Ctx, id: number): Promise<CoachOverview> {
  const coach = await findRemovedCoach(ctx, id)
  if (!coach) throw coachNotFound()
  return coach
}

export async function findRemovedCoach(ctx: Ctx, id: number): Promise<CoachOverview | null> {
  const [coach] = await listCoaches(ctx, { id, state: 'removed' })
  return coach ?? null
}
