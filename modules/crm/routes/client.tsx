import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData, useLocation } from '@remix-run/react'
import { Archive, Check } from 'lucide-react'
import type { z } from 'zod'
import { ignoreNotFound } from '#app/lib/errors.ts'
import { parseId, withQuery } from '#app/lib/url.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button, ButtonLink } from '#app/ui/components/button.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { NotFoundDialog } from '#app/ui/components/not-found-dialog.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { ById, formActions, success } from '#modules/core/form-actions.server.ts'
import { Slot } from '#modules/core/slot.tsx'
import type { WriteCtx } from '#tenants/context.ts'
import { loadClientPage } from '../client-loader.server.ts'
import { ClientActions } from '../components/client-actions.tsx'
import { ClientInformation, ClientNotes } from '../components/client-details.tsx'
import { ClientEditForm } from '../components/client-edit-form.tsx'
import { describeLoadError } from '../components/client-error.tsx'
import { useClientForm } from '../components/client-form.tsx'
import { BackToClients, ClientHeader } from '../components/client-header.tsx'
import { DeleteClientDialog } from '../components/delete-client-dialog.tsx'
import { EditClientDialog } from '../components/edit-client-dialog.tsx'
import { InteractionDialog } from '../components/interaction-dialog.tsx'
import { NextSession } from '../components/next-session.tsx'
import { RecentInteractions } from '../components/recent-interactions.tsx'
import { TimelineCard } from '../components/timeline.tsx'
import { warnOfDuplicate } from '../duplicate-toast.server.ts'
import { ClientEditForm as ClientEditInput } from '../forms.ts'
import { interactionActions } from '../interaction-actions.server.ts'
import { interactionMessages } from '../interaction-messages.ts'
import { getClient } from '../queries/clients.ts'
import { archiveClient, updateClient, unarchiveClient } from '../services/clients.ts'
import { findMerge } from '../services/merge.ts'

export { ErrorBoundary } from '../components/client-error.tsx'
export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data, error }) =>
  pageTitle(matches, data?.client.name ?? describeLoadError(error).title)

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const id = parseId(params.id)
  try {
    return await loadClientPage(ctx, id, new URL(request.url).searchParams)
  } catch (error) {
    ignoreNotFound(error)
    // Links to a merged client lead to the one who was kept.
    const merge = id ? await findMerge(ctx, id) : null
    throw merge ? redirect(`/clients/${merge.keptId}`) : error
  }
}

const messages = {
  save: { done: 'Client changes saved successfully.', failed: 'Failed to save client changes.' },
  edit: { done: 'Client updated successfully!', failed: 'Failed to update client. Please try again.' },
  archive: { done: 'Client archived', failed: 'Failed to archive client. Please try again.' },
  unarchive: { done: 'Client restored', failed: 'Failed to unarchive client. Please try again.' },
  ...interactionMessages,
}

const save = (done: string) => ({
  schema: ClientEditInput,
  run: async (ctx: WriteCtx, { id, version, ...input }: z.output<typeof ClientEditInput>) => {
    const before = await getClient(ctx, id).catch(ignoreNotFound)
    const toast = await warnOfDuplicate(ctx, await updateClient(ctx, id, input, version), { done, before })
    return success(toast ? { toast } : {})
  },
})

export const action = formActions(
  messages,
  {
    save: save(messages.save.done),
    edit: save(messages.edit.done),
    archive: { schema: ById, run: (ctx, { id }) => archiveClient(ctx, id), undo: 'unarchive' },
    unarchive: { schema: ById, run: (ctx, { id }) => unarchiveClient(ctx, id), to: ({ page }) => page },
    ...interactionActions,
  },
  { dialog: ['dialog', 'interaction', 'edit'] },
)

export const clientAction = formClientAction(messages)

