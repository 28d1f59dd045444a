import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { Download } from 'lucide-react'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { ButtonLink } from '#app/ui/components/button.tsx'
import { EmptyState } from '#app/ui/components/empty-state.tsx'
import { LoadErrorPage } from '#app/ui/components/load-error.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { Chart } from '../components/chart.tsx'
import { GroupList } from '../components/group-list.tsx'
import { AnalyticsIllustration } from '../components/illustration.tsx'
import { PeriodForm } from '../components/period-form.tsx'
import { PlanNote } from '../components/plan-note.tsx'
import { Tiles } from '../components/tiles.tsx'
import { analyticsExportUrl, analyticsUrl } from '../list-state.ts'
import { loadOverview, type OverviewSection } from '../overview-loader.server.ts'
import { hasAnalytics } from '../queries/metrics.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Analytics')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const state = analyticsUrl.parse(request.url)
  return { state, overview: hasAnalytics(ctx) ? await loadOverview(ctx, state) : null }
}

const crumbs = [{ label: 'Dashboard', to: '/dashboard' }, { label: 'Analytics' }]

export default function AnalyticsPage() {
  const { state, overview } = useLoaderData<typeof loader>()
  if (!overview)
    return (
      <Page title="Analytics" crumbs={crumbs}>
        <PlanNote />
      </Page>
    )
  return (
    <Page
      title="Analytics"
      crumbs={crumbs}
      description={overview.dates}
      actions={
        <ButtonLink icon={Download} to={analyticsExportUrl.href(state)} reloadDocument>
          Export
        </ButtonLink>
      }
    >
      <PeriodForm state={state} dates={overview.period} />
      <p className="num mb-6 text-sm text-ink-3">
        Before: {overview.before}. Year before: {overview.yearBefore}.
      </p>
      {overview.isEmpty && <NothingYet />}
      {overview.sections.map((section) => (
        <Section key={section.name} section={section} />
      ))}
    </Page>
  )
}

const NothingYet = () => (
  <div className="card mb-8">
    <EmptyState title="Nothing in this period" illustration={<AnalyticsIllustration />}>
      Payments, sessions, clients and prospects count here from their day on. Choose a longer period to see earlier
      ones.
    </EmptyState>
  </div>
)

function Section({ section: { title, tiles, charts, lists, definitions } }: { section: OverviewSection }) {
  return (
    <section aria-label={title} className="mb-10">
      <h2 className="h2 mb-3">{title}</h2>
      <Tiles tiles={tiles} />
      {(charts.length > 0 || lists.length > 0) && (
        <div className="mt-4 grid items-start gap-4 lg:grid-cols-2">
          {charts.map((chart) => (
            <Chart key={chart.title} chart={chart} />
          ))}
          {lists.length > 0 && (
            <div className="grid min-w-0 content-start gap-4">
              {lists.map((list) => (
                <GroupList key={list.title} list={list} />
              ))}
            </div>
          )}
        </div>
      )}
      <details className="mt-3 text-sm">
        <summary className="link w-fit cursor-pointer">What these numbers mean</summary>
        <dl className="mt-2 grid gap-2 text-ink-2">
          {definitions.map(({ label, definition }) => (
            <div key={label}>
              <dt className="font-medium">{label}</dt>
              <dd className="text-ink-3">{definition}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  )
}

export function ErrorBoundary() {
  return (
    <LoadErrorPage title="Analytics" crumbs={crumbs} heading="Failed to fetch the analytics">
      Your data is safe. Try again in a moment.
    </LoadErrorPage>
  )
}
