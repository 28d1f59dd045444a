import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData, useParams, useRouteError, type ShouldRevalidateFunctionArgs } from '@remix-run/react'
import { Plus } from 'lucide-react'
import { lastPageOf, pageAddress, pageIn } from '#app/lib/pagination.ts'
import { parseId } from '#app/lib/parse-id.ts'
import { revalidates } from '#app/lib/should-revalidate.ts'
import { formOf } from '#app/lib/form-submission.ts'
import { dayOf } from '#app/lib/time.ts'
import { ButtonLink, PrimaryLink } from '#app/ui/components/button.tsx'
import { ChairsDrawing, Empty } from '#app/ui/components/empty-state.tsx'
import { FailedPage, statusOf } from '#app/ui/components/load-error.tsx'
import { GoneDialog } from '#app/ui/components/not-found-dialog.tsx'
import { titled } from '#app/ui/components/branding.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { Showing } from '#app/ui/components/pagination.tsx'
import { RichText } from '#app/ui/rich-text/rich-text.tsx'
import { keepTyped } from '#app/ui/forms/offline-action.ts'
import { InteractionDialog } from '../components/interaction-dialog.tsx'
import { InteractionTools } from '../components/recent-interactions.tsx'
import { interactionDeeds } from '../failure-messages.ts'
import { dialogOf, interactionDeed } from '../interactions-loader.server.ts'
import { clientOf } from '../queries/clients.ts'
import { interactionsPage, pageRows } from '../queries/interactions.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data, error }) =>
  titled(matches, data ? `Interactions with ${data.client.name}` : failure(error).title)

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const id = parseId(params.id)
  const { searchParams } = new URL(request.url)
  const page = pageIn(searchParams)
  const [client, { rows, count }, dialog] = await Promise.all([
    clientOf(ctx, id),
    interactionsPage(ctx, { clientId: id, page }),
    dialogOf(ctx, id, searchParams),
  ])
  const lastPage = lastPageOf(count, pageRows)
  if (page > lastPage) throw redirect(addressOf(id, lastPage))
  const zone = ctx.account.timezone
  return {
    client: { id, name: client.name },
    interactions: rows.map(({ id: own, name, content, summary, source, interactionDate }) => ({
      id: own,
      name,
      content,
      summary,
      source,
      day: dayOf(interactionDate, zone),
    })),
    count,
    page,
    size: pageRows,
    dialog,
  }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  context.coach()
  return interactionDeed(request, context, parseId(params.id), await formOf(request.clone()))
}

export const clientAction = keepTyped(interactionDeeds)

/** When another tab saved meanwhile, the page shows what it saved. */
export const shouldRevalidate = (change: ShouldRevalidateFunctionArgs) => revalidates(change, [409])

const addressOf = (clientId: number, page: number, dialog: Record<string, string> = {}): string =>
  pageAddress(`/clients/${clientId}/interactions`, page, dialog)

/** All that was written down about contacts with a client, in full. */
export default function InteractionsPage() {
  const { client, interactions, count, page, size, dialog } = useLoaderData<typeof loader>()
  const here = addressOf(client.id, page)
  const add = addressOf(client.id, page, { dialog: 'interaction' })
  return (
    <Page
      title="Interactions"
      crumbs={[
        { label: 'Clients', to: '/clients' },
        { label: client.name, to: `/clients/${client.id}` },
        { label: 'Interactions' },
      ]}
      actions={
        <PrimaryLink to={add} icon={Plus} preventScrollReset>
          Add Interaction
        </PrimaryLink>
      }
    >
      {interactions.length === 0 ? (
        <div className="card">
          <Empty
            title="No interactions yet"
            drawing={<ChairsDrawing />}
            action={
              <ButtonLink to={add} icon={Plus} variant="primary">
                Add Interaction
              </ButtonLink>
            }
          >
            Write down what was said and agreed after a session, a call or a mail: a title and a day are enough.
          </Empty>
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
                <InteractionTools
                  contact={interaction}
                  editTo={addressOf(client.id, page, { dialog: 'interaction', interaction: String(interaction.id) })}
                />
              </div>
              {interaction.summary && <RichText source={interaction.summary} className="mt-2 max-w-prose" />}
              {interaction.content && <RichText source={interaction.content} className="mt-2 max-w-prose" />}
            </li>
          ))}
        </ol>
      )}
      {count > 0 && (
        <Showing
          page={page}
          size={size}
          rows={interactions.length}
          count={count}
          to={(other) => addressOf(client.id, other)}
        />
      )}
      {dialog?.kind === 'interaction' && (
        <InteractionDialog key={dialog.interaction.id} interaction={dialog.interaction} closeTo={here} />
      )}
      {dialog?.kind === 'gone' && <GoneDialog what="Interaction" kind="client_interaction" closeTo={here} />}
    </Page>
  )
}

function failure(error: unknown) {
  const missing = statusOf(error) === 404
  return { missing, title: missing ? 'Client not found' : 'Failed to fetch interactions' }
}

export function ErrorBoundary() {
  const { id } = useParams()
  const { missing, title } = failure(useRouteError())
  return (
    <FailedPage
      title="Interactions"
      crumbs={[
        { label: 'Clients', to: '/clients' },
        { label: 'Client', to: `/clients/${id}` },
        { label: 'Interactions' },
      ]}
      what={title}
      action={missing && <ButtonLink to="/trash?kind=client">Look in the trash</ButtonLink>}
    >
      {missing
        ? 'There is no such client here. If you deleted them lately, they are in the trash.'
        : 'Nothing is lost. Load the page again in a moment.'}
    </FailedPage>
  )
}
