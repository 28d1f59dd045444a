import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData, useRouteLoaderData } from '@remix-run/react'
import { Plus } from 'lucide-react'
import { localTime } from '#app/lib/time.ts'
import { OnboardingChecklist } from '#app/shell/onboarding-checklist.tsx'
import type { loader as shellLoader } from '#app/shell/layout.tsx'
import { navIcon } from '#app/shell/nav-icons.ts'
import { ButtonLink, PrimaryLink } from '#app/ui/components/button.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { QuickAction } from '#app/ui/components/quick-action.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { formActions, NoInput } from '#modules/core/form-actions.server.ts'
import type { OnboardingStep } from '#modules/core/manifest.ts'
import { fillSlot } from '#modules/core/slots.ts'
import { Slot, preloadWidgets } from '#modules/core/slot.tsx'
import { updateProfile } from '#tenants/accounts/accounts.ts'
import type { CoachAccount } from '#tenants/auth/viewer.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Dashboard')

export async function loader({ context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { account } = ctx
  const [greetings, stats, main, side, contributedSteps] = await Promise.all([
    fillSlot(ctx, 'dashboard.greeting'),
    fillSlot(ctx, 'dashboard.stat').then(preloadWidgets),
    fillSlot(ctx, 'dashboard.main').then(preloadWidgets),
    fillSlot(ctx, 'dashboard.side').then(preloadWidgets),
    fillSlot(ctx, 'dashboard.step'),
  ])
  const now = ctx.now()
  const moduleSteps = contributedSteps.map(({ data }) => data as OnboardingStep)
  const steps = [...accountSteps(account), ...moduleSteps]
  return {
    // A new coach sees what to do first instead of zeros.
    stats: moduleSteps.length === 0 || moduleSteps.some(({ done }) => done) ? stats : [],
    main,
    side,
    today: new Intl.DateTimeFormat('en-US', {
      weekday: 'long',
      month: 'long',
      day: 'numeric',
      timeZone: account.timezone,
    }).format(now),
    hour: Number(localTime(now, account.timezone).slice(0, 2)),
    firstName: account.firstName,
    sentence: greetings.map(({ data }) => String(data)).join(' '),
    isNew: steps.some(({ endsOnboarding, done }) => endsOnboarding && !done),
    checklist: !account.onboardingCompleted && steps.some(({ done }) => !done) ? steps : null,
  }
}

function accountSteps({ businessName, subdomain }: CoachAccount): OnboardingStep[] {
  return [
    {
      title: 'Introduce yourself',
      text: 'Business name and time zone.',
      done: businessName !== null,
      to: '/settings',
      buttonLabel: 'Open Settings',
    },
    {
      title: 'Make it yours',
      text: 'Logo, color and web address.',
      done: subdomain !== null,
      to: '/branding',
      buttonLabel: 'Open Branding',
    },
  ]
}

const messages = {
  hideChecklist: { done: 'Checklist hidden', failed: 'Failed to hide the checklist. Please try again.' },
  showChecklist: { done: 'Checklist restored', failed: 'Failed to restore the checklist. Please try again.' },
}

export const action = formActions(
  messages,
  {
    hideChecklist: {
      schema: NoInput,
      run: (ctx) => updateProfile(ctx, { onboardingCompleted: true }),
      undo: 'showChecklist',
    },
    showChecklist: { schema: NoInput, run: (ctx) => updateProfile(ctx, { onboardingCompleted: false }) },
  },
  { home: '/dashboard' },
)

export const clientAction = formClientAction(messages)

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export default function Dashboard() {
  const { stats, main, side, today, hour, firstName, sentence, isNew, checklist } = useLoaderData<typeof loader>()
  const shell = useRouteLoaderData<typeof shellLoader>('shell')
  const hasClients = shell?.main.some((entry) => entry.to === '/clients') ?? false
  const quickActions = shell?.quickActions ?? []
  return (
    <Page
      eyebrow={today}
      title={`${isNew ? 'Welcome' : greeting(hour)}, ${firstName}`}
      description={isNew ? 'Your practice is ready. Add your first client.' : sentence || undefined}
      actions={
        <>
          {!isNew && <ButtonLink to="/today">Today</ButtonLink>}
          {hasClients && (
            <PrimaryLink to="/clients?dialog=add" icon={Plus}>
              Add Client
            </PrimaryLink>
          )}
        </>
      }
    >
      {stats.length > 0 && (
        <div className="stats mb-8" data-count={Math.min(stats.length, 4)}>
          <Slot filled={stats} />
        </div>
      )}
      <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_21.5rem]">
        <div className="grid min-w-0 content-start gap-6">
          {checklist && <OnboardingChecklist steps={checklist} />}
          <Slot filled={main} />
        </div>
        <div className="grid min-w-0 content-start gap-6">
          {quickActions.length > 0 && (
            <Card title="Quick Actions">
              <div className="rows border-t border-line-soft">
                {quickActions.map(({ label, to, icon }) => (
                  <QuickAction key={to} to={to} icon={navIcon(icon)}>
                    {label}
                  </QuickAction>
                ))}
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
