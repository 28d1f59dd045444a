import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData, useParams, useRouteError } from '@remix-run/react'
import { Plus } from 'lucide-react'
import { countPages, pageHref, parsePage, parseId } from '#app/lib/url.ts'
import { formatDate } from '#app/lib/time.ts'
import { ButtonLink, PrimaryLink } from '#app/ui/components/button.tsx'
import { ChairsIllustration, EmptyState } from '#app/ui/components/empty-state.tsx'
import { LoadErrorPage, httpStatus } from '#app/ui/components/load-error.tsx'
import { NotFoundDialog } from '#app/ui/components/not-found-dialog.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { PageSummary } from '#app/ui/components/pagination.tsx'
import { RichText } from '#app/ui/rich-text/rich-text.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { formActions } from '#modules/core/form-actions.server.ts'
import { InteractionDialog } from '../components/interaction-dialog.tsx'
import { InteractionActions } from '../components/recent-interactions.tsx'
import { interactionActions } from '../interaction-actions.server.ts'
import { interactionMessages } from '../interaction-messages.ts'
import { getInteractionDialog } from '../interactions-loader.server.ts'
import { getClient } from '../queries/clients.ts'
import { getInteractionsPage, interactionsPerPage } from '../queries/interactions.ts'
import { isReadOnly } from '../services/plan-limit.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data, error }) =>
  pageTitle(matches, data ? `Interactions with ${data.client.name}` : describeLoadError(error).title)

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const id = parseId(params.id)
  const { searchParams } = new URL(request.url)
  const page = parsePage(searchParams)
  const [client, { rows, count }, dialog] = await Promise.all([
    getClient(ctx, id),
    getInteractionsPage(ctx, { clientId: id, page }),
    getInteractionDialog(ctx, id, searchParams),
  ])
  const lastPage = countPages(count, interactionsPerPage)
  if (page > lastPage) throw redirect(interactionsHref(id, lastPage))
  const zone = ctx.account.timezone
  return {
    client: { id, name: client.name },
    isReadOnly: await isReadOnly(ctx, client),
    interactions: rows.map(({ id: interactionId, name, content, summary, source, interactionDate }) => ({
      id: interactionId,
      name,
      content,
      summary,
      source,
      day: formatDate(interactionDate, zone),
    })),
    count,
    page,
    size: interactionsPerPage,
    dialog,
  }
}

export const action = formActions(interactionMessages, interactionActions, {
  dialog: ['dialog', 'interaction'],
})

export const clientAction = formClientAction(interactionMessages)

const interactionsHref = (clientId: number, page: number, dialog: Record<string, string> = {}): string =>
  pageHref(`/clients/${clientId}/interactions`, page, dialog)

/** All interactions with a client, in full. */
export default function InteractionsPage() {
  const { client, isReadOnly, interactions, count, page, size, dialog } = useLoaderData<typeof loader>()
  const pageUrl = interactionsHref(client.id, page)
  const add = interactionsHref(client.id, page, { dialog: 'interaction' })
  return (
    <Page
      title="Interactions"
      crumbs={[
        { label: 'Clients', to: '/clients' },
        { label: client.name, to: `/clients/${client.id}` },
        { label: 'Interactions' },
      ]}
      actions={
        !isReadOnly && (
          <PrimaryLink to={add} icon={Plus} preventScrollReset>
            Add Interaction
          </PrimaryLink>
        )
      }
    >
      {interactions.length === 0 ? (
        <div className="card">
          <EmptyState
            title="No interactions yet"
            illustration={<ChairsIllustration />}
            action={
              !isReadOnly && (
                <ButtonLink to={add} icon={Plus} variant="primary">
                  Add Interaction
                </ButtonLink>
              )
            }
          >
            Log a session, call or email. Only a title and date are required.
          </EmptyState>
        </div>
      ) : (
        <ol className="grid gap-4">
          {interactions.map((interaction) => (
            <li key={interaction.id} className="card px-5 pb-5 pt-4">
              <div className="flex items-start gap-2">
                <div className="min-w-0 flex-1">
                  <h2 className="h2 wrap-anywhere">{interaction.name}</h2>
                  <p className="text-sm text-ink-3">
                    {interaction.day}
                    {interaction.source !== 'manual' && ', auto-generated'}
                  </p>
                </div>
                <InteractionActions
                  interaction={interaction}
                  editTo={
                    isReadOnly
                      ? null
                      : interactionsHref(client.id, page, {
                          dialog: 'interaction',
                          interaction: String(interaction.id),
                        })
                  }
                />
              </div>
              {interaction.summary && <RichText source={interaction.summary} className="mt-2 max-w-prose" />}
              {interaction.content && <RichText source={interaction.content} className="mt-2 max-w-prose" />}
            </li>
          ))}
        </ol>
      )}
      {count > 0 && (
        <PageSummary
          page={page}
          size={size}
          rows={interactions.length}
          count={count}
          to={(page) => interactionsHref(client.id, page)}
        />
      )}
      {dialog?.kind === 'interaction' && (
        <InteractionDialog key={dialog.interaction.id} interaction={dialog.interaction} closeTo={pageUrl} />
      )}
      {dialog?.kind === 'not-found' && (
        <NotFoundDialog label="Interaction" kind="client_interaction" closeTo={pageUrl} />
      )}
    </Page>
  )
}

function describeLoadError(error: unknown) {
  const missing = httpStatus(error) === 404
  return { missing, title: missing ? 'Client not found' : 'Failed to fetch interactions' }
}

export function ErrorBoundary() {
  const { id } = useParams()
  const { missing, title } = describeLoadError(useRouteError())
  return (
    <LoadErrorPage
      title="Interactions"
      crumbs={[
        { label: 'Clients', to: '/clients' },
        { label: 'Client', to: `/clients/${id}` },
        { label: 'Interactions' },
      ]}
      heading={title}
      action={missing && <ButtonLink to="/trash?kind=client">Open trash</ButtonLink>}
    >
      {missing
        ? 'We can’t find this client. If you deleted them recently, check the trash.'
        : 'Please reload the page in a moment.'}
    </LoadErrorPage>
  )
}
