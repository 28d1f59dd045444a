import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData, useRouteLoaderData } from '@remix-run/react'
import { Plus } from 'lucide-react'
import { revalidates } from '#app/lib/should-revalidate.ts'
import { FirstSteps } from '#app/shell/onboarding-checklist.tsx'
import type { loader as shellLoader } from '#app/shell/layout.tsx'
import { PrimaryLink } from '#app/ui/components/button.tsx'
import { titled } from '#app/ui/components/branding.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import type { FirstStep } from '#modules/core/manifest.ts'
import { fill } from '#modules/registry.ts'
import { Slot, withWidgets } from '#modules/core/slot.tsx'

export const meta: MetaFunction = ({ matches }) => titled(matches, 'Dashboard')

export async function loader({ context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { account } = ctx
  const [stats, main, side, actions, steps] = await Promise.all([
    fill(ctx, 'dashboard.stat').then(withWidgets),
    fill(ctx, 'dashboard.main').then(withWidgets),
    fill(ctx, 'dashboard.side').then(withWidgets),
    fill(ctx, 'dashboard.action').then(withWidgets),
    fill(ctx, 'dashboard.step'),
  ])
  const now = ctx.now()
  const firstSteps = steps.map(({ data }) => data as FirstStep)
  return {
    // While there is nothing to count, no row of zeros stands above what to do first.
    stats: firstSteps.length === 0 || firstSteps.some(({ done }) => done) ? stats : [],
    main,
    side,
    actions,
    today: new Intl.DateTimeFormat('en-US', {
      weekday: 'long',
      month: 'long',
      day: 'numeric',
      timeZone: account.timezone,
    }).format(now),
    hour: Number(
      new Intl.DateTimeFormat('en-US', { hour: 'numeric', hourCycle: 'h23', timeZone: account.timezone }).format(now),
    ),
    firstName: account.firstName,
    steps: [
      {
        title: 'Introduce yourself',
        text: 'Business name and timezone.',
        done: account.businessName !== null,
        to: '/settings',
        call: 'Open Settings',
      },
      {
        title: 'Make it yours',
        text: 'Logo, color and web address.',
        done: account.subdomain !== null,
        to: '/branding',
        call: 'Open Branding',
      },
      ...firstSteps,
    ] as FirstStep[],
  }
}

export { revalidates as shouldRevalidate }

export default function Dashboard() {
  const { stats, main, side, actions, today, hour, firstName, steps } = useLoaderData<typeof loader>()
  const shell = useRouteLoaderData<typeof shellLoader>('shell')
  const hasClients = shell?.main.some((entry) => entry.to === '/clients') ?? false
  const isNew = steps.some(({ decides, done }) => decides && !done)
  return (
    <Page
      eyebrow={today}
      title={`${isNew ? 'Welcome' : greeting(hour)}, ${firstName}`}
      sentence={isNew ? 'Your practice is ready. It only needs its first client.' : undefined}
      actions={
        hasClients && (
          <PrimaryLink to="/clients?dialog=add" icon={Plus}>
            Add Client
          </PrimaryLink>
        )
      }
    >
      {stats.length > 0 && (
        <div className="stats mb-8" data-count={Math.min(stats.length, 4)}>
          <Slot filled={stats} />
        </div>
      )}
      <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_21.5rem]">
        <div className="grid min-w-0 content-start gap-6">
          {isNew && <FirstSteps steps={steps} />}
          <Slot filled={main} />
        </div>
        <div className="grid min-w-0 content-start gap-6">
          {actions.length > 0 && (
            <Card title="Quick Actions">
              <div className="rows border-t border-line-soft">
                <Slot filled={actions} />
              </div>
            </Card>
          )}
          <Slot filled={side} />
        </div>
      </div>
    </Page>
  )
}

function greeting(hour: number): string {
  if (hour < 12) return 'Good morning'
  return hour < 18 ? 'Good afternoon' : 'Good evening'
}
