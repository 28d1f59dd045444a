import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData, useLocation, useNavigation, type ShouldRevalidateFunctionArgs } from '@remix-run/react'
import { Archive, ArchiveRestore, Check, Pencil, Trash2 } from 'lucide-react'
import { parseId } from '#app/lib/url.ts'
import { shouldRevalidateUnless } from '#app/lib/should-revalidate.ts'
import { readForm, submit } from '#app/lib/form-submission.ts'
import { resolveConflict } from '#app/lib/edit-conflict.ts'
import { Button, ButtonLink, PrimaryLink, SecondaryLink } from '#app/ui/components/button.tsx'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { NotFoundDialog } from '#app/ui/components/not-found-dialog.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { keepFormOnFailure } from '#app/ui/forms/offline-action.ts'
import { attempt, press } from '#modules/core/run-action.server.ts'
import { Slot } from '#modules/core/slot.tsx'
import { ClientEditForm } from '../components/client-edit-form.tsx'
import { describeLoadError } from '../components/client-error.tsx'
import { useClientForm } from '../components/client-form.tsx'
import { BackToClients, ClientHeader } from '../components/client-header.tsx'
import { ClientInformation, ClientNotes } from '../components/client-details.tsx'
import { EditClientDialog } from '../components/edit-client-dialog.tsx'
import { InteractionDialog } from '../components/interaction-dialog.tsx'
import { linkIcon } from '../components/link-icon.ts'
import { RecentInteractions } from '../components/recent-interactions.tsx'
import { TimelineCard } from '../components/timeline.tsx'
import { EditClientForm } from '../forms.ts'
import { loadClientPage } from '../client-loader.server.ts'
import { interactionFailureMessages } from '../failure-messages.ts'
import { interactionAction } from '../interactions-loader.server.ts'
import { archiveClient, editClient, unarchiveClient } from '../services/clients.ts'
import { clientLinkHref } from '../slots.ts'

export { ErrorBoundary } from '../components/client-error.tsx'

export const meta: MetaFunction<typeof loader> = ({ matches, data, error }) =>
  pageTitle(matches, data?.client.name ?? describeLoadError(error).title)

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  return loadClientPage(context.coach(), parseId(params.id), new URL(request.url).searchParams)
}

const failureMessages = {
  save: 'Failed to save client changes.',
  edit: 'Failed to update client. Please try again.',
  archive: 'Failed to archive client. Please try again.',
  unarchive: 'Failed to unarchive client. Please try again.',
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  context.coach()
  const id = parseId(params.id)
  const form = await readForm(request.clone())
  const pageUrl = `/clients/${id}`
  switch (form.get('intent')) {
    case 'archive':
      return press(context, {
        to: pageUrl,
        sorry: failureMessages.archive,
        done: {
          tone: 'success',
          title: 'Client archived',
          action: { label: 'Undo', to: pageUrl, fields: { intent: 'unarchive' } },
        },
        work: (ctx) => archiveClient(ctx, id),
      })
    case 'unarchive':
      return press(context, {
        to: pageUrl,
        sorry: failureMessages.unarchive,
        done: { tone: 'success', title: 'Client restored' },
        work: (ctx) => unarchiveClient(ctx, id),
      })
    case 'save':
      return save(failureMessages.save, 'Client changes saved successfully.')
    case 'edit':
      return save(failureMessages.edit, 'Client updated successfully!')
    default:
      return interactionAction(request, context, id, form)
  }

  function save(failed: string, toast: string) {
    const edit = ({ version, was: _, ...input }: EditClientForm) =>
      attempt(context, failed, (ctx) => editClient(ctx, id, resolveConflict(input, form), version))
    return submit(request, EditClientForm, edit, { to: pageUrl, toast })
  }
}

export const clientAction = keepFormOnFailure({ ...failureMessages, ...interactionFailureMessages })

