import { beforeAll, describe, expect, test } from 'vitest'
import { plans, type PlanName } from '#tenants/accounts/plans.ts'
import { createSession as signIn } from '#tests/support/factories.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { getPlatformAnalytics, type Cohort, type PlatformMonth } from './queries/analytics.ts'
import { getPlatformStats } from './queries/stats.ts'
import { changePlan, deleteCoach, restoreCoach } from './services/coaches.ts'
import { recordActivations } from './services/activations.ts'

const app = createTestApp()
let admin: Coach

/** The reference remembers these facts of a coach. */
type Life = {
  signedUp: number
  activated: number | null
  months: Set<string>
  changes: { at: number; price: number }[]
}

const lives: Life[] = []
const start = Date.UTC(2025, 2, 20)
const end = Date.UTC(2026, 2, 10, 14)

/** A generator of numbers from 0 to 1 that gives the same ones each time. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

const toMonth = (at: number): string => new Date(at).toISOString().slice(0, 7)

beforeAll(async () => {
  const at = (time: number) => (app.clock.now = new Date(time))
  at(start)
  admin = await createCoach({ plan: 'free', isAdmin: true })
  lives.push({ signedUp: start, activated: null, months: new Set([toMonth(start)]), changes: [] })
  const random = createRandom(15)
  for (let number = 0; number < 25; number++) {
    let now = Math.round(start + random() * (end - start - 1))
    at(now)
    const coach = await createCoach({ plan: 'free' })
    const life: Life = { signedUp: now, activated: null, months: new Set([toMonth(now)]), changes: [] }
    lives.push(life)
    let plan: PlanName = 'free'
    let isRemoved = false
    const record = () => life.changes.push({ at: now, price: isRemoved ? 0 : plans[plan].monthlyPrice })
    const asAdmin = inTenant.bind(null, admin)
    while ((now += Math.round(random() * 60 * 86_400_000)) < end) {
      // The edges of months are part of the test.
      if (random() < 0.3) now = Date.UTC(new Date(now).getUTCFullYear(), new Date(now).getUTCMonth() + 1, 1)
      if (now >= end) break
      at(now)
      const dice = random()
      if (isRemoved) {
        if (dice < 0.3) continue
        const removedAt = life.changes.at(-1)!.at
        if (now - removedAt >= 30 * 86_400_000) break
        await asAdmin((ctx) => restoreCoach(ctx, coach.id))
        isRemoved = false
        record()
      } else if (dice < 0.5) {
        plan = (['free', 'pro', 'premium'] as const)[Math.floor(random() * 3)]!
        await asAdmin((ctx) => changePlan(ctx, coach.id, plan))
        record()
      } else if (dice < 0.65) {
        await asAdmin((ctx) => deleteCoach(ctx, coach.id))
        isRemoved = true
        record()
      } else if (dice < 0.8) {
        await signIn(coach)
        life.months.add(toMonth(now))
      } else if (life.activated === null) {
        await createClient({ coach })
        life.activated = now
      }
    }
  }
  at(end)
  await recordActivations(app.platform)
})

/** The same numbers, the slow and simple way. */
function countByHand(): { months: PlatformMonth[]; cohorts: Cohort[] } {
  const starts = Array.from({ length: 12 }, (_, index) => Date.UTC(2025, 3 + index, 1))
  const priceBefore = (life: Life, time: number) => life.changes.findLast(({ at }) => at < time)?.price ?? 0
  const months = starts.map((from, index) => {
    const to = starts[index + 1] ?? end + 1
    const month: PlatformMonth = {
      month: toMonth(from),
      signUps: 0,
      activated: 0,
      startPaying: 0,
      newPaying: 0,
      lostPaying: 0,
      endPaying: 0,
      startRevenue: 0,
      newRevenue: 0,
      upgrades: 0,
      downgrades: 0,
      lostRevenue: 0,
      endRevenue: 0,
    }
    for (const life of lives) {
      if (life.signedUp >= from && life.signedUp < to) {
        month.signUps++
        if (life.activated !== null && life.activated < life.signedUp + 14 * 86_400_000) month.activated++
      }
      const [before, after] = [priceBefore(life, from), priceBefore(life, to)]
      month.startRevenue += before
      month.endRevenue += after
      if (before) month.startPaying++
      if (after) month.endPaying++
      if (!before && after) {
        month.newPaying++
        month.newRevenue += after
      } else if (before && !after) {
        month.lostPaying++
        month.lostRevenue += before
      } else if (after > before) month.upgrades += after - before
      else month.downgrades += before - after
    }
    return month
  })
  const cohorts = months.map(({ month, signUps: size }, index) => ({
    month,
    size,
    active: months
      .slice(index)
      .map((later) => lives.filter((life) => toMonth(life.signedUp) === month && life.months.has(later.month)).length),
  }))
  return { months, cohorts }
}

describe('the analytics', () => {
  test('are the numbers of a count by hand, of a year with random sign-ups, plans and removals', async () => {
    const ctx = await contextFor(admin)
    const counted = countByHand()
    expect(await getPlatformAnalytics(ctx)).toEqual(counted)
    expect(counted.months.some(({ upgrades }) => upgrades > 0)).toBe(true)
    expect(counted.months.some(({ lostPaying }) => lostPaying > 0)).toBe(true)
  })

  test('add up: each month begins as the last one ended, and the last one ends with the revenue of the statistics', async () => {
    const ctx = await contextFor(admin)
    const { months } = await getPlatformAnalytics(ctx)
    for (const [index, month] of months.entries()) {
      expect(month.startPaying + month.newPaying - month.lostPaying).toBe(month.endPaying)
      const { startRevenue, newRevenue, upgrades, downgrades, lostRevenue, endRevenue } = month
      expect(startRevenue + newRevenue + upgrades - downgrades - lostRevenue).toBe(endRevenue)
      const before = months[index - 1]
      if (before) expect([startRevenue, month.startPaying]).toEqual([before.endRevenue, before.endPaying])
    }
    expect(months.at(-1)!.endRevenue).toBe((await getPlatformStats(ctx)).monthlyRevenue)
  })

  test('are only for administrators, in the database too', async () => {
    const stranger = await createCoach()
    await expect(getPlatformAnalytics(await contextFor(stranger))).rejects.toThrow('Only administrators')
    const tables = ['coach_state', 'coach_activity', 'coach_activation']
    for (const table of tables) {
      const count = async (coach: Coach) =>
        (await (await contextFor(coach)).query<{ n: number }>({ text: `select count(*)::int as n from ${table}` }))[0]!
          .n
      expect([table, await count(stranger)]).toEqual([table, 0])
      expect([table, (await count(admin)) > 0]).toEqual([table, true])
      for (const statement of [`delete from ${table}`, `update ${table} set account_id = 1`])
        expect(
          await asOwner(app.appUrl, async (db) => {
            await db.query(`select set_config('app.coach_id', $1, false)`, [String(admin.id)])
            return (await db.query(statement)).rowCount
          }),
        ).toBe(0)
    }
  })
})
