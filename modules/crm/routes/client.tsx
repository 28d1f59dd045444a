import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData, useLocation, useNavigation, type ShouldRevalidateFunctionArgs } from '@remix-run/react'
import { Archive, ArchiveRestore, Check, Pencil, Trash2 } from 'lucide-react'
import { parseId } from '#app/lib/parse-id.ts'
import { revalidates } from '#app/lib/should-revalidate.ts'
import { formOf, submit } from '#app/lib/form-submission.ts'
import { chosen } from '#app/lib/edit-conflict.ts'
import { Button, ButtonLink, PrimaryLink, SecondaryLink } from '#app/ui/components/button.tsx'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { GoneDialog } from '#app/ui/components/not-found-dialog.tsx'
import { titled } from '#app/ui/components/branding.tsx'
import { keepTyped } from '#app/ui/forms/offline-action.ts'
import { attempt, press } from '#modules/core/run-action.server.ts'
import { Slot } from '#modules/core/slot.tsx'
import { ClientEdit } from '../components/client-edit-form.tsx'
import { failure } from '../components/client-error.tsx'
import { useClientForm } from '../components/client-form.tsx'
import { BackToClients, ClientHead } from '../components/client-header.tsx'
import { ClientInformation, ClientWords } from '../components/client-details.tsx'
import { EditClientDialog } from '../components/edit-client-dialog.tsx'
import { InteractionDialog } from '../components/interaction-dialog.tsx'
import { placeIcon } from '../components/link-icon.ts'
import { RecentContact } from '../components/recent-interactions.tsx'
import { TimelineCard } from '../components/timeline.tsx'
import { ClientForm } from '../forms.ts'
import { clientPage } from '../client-loader.server.ts'
import { interactionDeeds } from '../failure-messages.ts'
import { interactionDeed } from '../interactions-loader.server.ts'
import { archiveClient, editClient, unarchiveClient } from '../services/clients.ts'
import { placeAddress } from '../slots.ts'

export { ErrorBoundary } from '../components/client-error.tsx'

export const meta: MetaFunction<typeof loader> = ({ matches, data, error }) =>
  titled(matches, data?.client.name ?? failure(error).title)

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  return clientPage(context.coach(), parseId(params.id), new URL(request.url).searchParams)
}

const sorry = {
  save: 'Failed to save client changes.',
  edit: 'Failed to update client. Please try again.',
  archive: 'Failed to archive client. Please try again.',
  unarchive: 'Failed to bring the client back. Please try again.',
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  context.coach()
  const id = parseId(params.id)
  const form = await formOf(request.clone())
  const here = `/clients/${id}`
  switch (form.get('intent')) {
    case 'archive':
      return press(context, {
        to: here,
        sorry: sorry.archive,
        done: {
          tone: 'success',
          title: 'Client archived',
          action: { label: 'Undo', to: here, fields: { intent: 'unarchive' } },
        },
        work: (ctx) => archiveClient(ctx, id),
      })
    case 'unarchive':
      return press(context, {
        to: here,
        sorry: sorry.unarchive,
        done: { tone: 'success', title: 'Client is back from the archive' },
        work: (ctx) => unarchiveClient(ctx, id),
      })
    case 'save':
      return save(sorry.save, 'Client changes saved successfully.')
    case 'edit':
      return save(sorry.edit, 'Client updated successfully!')
    default:
      return interactionDeed(request, context, id, form)
  }

  function save(failed: string, toast: string) {
    const edit = ({ version, was: _, ...input }: ClientForm) =>
      attempt(context, failed, (ctx) => editClient(ctx, id, chosen(input, form), version))
    return submit(request, ClientForm, edit, { to: here, toast })
  }
}

export const clientAction = keepTyped({ ...sorry, ...interactionDeeds })

/** When another tab saved meanwhile, the page shows what it saved. */
export const shouldRevalidate = (change: ShouldRevalidateFunctionArgs) => revalidates(change, [409])