/** After a conflict, load the version that the other tab saved. */
export const shouldRevalidate = (change: ShouldRevalidateFunctionArgs) => shouldRevalidateUnless(change, [409])

export default function ClientPage() {
  const { client, dialog, dialogs, timezones, mode } = useLoaderData<typeof loader>()
  const { id, name } = client
  const pageUrl = `/clients/${id}`
  const pageHref = usePageHref()
  return (
    <div className="mx-auto max-w-page px-gutter pt-5 lg:pt-8">
      <BackToClients />
      {mode === 'edit' ? <EditMode key={id} /> : <ViewMode />}
      <Slot filled={dialogs} />
      {dialog?.kind === 'edit' && <EditClientDialog key={id} client={client} closeTo={pageUrl} timezones={timezones} />}
      {dialog?.kind === 'interaction' && (
        <InteractionDialog key={dialog.interaction.id} interaction={dialog.interaction} closeTo={pageHref({})} />
      )}
      {dialog?.kind === 'not-found' && (
        <NotFoundDialog label="Interaction" kind="client_interaction" closeTo={pageHref({})} />
      )}
      {dialog?.kind === 'delete' && (
        <ConfirmDialog
          title={`Delete ${name}`}
          confirm="Delete Client"
          busyLabel="Deleting..."
          closeTo={pageUrl}
          action="/clients"
          fields={{ intent: 'delete', id: String(id) }}
        >
          Are you sure you want to delete this client? This action cannot be undone.
        </ConfirmDialog>
      )}
    </div>
  )
}

/** Hides the label visually but not from screen readers. */
const iconOnlyOnPhone = 'max-sm:!w-11 max-sm:!px-0'

function ViewMode() {
  const data = useLoaderData<typeof loader>()
  const { client, cards, timeline, archivedOn } = data
  const { id } = client
  const pageUrl = `/clients/${id}`
  const navigation = useNavigation()
  const pageHref = usePageHref()
  return (
    <>
      <ClientHeader client={client}>
        {data.pageLinks.map((link) => (
          <ButtonLink
            key={link.label}
            to={clientLinkHref(link, id, (dialog) => pageHref({ dialog }))}
            icon={linkIcon(link.icon)}
            preventScrollReset={!link.to}
          >
            {link.label}
          </ButtonLink>
        ))}
        <Form method="post" action={pageUrl} preventScrollReset>
          <Button
            type="submit"
            name="intent"
            value={archivedOn ? 'unarchive' : 'archive'}
            icon={archivedOn ? ArchiveRestore : Archive}
            busy={String(navigation.formData?.get('intent') ?? '').endsWith('archive')}
            className={iconOnlyOnPhone}
          >
            <span className="max-sm:sr-only">{archivedOn ? 'Unarchive' : 'Archive'}</span>
          </Button>
        </Form>
        <SecondaryLink to={`${pageUrl}?dialog=delete`} icon={Trash2} preventScrollReset>
          Delete
        </SecondaryLink>
        <PrimaryLink to={`${pageUrl}?edit`} icon={Pencil}>
          Edit
        </PrimaryLink>
      </ClientHeader>
      {archivedOn && (
        <p className="note mb-6">
          <Archive className="i" />
          Archived on {archivedOn}. Archived clients don’t count toward your plan.
        </p>
      )}
      <div className="grid gap-6 lg:grid-cols-[20rem_minmax(0,1fr)] lg:grid-rows-[auto_1fr]">
        <div className="grid min-w-0 content-start gap-6 max-lg:order-2 lg:row-span-2">
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
              readOnly
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
  return (change) => {
    const params = new URLSearchParams(search)
    for (const name of ['dialog', 'interaction', 'edit']) params.delete(name)
    for (const [name, value] of Object.entries(change)) {
      if (value === null) params.delete(name)
      else params.set(name, value)
    }
    return `${pathname}${params.size ? `?${params}` : ''}`
  }
}
