import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { Download, X } from 'lucide-react'
import { countPages } from '#app/lib/url.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { ButtonLink } from '#app/ui/components/button.tsx'
import { EmptyState } from '#app/ui/components/empty-state.tsx'
import { LoadErrorPage } from '#app/ui/components/load-error.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { PageSummary } from '#app/ui/components/pagination.tsx'
import { Stats } from '#app/ui/components/stats.tsx'
import { Tabs } from '#app/ui/components/tabs.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { GroupTable, RowTable } from '../components/metric-tables.tsx'
import { PlanNote } from '../components/plan-note.tsx'
import { analyticsUrl, metricUrl, pageSize } from '../list-state.ts'
import { loadMetric, type MetricView } from '../metric-loader.server.ts'
import { hasAnalytics } from '../queries/metrics.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data }) =>
  pageTitle(matches, data?.metric?.label ?? 'Analytics')

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const url = metricUrl(params.metric ?? '')
  const state = url.parse(request.url)
  if (!hasAnalytics(ctx)) return { state, metric: null }
  const metric = await loadMetric(ctx, params.metric, state)
  const lastPage = countPages(metric.count, pageSize)
  if (state.page > lastPage) throw redirect(url.href(state, { page: lastPage }))
  return { state, metric }
}

const toCrumbs = (label: string, to = '/analytics') => [
  { label: 'Dashboard', to: '/dashboard' },
  { label: 'Analytics', to },
  { label },
]

export default function MetricPage() {
  const { state, metric } = useLoaderData<typeof loader>()
  if (!metric)
    return (
      <Page title="Analytics" crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Analytics' }]}>
        <PlanNote />
      </Page>
    )
  const { name, label, definition, dates, count, rows, groups, views, filter, by, exportTo } = metric
  return (
    <Page
      title={label}
      crumbs={toCrumbs(label, analyticsUrl.href(state))}
      description={`${definition} ${dates}.`}
      actions={
        <ButtonLink icon={Download} to={exportTo} reloadDocument>
          Export
        </ButtonLink>
      }
    >
      <Stats className="mb-6" stats={listStats(metric)} />
      {views.length > 0 && (
        <div className="mb-4">
          <Tabs label={label} tabs={views} />
        </div>
      )}
      {filter && (
        <p className="mb-4 flex min-w-0 items-center gap-2">
          <span className="min-w-0 truncate">
            {filter.label}: <span className="font-medium">{filter.title}</span>
          </span>
          <Link className="btn btn-ghost btn-sm shrink-0" to={filter.to}>
            <X className="i" />
            All
          </Link>
        </p>
      )}
      {count ? (
        <>
          {by ? <GroupTable metric={metric} /> : <RowTable metric={metric} />}
          <PageSummary
            page={state.page}
            size={pageSize}
            rows={by ? groups.length : rows.length}
            count={count}
            to={(page) => metricUrl(name).href(state, { page })}
          />
        </>
      ) : (
        <div className="card">
          <EmptyState
            title="No rows"
            action={<ButtonLink to={analyticsUrl.href(state)}>Choose another period</ButtonLink>}
          >
            Nothing counts toward this number in this period.
          </EmptyState>
        </div>
      )}
    </Page>
  )
}

/** The number, the sums that it is made of, and what it is compared with. */
function listStats({ label, number, share, value, whole, rowCount, before }: MetricView) {
  return [
    ...(number === null ? [] : [{ label: share ? label : 'Total', value: number }]),
    ...(share
      ? [
          { label: share.value, value },
          { label: share.whole, value: whole },
        ]
      : [{ label: 'Rows', value: rowCount.toLocaleString('en-US') }]),
    ...(before && number !== null
      ? [
          {
            label: 'Before',
            value: before.number,
            detail: [before.dates, before.change].filter(Boolean).join(', '),
            to: before.to ?? undefined,
          },
        ]
      : []),
  ]
}

export function ErrorBoundary() {
  return (
    <LoadErrorPage title="Analytics" crumbs={toCrumbs('Number')} heading="Failed to fetch the rows">
      Your data is safe. Try again in a moment.
    </LoadErrorPage>
  )
}
