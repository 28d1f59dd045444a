import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { Calendar, Info } from 'lucide-react'
import { Badge } from '#app/ui/components/badge.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { SecondaryLink } from '#app/ui/components/button.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { Stats } from '#app/ui/components/stats.tsx'
import { FilterForm } from '#app/ui/forms/filter-form.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { SearchField } from '#app/ui/forms/search-field.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { ById, formActions } from '#modules/core/form-actions.server.ts'
import { generateMessages } from '../action-messages.ts'
import { GenerateButton } from '../components/generate-button.tsx'
import { MinutesLeft } from '../components/minutes-left.tsx'
import { RecentSummaries } from '../components/recent-summaries.tsx'
import { SessionManagement } from '../components/session-management.tsx'
import { useReloadWhile } from '#app/ui/navigation/use-reload-while.ts'
import { showSummaryError } from '../generate-error.ts'
import { listUrl } from '../list-state.ts'
import { loadOverview, type Overview } from '../overview-loader.server.ts'
import { requestSummary } from '../services/generation.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Session Summaries')

export async function loader({ request, context }: LoaderFunctionArgs) {
  return loadOverview(context.coach(), request.url)
}

/** Also for the buttons on other pages. */
export const action = formActions(
  generateMessages,
  {
    generate: {
      schema: ById,
      run: (ctx, { id }) => requestSummary(ctx, id),
      to: ({ page }) => page,
      onError: (error, { form }) => showSummaryError(error, Number(form.get('id'))),
    },
  },
  { home: listUrl.href() },
)

export const clientAction = formClientAction(generateMessages)

const crumbs = [{ label: 'Dashboard', to: '/dashboard' }, { label: 'Session Notes' }]

export default function SessionSummariesPage() {
  const { q, hasPlan, minutes, stats, recent, sessions, page, count, pending, morePending } =
    useLoaderData<typeof loader>()
  useReloadWhile(stats.processing > 0)
  return (
    <Page
      title="Session Summaries"
      crumbs={crumbs}
      actions={
        <SecondaryLink icon={Calendar} to="/calendar">
          Open calendar
        </SecondaryLink>
      }
    >
      <Stats className="mb-4" stats={toTiles(stats)} />
      <p className="note mb-8">
        <Info className="i shrink-0" />
        <span>
          Transcription runs through Rev.ai and is configured on the server. Without it, add a transcript on a session’s
          page: its summary is made of sentences from it. {minutes && <MinutesLeft minutes={minutes} />}
          {!hasPlan && (
            <>
              AI summaries are part of the Pro and Premium plans.{' '}
              <Link className="link" to="/upgrade">
                See the plans
              </Link>
            </>
          )}
        </span>
      </p>
      <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-6">
          <Card
            title="Recent AI-Generated Summaries"
            aside={
              <FilterForm action={listUrl.href()} values={{ q }} className="w-56 max-sm:w-40">
                <SearchField label="Search summaries" placeholder="Search summaries" value={q} />
              </FilterForm>
            }
          >
            {recent.length ? (
              <RecentSummaries summaries={recent} />
            ) : (
              <p className="px-5 pb-5 text-ink-3">
                {q ? 'No summary contains these words.' : 'Summaries that you approve are shown here.'}
              </p>
            )}
          </Card>
          <Card title="Session Management" aside={<span className="text-sm text-ink-3">Last 7 days and later</span>}>
            <SessionManagement
              sessions={sessions}
              page={page}
              count={count}
              to={(to) => listUrl.href({ q, page: to })}
            />
          </Card>
        </div>
        {pending.length > 0 && <PendingCard pending={pending} more={morePending} count={stats.pending} />}
      </div>
    </Page>
  )
}

function toTiles({ completed, since, generated, clients, pending, processing, rate }: Overview['stats']) {
  return [
    { label: 'Completed Sessions', value: completed, detail: since && `since ${since}` },
    {
      label: 'Generated Summaries',
      value: generated,
      detail: clients ? `linked to ${clients} ${clients === 1 ? 'client' : 'clients'}` : null,
    },
    { label: 'Pending Summaries', value: pending, detail: processing ? `${processing} processing now` : null },
    { label: 'Success Rate', value: `${rate}%`, detail: completed ? `${generated} of ${completed}` : null },
  ]
}

function PendingCard({ pending, more, count }: { pending: Overview['pending']; more: number; count: number }) {
  return (
    <Card
      title="Pending Summary Generation"
      className="self-start"
      aside={
        <Badge tone="warning" plain>
          {count}
        </Badge>
      }
    >
      <ul className="rows border-t border-line-soft" aria-label="Pending Summary Generation">
        {pending.map(({ id, title, name, completedOn }) => (
          <li key={id} className="flex items-center gap-3 px-5 py-2.5">
            <span className="min-w-0 flex-1">
              <Link to={`/session-summaries/${id}`} className="block truncate font-medium hover:underline">
                {title}
              </Link>
              <span className="block truncate text-sm text-ink-3">
                {name}, completed {completedOn}
              </span>
            </span>
            <GenerateButton id={id} title={title} iconOnly />
          </li>
        ))}
      </ul>
      {more > 0 && <p className="border-t border-line-soft px-5 py-3 text-sm text-ink-3">...and {more} more</p>}
    </Card>
  )
}