export default function ClientPage() {
  const { client, dialog, contributedDialogs, timezones, mode } = useLoaderData<typeof loader>()
  const { id } = client
  const pageUrl = `/clients/${id}`
  const pageHref = usePageHref()
  return (
    <div className="mx-auto max-w-page px-gutter pt-5 lg:pt-8">
      <BackToClients />
      {mode === 'edit' ? <EditMode key={id} /> : <ViewMode />}
      <Slot filled={contributedDialogs} />
      {dialog?.kind === 'edit' && <EditClientDialog key={id} client={client} closeTo={pageUrl} timezones={timezones} />}
      {dialog?.kind === 'interaction' && (
        <InteractionDialog key={dialog.interaction.id} interaction={dialog.interaction} closeTo={pageHref({})} />
      )}
      {dialog?.kind === 'not-found' && (
        <NotFoundDialog label="Interaction" kind="client_interaction" closeTo={pageHref({})} />
      )}
      {dialog?.kind === 'delete' && <DeleteClientDialog client={client} closeTo={pageUrl} />}
    </div>
  )
}

function ViewMode() {
  const data = useLoaderData<typeof loader>()
  const { client, cards, timeline, archivedOn, isReadOnly, pageLinks } = data
  const { id } = client
  const pageHref = usePageHref()
  return (
    <>
      <ClientHeader client={client}>
        <ClientActions
          id={id}
          links={pageLinks}
          isArchived={archivedOn !== null}
          isReadOnly={isReadOnly}
          pageHref={pageHref}
        />
      </ClientHeader>
      {archivedOn && (
        <p className="note mb-6">
          <Archive className="i" />
          <span>
            Archived on {archivedOn}. Archived clients don’t count toward your plan.
            {isReadOnly && (
              <>
                {' '}
                Your plan is full, so you can view, export and delete this client, but not change anything.{' '}
                <Link className="link" to="/upgrade">
                  Upgrade your plan
                </Link>
                , or archive another client and unarchive this one.
              </>
            )}
          </span>
        </p>
      )}
      {!archivedOn && isReadOnly && (
        <p className="note mb-6">
          <Archive className="i" />
          <span>
            The payment of your plan failed, and this client is over the limit of the Free plan. You can view, export,
            archive and delete this client, but not change anything.{' '}
            <Link className="link" to="/upgrade">
              Update your card
            </Link>
            , or archive other clients.
          </span>
        </p>
      )}
      <div className="grid gap-6 lg:grid-cols-[20rem_minmax(0,1fr)] lg:grid-rows-[auto_1fr]">
        <div className="grid min-w-0 content-start gap-6 max-lg:order-2 lg:row-span-2">
          <NextSession sessions={data.nextSessions} />
          <ClientInformation
            {...client}
            localTime={data.localTime}
            clientSince={data.clientSince}
            links={data.cardLinks}
          />
          <Slot filled={cards} />
          <RecentInteractions
            clientId={id}
            interactions={data.recentInteractions}
            hasMore={data.hasMoreInteractions}
            pageHref={pageHref}
            readOnly={isReadOnly}
          />
        </div>
        <div className="grid min-w-0 content-start gap-6">
          <ClientNotes {...client} lastEdited={data.lastEdited} />
        </div>
        {timeline && (
          <div className="min-w-0 max-lg:order-3">
            <TimelineCard timeline={timeline} pageHref={pageHref} />
          </div>
        )}
      </div>
    </>
  )
}

function EditMode() {
  const { client, cards, recentInteractions, hasMoreInteractions, timezones } = useLoaderData<typeof loader>()
  const clientForm = useClientForm(client, { id: 'client', intent: 'save' })
  const pageHref = usePageHref()
  return (
    <>
      <ClientHeader client={client} editing>
        <ButtonLink to={`/clients/${client.id}`} replace>
          Cancel
        </ButtonLink>
        <Button
          type="submit"
          form={clientForm.form.props.id}
          variant="primary"
          icon={Check}
          busy={clientForm.busy}
          busyLabel="Saving..."
        >
          Save
        </Button>
      </ClientHeader>
      <ClientEditForm
        clientForm={clientForm}
        timezones={timezones}
        sidebar={
          <>
            <Slot filled={cards} />
            <RecentInteractions
              clientId={client.id}
              interactions={recentInteractions}
              hasMore={hasMoreInteractions}
              pageHref={pageHref}
              isEditing
            />
          </>
        }
      />
    </>
  )
}

/** Builds the URL of this page with changed search params and without an open dialog. */
function usePageHref(): (change: Record<string, string | null>) => string {
  const { pathname, search } = useLocation()
  return (change) => withQuery(pathname + search, { dialog: null, interaction: null, edit: null, ...change })
}
