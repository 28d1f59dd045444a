import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { formatRelative } from '#app/lib/time.ts'
import { countPages } from '#app/lib/url.ts'
import { Avatar } from '#app/ui/components/avatar.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { ChairsIllustration, EmptyState } from '#app/ui/components/empty-state.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { PageSummary } from '#app/ui/components/pagination.tsx'
import { FilterForm } from '#app/ui/forms/filter-form.tsx'
import { SearchField } from '#app/ui/forms/search-field.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { messagesUrl, threadPageSize } from '../list-state.ts'
import { listThreads } from '../queries/messages.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Messages')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const state = messagesUrl.parse(request.url)
  const { threads, count } = await listThreads(ctx, state)
  if (state.page > 1 && !threads.length)
    throw redirect(messagesUrl.href(state, { page: countPages(count, threadPageSize) }))
  return {
    state,
    count,
    threads: threads.map(({ lastMessageAt, lastSender, excerpt, ...thread }) => ({
      ...thread,
      excerpt: lastSender === 'coach' ? `You: ${excerpt}` : excerpt,
      at: formatRelative(lastMessageAt, ctx.now()),
    })),
  }
}

export default function MessagesPage() {
  const { state, threads, count } = useLoaderData<typeof loader>()
  return (
    <Page title="Messages" crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Messages' }]}>
      <FilterForm action="/messages" values={{ q: state.q }} className="mb-4 flex">
        <SearchField
          label="Search messages"
          placeholder="Search by client or text"
          value={state.q}
          className="flex-1 sm:max-w-80"
        />
      </FilterForm>
      {threads.length ? (
        <>
          <ul className="card rows overflow-hidden" aria-label="Messages by client">
            {threads.map(({ clientId, clientName, excerpt, at, unread }) => (
              <li key={clientId}>
                <Link to={`/messages/${clientId}`} className="flex items-center gap-3 px-5 py-3 hover:bg-hover">
                  <Avatar name={clientName} />
                  <span className="min-w-0 flex-1">
                    <span className="flex items-baseline gap-3">
                      <span className={`min-w-0 flex-1 truncate ${unread ? 'font-semibold' : 'font-medium'}`}>
                        {clientName}
                      </span>
                      <span className="shrink-0 text-sm text-ink-3">{at}</span>
                    </span>
                    <span className="flex items-center gap-2">
                      <span className={`min-w-0 flex-1 truncate text-sm ${unread ? 'text-ink' : 'text-ink-3'}`}>
                        {excerpt}
                      </span>
                      {unread > 0 && (
                        <span className="badge">
                          {unread}
                          <span className="sr-only"> unread</span>
                        </span>
                      )}
                    </span>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
          <PageSummary
            page={state.page}
            size={threadPageSize}
            rows={threads.length}
            count={count}
            to={(page) => messagesUrl.href(state, { page })}
          />
        </>
      ) : (
        <EmptyState illustration={<ChairsIllustration />} title={state.q ? 'No messages found' : 'No messages yet'}>
          {state.q
            ? 'No client or message has this text.'
            : 'Write to a client from their page. They read and answer in the portal.'}
        </EmptyState>
      )}
    </Page>
  )
}
