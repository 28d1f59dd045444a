import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { RefreshCw, Search } from 'lucide-react'
import { parseSearchTerm, searchLimit } from '#app/lib/search.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { searchAll } from '#modules/core/search.ts'
import { ResultRow } from '#app/shell/search-options.tsx'
import { Button, ButtonLink } from '#app/ui/components/button.tsx'
import { EmptyState } from '#app/ui/components/empty-state.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Page } from '#app/ui/components/page.tsx'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Search')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const term = parseSearchTerm(new URL(request.url).searchParams.get('q'))
  return { term, ...(await searchAll(context.coach(), term)) }
}

/** Search as a page: works without JavaScript and has a URL to share. */
export default function SearchPage() {
  const { term, results, failed } = useLoaderData<typeof loader>()
  return (
    <Page title="Search" crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Search' }]}>
      <Form role="search" aria-label="This page" className="mb-6 flex max-w-xl gap-2">
        <label className="has-icon block min-w-0 flex-1">
          <span className="sr-only">Search</span>
          <Search className="i" />
          <input
            key={term}
            name="q"
            type="search"
            defaultValue={term}
            maxLength={200}
            autoComplete="off"
            className="input"
            placeholder="Search clients, appointments..."
          />
        </label>
        <Button type="submit">Search</Button>
      </Form>
      {failed ? (
        <div className="card max-w-xl">
          <EmptyState
            title="Search is incomplete right now"
            action={
              <ButtonLink to={`/search?${new URLSearchParams({ q: term })}`} icon={RefreshCw}>
                Try again
              </ButtonLink>
            }
          >
            Please try again.
          </EmptyState>
        </div>
      ) : results.length ? (
        <>
          <ul className="card rows max-w-xl overflow-hidden">
            {results.map((result) => (
              <li key={`${result.type}-${result.id}`}>
                <Link
                  to={result.to}
                  className="flex min-h-14 items-center gap-3 px-5 py-2 -outline-offset-2 hover:bg-hover"
                >
                  <ResultRow result={result} />
                </Link>
              </li>
            ))}
          </ul>
          {results.length === searchLimit && (
            <p className="mt-3 text-ink-3">
              These are the best {searchLimit} matches. There may be more: search for more letters or words.
            </p>
          )}
        </>
      ) : (
        <p className="text-ink-3">
          {[...term.trim()].length > 2 ? 'No results found' : 'Search names, emails and notes (3+ characters)'}
        </p>
      )}
    </Page>
  )
}
