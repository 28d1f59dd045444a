import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Stats } from '#app/ui/components/stats.tsx'
import { Table } from '#app/ui/components/table.tsx'
import { plans } from '#tenants/accounts/plans.ts'
import { AdminPage } from '../components/admin-page.tsx'
import { planNames, planTitles } from '../fields.ts'
import { formatPrice, formatShare } from '../format.ts'
import { adminUrl } from '../list-state.ts'
import { getPlatformAnalytics } from '../queries/analytics.ts'
import { listCoaches } from '../queries/coaches.ts'
import { listPlanStats, toPlatformStats, toRevenue } from '../queries/stats.ts'
import { requireAdmin } from '../require-admin.server.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Subscriptions')

export async function loader({ context }: LoaderFunctionArgs) {
  const ctx = requireAdmin(context)
  const [planStats, { months }, [failed]] = await Promise.all([
    listPlanStats(ctx),
    getPlatformAnalytics(ctx),
    listCoaches(ctx, { state: 'payment-failed', rows: 1 }),
  ])
  const rows = planNames.map((plan) => {
    const found = planStats.find((one) => one.plan === plan)
    const price = plans[plan].monthlyPrice
    return {
      plan,
      title: planTitles[plan],
      price,
      coaches: found?.coaches ?? 0,
      trials: found?.trials ?? 0,
      revenue: found ? toRevenue(found) : 0,
    }
  })
  return { stats: toPlatformStats(planStats), rows, month: months.at(-1)!, failed: failed?.total ?? 0 }
}

export default function Subscriptions() {
  const { stats, rows, month, failed } = useLoaderData<typeof loader>()
  const sum = (value: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + value(row), 0)
  const coaches = sum((row) => row.coaches)
  const lines = [
    ...rows,
    {
      plan: 'all',
      title: 'All plans',
      price: null,
      coaches,
      trials: sum((row) => row.trials),
      revenue: sum((row) => row.revenue),
    },
  ]
  return (
    <AdminPage tab="Subscriptions" stats={stats}>
      <div className="my-4">
        <Table
          label="Plans"
          bordered
          rows={lines}
          getKey={({ plan }) => plan}
          columns={[
            { head: 'Plan', cell: ({ title }) => <span className="font-semibold">{title}</span> },
            {
              head: 'Price per month',
              alignRight: true,
              cell: ({ price }) => (price === null ? '' : formatPrice(price)),
            },
            { head: 'Coaches', alignRight: true, cell: (row) => row.coaches.toLocaleString('en-US') },
            { head: 'Share', alignRight: true, cell: (row) => formatShare(row.coaches, coaches) },
            { head: 'On trial', alignRight: true, cell: ({ trials }) => trials.toLocaleString('en-US') },
            { head: 'Monthly revenue', alignRight: true, cell: ({ revenue }) => formatPrice(revenue) },
          ]}
          renderListItem={(row) => (
            <div className="flex items-center justify-between gap-3 px-4 py-3">
              <div>
                <p className="font-semibold">{row.title}</p>
                <p className="num text-sm text-ink-3">
                  {row.coaches.toLocaleString('en-US')} {row.coaches === 1 ? 'coach' : 'coaches'},{' '}
                  {row.trials.toLocaleString('en-US')} on trial
                </p>
              </div>
              <p className="num">{formatPrice(row.revenue)}</p>
            </div>
          )}
        />
      </div>
      <p className="mb-8 text-sm text-ink-3">
        Trials are of Pro and pay nothing. Revenue is the list price of the others.
      </p>
      <h2 className="h2 mb-3">This month</h2>
      <Stats
        stats={[
          { label: 'New', value: month.newPaying, detail: `+${formatPrice(month.newRevenue)} a month` },
          {
            label: 'Upgrades',
            value: formatPrice(month.upgrades),
            detail: `Downgrades ${formatPrice(month.downgrades)}`,
          },
          { label: 'Lost', value: month.lostPaying, detail: `−${formatPrice(month.lostRevenue)} a month` },
          {
            label: 'Payment failed',
            value: failed,
            detail: 'Coaches who lose their plan soon',
            to: adminUrl.href({ status: 'payment-failed' }),
          },
        ]}
      />
    </AdminPage>
  )
}
