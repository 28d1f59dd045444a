import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { SquarePen } from 'lucide-react'
import { formatRelative } from '#app/lib/time.ts'
import { countPages } from '#app/lib/url.ts'
import { Avatar } from '#app/ui/components/avatar.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { PrimaryLink } from '#app/ui/components/button.tsx'
import { ChairsIllustration, EmptyState } from '#app/ui/components/empty-state.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { PageSummary } from '#app/ui/components/pagination.tsx'
import { FilterForm } from '#app/ui/forms/filter-form.tsx'
import { SearchField } from '#app/ui/forms/search-field.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { listClientOptions } from '#modules/crm/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { NewMessageDialog, type RecipientOptions } from '../components/new-message-dialog.tsx'
import { messagesUrl, threadPageSize } from '../list-state.ts'
import { listThreads } from '../queries/messages.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Messages')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const state = messagesUrl.parse(request.url)
  if (state.dialog && state.client) throw redirect(`/messages/${state.client}`)
  const wasSent = new URL(request.url).searchParams.has('client')
  const [{ threads, count }, recipients] = await Promise.all([
    listThreads(ctx, state),
    state.dialog ? listRecipients(ctx, state.find, wasSent) : null,
  ])
  if (state.page > 1 && !threads.length)
    throw redirect(messagesUrl.href(state, { page: countPages(count, threadPageSize) }))
  return {
    state,
    count,
    recipients,
    threads: threads.map(({ lastMessageAt, lastSender, excerpt, ...thread }) => ({
      ...thread,
      excerpt: lastSender === 'coach' ? `You: ${excerpt}` : excerpt,
      at: formatRelative(lastMessageAt, ctx.now()),
    })),
  }
}

/** Clients that the dialog lists at first. */
const maxClients = 50

async function listRecipients(ctx: Ctx, find: string, isMissing: boolean): Promise<RecipientOptions> {
  const listed = await listClientOptions(ctx, { q: find, rows: maxClients + 1 })
  const clients = listed.slice(0, maxClients).map(({ id, name }) => ({ id, name }))
  return { clients, hasMore: listed.length > maxClients, find, isMissing }
}

export default function MessagesPage() {
  const { state, threads, count, recipients } = useLoaderData<typeof loader>()
  const newMessage = messagesUrl.href(state, { dialog: 'new', client: null })
  return (
    <Page
      title="Messages"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Messages' }]}
      actions={
        <PrimaryLink icon={SquarePen} to={newMessage} preventScrollReset>
          New Message
        </PrimaryLink>
      }
    >
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
          {state.q ? 'No client or message has this text.' : 'Write to a client. They read and answer in the portal.'}
        </EmptyState>
      )}
      {recipients && (
        <NewMessageDialog
          options={recipients}
          state={state}
          closeTo={messagesUrl.href(state, { dialog: null, client: null, find: '' })}
        />
      )}
    </Page>
  )
}
