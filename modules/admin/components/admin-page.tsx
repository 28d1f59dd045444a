import type { ReactNode } from 'react'
import { ButtonLink } from '#app/ui/components/button.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { Stats } from '#app/ui/components/stats.tsx'
import { Tabs } from '#app/ui/components/tabs.tsx'
import { formatPrice } from '../format.ts'
import {
  adminUrl,
  analyticsPath,
  announcementsUrl,
  auditLogUrl,
  jobsUrl,
  modulesPath,
  subscriptionsPath,
} from '../list-state.ts'
import type { PlatformStats } from '../output.ts'

const tabs = [
  { label: 'Coaches Management', to: adminUrl.href() },
  { label: 'Subscriptions', to: subscriptionsPath },
  { label: 'Analytics', to: analyticsPath },
] as const

/** The frame of the admin console: statistics and tabs. `actions`: besides the audit log. */
export function AdminPage({
  tab,
  stats,
  actions,
  children,
}: {
  tab: (typeof tabs)[number]['label']
  stats: PlatformStats
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <Page
      title="Admin Console"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Admin Console' }]}
      actions={
        <>
          <ButtonLink to={announcementsUrl.href()}>Announcements</ButtonLink>
          <ButtonLink to={auditLogUrl.href()}>Audit Log</ButtonLink>
          <ButtonLink to={modulesPath}>Modules</ButtonLink>
          <ButtonLink to={jobsUrl.href()}>Jobs</ButtonLink>
          {actions}
        </>
      }
    >
      <PlatformStatistics stats={stats} />
      <div className="mt-8">
        <Tabs label="Admin console" tabs={tabs.map((one) => ({ ...one, current: one.label === tab }))} />
      </div>
      {children}
    </Page>
  )
}

function PlatformStatistics({ stats }: { stats: PlatformStats }) {
  const { totalCoaches, activeCoaches, monthlyRevenue, totalClients, subscriptionBreakdown: coachesOn } = stats
  return (
    <Stats
      stats={[
        {
          label: 'Total Coaches',
          value: totalCoaches.toLocaleString('en-US'),
          detail: `${coachesOn.free.toLocaleString('en-US')} on Free`,
        },
        { label: 'Active Coaches', value: activeCoaches.toLocaleString('en-US'), detail: 'signed in within 30 days' },
        {
          label: 'Monthly Revenue',
          value: formatPrice(monthlyRevenue),
          detail: `${coachesOn.pro} Pro, ${coachesOn.premium} Premium`,
        },
        { label: 'Total Clients', value: totalClients.toLocaleString('en-US'), detail: 'across all coaches' },
      ]}
    />
  )
}
