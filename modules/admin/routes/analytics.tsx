import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Table } from '#app/ui/components/table.tsx'
import { AdminPage } from '../components/admin-page.tsx'
import { CohortTable } from '../components/cohort-table.tsx'
import { MonthBars } from '../components/month-bars.tsx'
import { formatMonth, formatPrice, formatShare } from '../format.ts'
import { activationDays, getPlatformAnalytics } from '../queries/analytics.ts'
import { getPlatformStats } from '../queries/stats.ts'
import { requireAdmin } from '../require-admin.server.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Analytics')

export async function loader({ context }: LoaderFunctionArgs) {
  const ctx = requireAdmin(context)
  const [stats, analytics] = await Promise.all([getPlatformStats(ctx), getPlatformAnalytics(ctx)])
  return { stats, ...analytics, activationDays }
}

export default function Analytics() {
  const { stats, months, cohorts, activationDays: days } = useLoaderData<typeof loader>()
  const newestFirst = months.toReversed()
  return (
    <AdminPage tab="Analytics" stats={stats}>
      <div className="my-4 grid gap-4 lg:grid-cols-2">
        <MonthBars
          title="Sign-ups"
          months={months.map(({ month, signUps: value }) => ({ month, value }))}
          format={(value) => value.toLocaleString('en-US')}
        />
        <MonthBars
          title="Monthly revenue"
          months={months.map(({ month, endRevenue: value }) => ({ month, value }))}
          format={formatPrice}
        />
      </div>

      <h2 className="h2 mb-1 mt-8">Sign-ups, activation and churn</h2>
      <p className="mb-3 text-sm text-ink-3">
        Activated coaches added a client within {days} days of signing up. Churn is the share of paying coaches who
        stopped paying in the month. Months are in UTC.
      </p>
      <Table
        label="Sign-ups, activation and churn"
        bordered
        rows={newestFirst}
        getKey={({ month }) => month}
        columns={[
          { head: 'Month', cell: ({ month }) => formatMonth(month) },
          { head: 'Sign-ups', alignRight: true, cell: ({ signUps }) => signUps },
          {
            head: 'Activated',
            alignRight: true,
            cell: (row) => `${row.activated} (${formatShare(row.activated, row.signUps)})`,
          },
          { head: 'Paying before', alignRight: true, cell: ({ startPaying }) => startPaying },
          { head: 'New', alignRight: true, cell: ({ newPaying }) => newPaying },
          { head: 'Lost', alignRight: true, cell: ({ lostPaying }) => lostPaying },
          { head: 'Paying after', alignRight: true, cell: ({ endPaying }) => endPaying },
          { head: 'Churn', alignRight: true, cell: (row) => formatShare(row.lostPaying, row.startPaying) },
        ]}
        renderListItem={(row) => (
          <div className="px-4 py-3">
            <p className="font-semibold">{formatMonth(row.month)}</p>
            <p className="num text-sm text-ink-3">
              {row.signUps} sign-ups, {row.activated} activated; {row.startPaying} paying, {row.newPaying} new,{' '}
              {row.lostPaying} lost ({formatShare(row.lostPaying, row.startPaying)})
            </p>
          </div>
        )}
      />

      <h2 className="h2 mb-3 mt-8">Revenue</h2>
      <Table
        label="Revenue"
        bordered
        rows={newestFirst}
        getKey={({ month }) => month}
        columns={[
          { head: 'Month', cell: ({ month }) => formatMonth(month) },
          { head: 'Before', alignRight: true, cell: ({ startRevenue }) => formatPrice(startRevenue) },
          { head: 'New', alignRight: true, cell: ({ newRevenue }) => formatPrice(newRevenue) },
          { head: 'Upgrades', alignRight: true, cell: ({ upgrades }) => formatPrice(upgrades) },
          { head: 'Downgrades', alignRight: true, cell: ({ downgrades }) => formatPrice(downgrades) },
          { head: 'Lost', alignRight: true, cell: ({ lostRevenue }) => formatPrice(lostRevenue) },
          { head: 'After', alignRight: true, cell: ({ endRevenue }) => formatPrice(endRevenue) },
        ]}
        renderListItem={(row) => (
          <div className="px-4 py-3">
            <p className="flex justify-between gap-3">
              <span className="font-semibold">{formatMonth(row.month)}</span>
              <span className="num">{formatPrice(row.endRevenue)}</span>
            </p>
            <p className="num text-sm text-ink-3">
              {formatPrice(row.newRevenue)} new, {formatPrice(row.upgrades)} upgrades, {formatPrice(row.downgrades)}{' '}
              downgrades, {formatPrice(row.lostRevenue)} lost
            </p>
          </div>
        )}
      />

      <h2 className="h2 mb-1 mt-8">Retention</h2>
      <p className="mb-3 text-sm text-ink-3">
        Of the coaches who signed up in a month, how many were signed in that many months later.
      </p>
      <CohortTable cohorts={cohorts} />
    </AdminPage>
  )
}
