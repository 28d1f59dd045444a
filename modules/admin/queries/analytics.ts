import { plans } from '#tenants/accounts/plans.ts'
import type { Ctx } from '#tenants/context.ts'
import { authorizeAdmin } from '../authorize-admin.ts'

/** How many months the analytics show, the present one included. */
export const shownMonths = 12
/** A coach who adds a client within so many days of signing up counts as activated. */
export const activationDays = 14

/**
 * A month (UTC) in which something is counted. Revenue in cents a month at list price; it begins with `startRevenue`
 * and ends with `endRevenue`, and what lies between adds up. `activated`: of those who signed up in the month.
 */
export type PlatformMonth = {
  month: string
  signUps: number
  activated: number
  startPaying: number
  newPaying: number
  lostPaying: number
  endPaying: number
  startRevenue: number
  newRevenue: number
  upgrades: number
  downgrades: number
  lostRevenue: number
  endRevenue: number
}
/** The coaches who signed up in a month, and how many of them were signed in in each month since then. */
export type Cohort = { month: string; size: number; active: number[] }
export type PlatformAnalytics = { months: PlatformMonth[]; cohorts: Cohort[] }

/** The last months, oldest first. Removed coaches count until their removal, erased ones too. */
export async function getPlatformAnalytics(ctx: Ctx): Promise<PlatformAnalytics> {
  authorizeAdmin(ctx, 'admin:coach:read')
  const now = ctx.now()
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (shownMonths - 1), 1))
  const queries = [
    {
      name: 'admin.months',
      text: monthsSql,
      values: [first, now, plans.pro.monthlyPrice, plans.premium.monthlyPrice, activationDays],
    },
    { name: 'admin.cohorts', text: cohortsSql, values: [first] },
  ]
  const [months, activity] = (await ctx.queryAll(queries, { report: true })) as [
    PlatformMonth[],
    { cohort: string; month: string; active: number }[],
  ]
  const activeIn = new Map(activity.map(({ cohort, month, active }) => [`${cohort} ${month}`, active]))
  const cohorts = months.map(({ month, signUps: size }, index) => ({
    month,
    size,
    active: months.slice(index).map((later) => activeIn.get(`${month} ${later.month}`) ?? 0),
  }))
  return { months, cohorts }
}

const toMonth = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM')`

/**
 * $1: the first month, $2: now, $3 and $4: the prices of Pro and Premium, $5: days until a sign-up counts as activated.
 */
const monthsSql = `
with month as (
  select at at time zone 'UTC' as starts_at,
    least((at + interval '1 month') at time zone 'UTC', $2::timestamptz + interval '1 millisecond') as ends_at
  from generate_series($1::timestamptz at time zone 'UTC', $2::timestamptz at time zone 'UTC', interval '1 month') as s (at)
), state as (
  select account_id, since, lead(since) over (partition by account_id order by since, id) as until,
    case when is_removed then 0 when plan = 'pro' then $3::bigint when plan = 'premium' then $4::bigint else 0 end as price
  from coach_state
), paid as (
  select m.starts_at, s.account_id,
    coalesce(sum(price) filter (where s.since < m.starts_at and (s.until is null or s.until >= m.starts_at)), 0) as before,
    coalesce(sum(price) filter (where s.since < m.ends_at and (s.until is null or s.until >= m.ends_at)), 0) as after
  from month m join state s on s.price > 0 and s.since < m.ends_at and (s.until is null or s.until >= m.starts_at)
  group by m.starts_at, s.account_id
), revenue as (
  select starts_at, count(*) filter (where before > 0) as start_paying,
    count(*) filter (where before = 0 and after > 0) as new_paying,
    count(*) filter (where before > 0 and after = 0) as lost_paying,
    count(*) filter (where after > 0) as end_paying,
    sum(before) as start_revenue, sum(after) filter (where before = 0) as new_revenue,
    sum(after - before) filter (where before > 0 and after > before) as upgrades,
    sum(before - after) filter (where after > 0 and after < before) as downgrades,
    sum(before) filter (where after = 0) as lost_revenue, sum(after) as end_revenue
  from paid group by starts_at
), sign_up as (
  select account_id, min(since) as at from coach_state group by account_id
), signed_up as (
  select date_trunc('month', s.at at time zone 'UTC') as month, count(*) as sign_ups,
    count(*) filter (where a.activated_at < s.at + $5 * interval '1 day') as activated
  from sign_up s left join coach_activation a on a.account_id = s.account_id
  where s.at >= $1 group by 1
)
select ${toMonth('m.starts_at')} as month,
  coalesce(s.sign_ups, 0)::int as "signUps", coalesce(s.activated, 0)::int as activated,
  coalesce(r.start_paying, 0)::int as "startPaying", coalesce(r.new_paying, 0)::int as "newPaying",
  coalesce(r.lost_paying, 0)::int as "lostPaying", coalesce(r.end_paying, 0)::int as "endPaying",
  coalesce(r.start_revenue, 0)::bigint as "startRevenue", coalesce(r.new_revenue, 0)::bigint as "newRevenue",
  coalesce(r.upgrades, 0)::bigint as upgrades, coalesce(r.downgrades, 0)::bigint as downgrades,
  coalesce(r.lost_revenue, 0)::bigint as "lostRevenue", coalesce(r.end_revenue, 0)::bigint as "endRevenue"
from month m left join revenue r on r.starts_at = m.starts_at
  left join signed_up s on s.month = m.starts_at at time zone 'UTC'
order by m.starts_at`

/** $1: the first month. */
const cohortsSql = `
with sign_up as (select account_id, min(since) as at from coach_state group by account_id)
select ${toMonth('s.at')} as cohort, to_char(a.month, 'YYYY-MM') as month, count(*)::int as active
from sign_up s join coach_activity a on a.account_id = s.account_id
where s.at >= $1 group by 1, 2`