export default function ClientPage() {
  const { client, dialog, dialogs, zones, mode } = useLoaderData<typeof loader>()
  const { id, name } = client
  const here = `/clients/${id}`
  const addressOf = useAddress()
  return (
    <div className="mx-auto max-w-page px-gutter pt-5 lg:pt-8">
      <BackToClients />
      {mode === 'edit' ? <Edit key={id} /> : <View />}
      <Slot filled={dialogs} />
      {dialog?.kind === 'edit' && <EditClientDialog key={id} client={client} closeTo={here} zones={zones} />}
      {dialog?.kind === 'interaction' && (
        <InteractionDialog key={dialog.interaction.id} interaction={dialog.interaction} closeTo={addressOf({})} />
      )}
      {dialog?.kind === 'gone' && <GoneDialog what="Interaction" kind="client_interaction" closeTo={addressOf({})} />}
      {dialog?.kind === 'delete' && (
        <ConfirmDialog
          title={`Delete ${name}`}
          confirm="Delete Client"
          busyLabel="Deleting..."
          closeTo={here}
          action="/clients"
          fields={{ intent: 'delete', id: String(id) }}
        >
          Are you sure you want to delete this client? This action cannot be undone.
        </ConfirmDialog>
      )}
    </div>
  )
}

/** The name is kept for screen readers. */
const iconOnPhone = 'max-sm:!w-11 max-sm:!px-0'

function View() {
  const { client, cards, contacts, moreContacts, timeline, places, links, since, edited, archived, theirTime } =
    useLoaderData<typeof loader>()
  const { id } = client
  const here = `/clients/${id}`
  const navigation = useNavigation()
  const addressOf = useAddress()
  return (
    <>
      <ClientHead client={client}>
        {places.map((place) => (
          <ButtonLink
            key={place.label}
            to={placeAddress(place, id, (name) => addressOf({ dialog: name }))}
            icon={placeIcon(place.icon)}
            preventScrollReset={!place.to}
          >
            {place.label}
          </ButtonLink>
        ))}
        <Form method="post" action={here} preventScrollReset>
          <Button
            type="submit"
            name="intent"
            value={archived ? 'unarchive' : 'archive'}
            icon={archived ? ArchiveRestore : Archive}
            busy={String(navigation.formData?.get('intent') ?? '').endsWith('archive')}
            className={iconOnPhone}
          >
            <span className="max-sm:sr-only">{archived ? 'Unarchive' : 'Archive'}</span>
          </Button>
        </Form>
        <SecondaryLink to={`${here}?dialog=delete`} icon={Trash2} preventScrollReset>
          Delete
        </SecondaryLink>
        <PrimaryLink to={`${here}?edit`} icon={Pencil}>
          Edit
        </PrimaryLink>
      </ClientHead>
      {archived && (
        <p className="note mb-6">
          <Archive className="i" />
          Archived on {archived}. Archived clients don’t count for your plan.
        </p>
      )}
      <div className="grid gap-6 lg:grid-cols-[20rem_minmax(0,1fr)] lg:grid-rows-[auto_1fr]">
        <div className="grid min-w-0 content-start gap-6 max-lg:order-2 lg:row-span-2">
          <ClientInformation {...client} theirTime={theirTime} since={since} links={links} />
          <Slot filled={cards} />
          <RecentContact clientId={id} contacts={contacts} more={moreContacts} addressOf={addressOf} />
        </div>
        <div className="grid min-w-0 content-start gap-6">
          <ClientWords {...client} edited={edited} />
        </div>
        {timeline && (
          <div className="min-w-0 max-lg:order-3">
            <TimelineCard timeline={timeline} addressOf={addressOf} />
          </div>
        )}
      </div>
    </>
  )
}

function Edit() {
  const { client, cards, contacts, moreContacts, zones } = useLoaderData<typeof loader>()
  const edited = useClientForm(client, { id: 'client', intent: 'save' })
  const addressOf = useAddress()
  return (
    <>
      <ClientHead client={client} editing>
        <ButtonLink to={`/clients/${client.id}`} replace>
          Cancel
        </ButtonLink>
        <Button
          type="submit"
          form={edited.form.props.id}
          variant="primary"
          icon={Check}
          busy={edited.busy}
          busyLabel="Saving..."
        >
          Save
        </Button>
      </ClientHead>
      <ClientEdit
        edited={edited}
        zones={zones}
        beside={
          <>
            <Slot filled={cards} />
            <RecentContact clientId={client.id} contacts={contacts} more={moreContacts} addressOf={addressOf} still />
          </>
        }
      />
    </>
  )
}

/** The address of this page with some of its parameters changed; a dialog that is open is closed by it. */
function useAddress(): (change: Record<string, string | null>) => string {
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
