import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, isRouteErrorResponse, useLoaderData, useLocation, useNavigation, useRouteError, type ClientActionFunctionArgs, type ShouldRevalidateFunctionArgs } from '@remix-run/react'
import { Archive, ArchiveRestore, ArrowLeft, Check, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { excerpt } from '#app/lib/markup.ts'
import { recordId } from '#app/lib/record-id.ts'
import { revalidates } from '#app/lib/revalidate.ts'
import { formOf, submit } from '#app/lib/submit.ts'
import { clockOf, dayOf } from '#app/lib/time.ts'
import { firstZones, otherZones } from '#app/lib/timezones.ts'
import { Avatar } from '#app/ui/avatar.tsx'
import { StatusBadge } from '#app/ui/badge.tsx'
import { Button, ButtonLink, PrimaryLink, SecondaryLink } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { Empty, PathDrawing } from '#app/ui/empty.tsx'
import { GoneDialog } from '#app/ui/gone-dialog.tsx'
import { titled } from '#app/ui/identity.tsx'
import { Link } from '#app/ui/link.tsx'
import { Progress } from '#app/ui/progress.tsx'
import { TryAgain } from '#app/ui/try-again.tsx'
import { keepTyped } from '#app/ui/unreachable.ts'
import { attempt, press } from '#modules/press.server.ts'
import { fill } from '#modules/registry.ts'
import { Slot, withWidgets } from '#modules/slot.tsx'
import type { Ctx } from '#tenants/context.ts'
import { ClientEdit } from '../components/client-edit.tsx'
import { programLabel } from '../components/client-fields.tsx'
import { useClientForm } from '../components/client-form.tsx'
import { ClientInformation, ClientWords } from '../components/client-view.tsx'
import { EditClientDialog } from '../components/edit-client-dialog.tsx'
import { InteractionDialog } from '../components/interaction-dialog.tsx'
import { placeIcon } from '../components/place-icon.ts'
import { RecentContact } from '../components/recent-contact.tsx'
import { TimelineCard } from '../components/timeline.tsx'
import { ClientForm } from '../forms.ts'
import { dialogOf, interactionDeed } from '../interactions.server.ts'
import { clientOnScreen } from '../queries/clients.ts'
import { recentContact, recentRows } from '../queries/interactions.ts'
import { archiveClient, editClient, unarchiveClient } from '../services/clients.ts'
import { placeAddress, type ClientPlace } from '../slots.ts'
import { timelineOf } from '../timeline.server.ts'
import { chosen } from '#app/lib/two-tabs.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data, error }) => titled(matches, data?.client.name ?? failure(error).title)

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const id = recordId(params.id)
  const { searchParams } = new URL(request.url)
  const editing = searchParams.has('edit')
  const [shown, contacts, cards, places, timeline, dialog, dialogs] = await Promise.all([
    clientOnScreen(ctx, id),
    recentContact(ctx, id),
    fill(ctx, 'client.card', { id: String(id) }).then(withWidgets),
    fill(ctx, 'client.menu'),
    editing ? null : timelineOf(ctx, id, searchParams),
    dialogOf(ctx, id, searchParams),
    searchParams.has('dialog') && !editing ? fill(ctx, 'client.dialog', { ...Object.fromEntries(searchParams), id: String(id) }) : [],
  ])
  const { coachId: _coach, convertedAt: _at, convertedFromProspectId: _from, createdAt, updatedAt, archivedAt, ...client } = shown
  const zone = ctx.account.timezone
  return {
    client,
    cards,
    dialogs: await withWidgets(dialogs.filter(({ data }) => data)),
    timeline,
    contacts: contacts.slice(0, recentRows).map(({ interactionDate, content, ...contact }) => ({
      ...contact,
      day: dayOf(interactionDate, zone),
      words: content && (excerpt(content, 160) || null),
    })),
    moreContacts: contacts.length > recentRows,
    places: places.flatMap(({ data }) => data as ClientPlace[]).filter(({ on }) => on === 'menu' || on === 'page'),
    since: dayOf(createdAt, zone),
    edited: dayOf(updatedAt, zone),
    archived: archivedAt && dayOf(archivedAt, zone),
    theirTime: client.timezone && theirTime(ctx, client.timezone),
    zones: editing || searchParams.get('dialog') === 'edit' ? otherZones(client.timezone) : [],
    mode: editing ? ('edit' as const) : ('view' as const),
    dialog: dialog ?? (editing ? null : clientDialog(searchParams.get('dialog'))),
  }
}

function theirTime(ctx: Ctx, timezone: string): string {
  return `${firstZones.find(({ value }) => value === timezone)?.label ?? timezone}, ${clockOf(ctx.now(), timezone)}`
}

function clientDialog(asked: string | null) {
  return asked === 'edit' || asked === 'delete' ? ({ kind: asked } as const) : null
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  context.coach()
  const id = recordId(params.id)
  const form = await formOf(request.clone())
  const here = `/clients/${id}`
  switch (form.get('intent')) {
    case 'archive':
      return press(context, {
        to: here,
        sorry: 'Failed to archive client. Please try again.',
        done: { tone: 'success', title: 'Client archived', action: { label: 'Undo', to: here, fields: { intent: 'unarchive' } } },
        work: (ctx) => archiveClient(ctx, id),
      })
    case 'unarchive':
      return press(context, {
        to: here,
        sorry: 'Failed to bring the client back. Please try again.',
        done: { tone: 'success', title: 'Client is back from the archive' },
        work: (ctx) => unarchiveClient(ctx, id),
      })
    case 'save':
      return save('Failed to save client changes.', 'Client changes saved successfully.')
    case 'edit':
      return save('Failed to update client. Please try again.', 'Client updated successfully!')
    default:
      return interactionDeed(request, context, id, form)
  }

  function save(sorry: string, toast: string) {
    const edit = ({ version, was: _, ...input }: ClientForm) => attempt(context, sorry, (ctx) => editClient(ctx, id, chosen(input, form), version))
    return submit(request, ClientForm, edit, { to: here, toast })
  }
}

export const clientAction = (args: ClientActionFunctionArgs) =>
  keepTyped(args, {
    save: 'Failed to save client changes.',
    edit: 'Failed to update client. Please try again.',
    interaction: 'Failed to save interaction.',
  })

/** When another tab saved meanwhile, the page shows what it saved. */
export const shouldRevalidate = (change: ShouldRevalidateFunctionArgs) => revalidates(change, [409])

export default function ClientPage() {
  const { client, dialog, dialogs, zones, mode } = useLoaderData<typeof loader>()
  const { id, name } = client
  const here = `/clients/${id}`
  const addressOf = useAddress()
  return (
    <div className="mx-auto max-w-page px-gutter pt-5 lg:pt-8">
      <Link to="/clients" className="btn btn-ghost btn-sm -ml-2.5 mb-3">
        <ArrowLeft className="i" />
        Back to clients
      </Link>
      {mode === 'edit' ? <Edit key={id} /> : <View />}
      <Slot filled={dialogs} />
      {dialog?.kind === 'edit' && <EditClientDialog key={id} client={client} closeTo={here} zones={zones} />}
      {dialog?.kind === 'interaction' && <InteractionDialog key={dialog.interaction.id} interaction={dialog.interaction} closeTo={addressOf({})} />}
      {dialog?.kind === 'gone' && <GoneDialog what="Interaction" kind="client_interaction" closeTo={addressOf({})} />}
      {dialog?.kind === 'delete' && (
        <ConfirmDialog title={`Delete ${name}`} confirm="Delete Client" busyLabel="Deleting..." closeTo={here} action="/clients" fields={{ intent: 'delete', id: String(id) }}>
          Are you sure you want to delete this client? This action cannot be undone.
        </ConfirmDialog>
      )}
    </div>
  )
}

/** The name is kept for screen readers. */
const iconOnPhone = 'max-sm:!w-11 max-sm:!px-0'

function View() {
  const { client, cards, contacts, moreContacts, timeline, places, since, edited, archived, theirTime } = useLoaderData<typeof loader>()
  const { id } = client
  const here = `/clients/${id}`
  const navigation = useNavigation()
  const addressOf = useAddress()
  return (
    <>
      <Head>
        {places.map((place) => (
          <ButtonLink key={place.label} to={placeAddress(place, id, (name) => addressOf({ dialog: name }))} icon={placeIcon(place.icon)} preventScrollReset={!place.to}>
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
      </Head>
      {archived && (
        <p className="note mb-6">
          <Archive className="i" />
          Archived on {archived}. Archived clients don’t count for your plan.
        </p>
      )}
      <div className="grid gap-6 lg:grid-cols-[20rem_minmax(0,1fr)] lg:grid-rows-[auto_1fr]">
        <div className="grid min-w-0 content-start gap-6 max-lg:order-2 lg:row-span-2">
          <ClientInformation {...client} theirTime={theirTime} since={since} />
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
      <Head editing>
        <ButtonLink to={`/clients/${client.id}`} replace>
          Cancel
        </ButtonLink>
        <Button type="submit" form={edited.form.id} variant="primary" icon={Check} busy={edited.busy} busyLabel="Saving...">
          Save
        </Button>
      </Head>
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

/** Who it is, and what one can do. While one edits it stays in sight, with Save. */
function Head({ editing = false, children }: { editing?: boolean; children: ReactNode }) {
  const { name, status, program, progress } = useLoaderData<typeof loader>().client
  return (
    <header className={`mb-7 flex flex-wrap items-center gap-x-5 gap-y-4 ${editing ? 'sticky top-14 z-20 -mx-2 border-b border-line-soft bg-surface px-2 py-3 lg:top-0' : ''}`}>
      <span className={editing ? 'max-lg:hidden' : ''}>
        <Avatar name={name} size="xl" />
      </span>
      <div className={`min-w-0 flex-1 ${editing ? '' : 'basis-64'}`}>
        <h1 className={`title ${editing ? 'truncate' : 'wrap-anywhere'}`}>{name}</h1>
        <div className={`mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-3 ${editing ? 'max-lg:hidden' : ''}`}>
          <StatusBadge status={status} of="client" />
          {program && <span className="wrap-anywhere">{programLabel(program)}</span>}
          <span className="flex items-center gap-2">
            <Progress value={progress} label="Progress" className="w-24" />
            <span className="num">{progress}%</span>
          </span>
        </div>
      </div>
      <div className="flex flex-wrap gap-2">{children}</div>
    </header>
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

function failure(error: unknown) {
  const status = isRouteErrorResponse(error) ? error.status : 500
  const missing = status === 404
  return { status, missing, title: missing ? 'Client not found' : 'Error Loading Client' }
}

export function ErrorBoundary() {
  const error = useRouteError()
  const { title, missing, status } = failure(error)
  return (
    <div className="mx-auto max-w-page px-gutter pt-5 lg:pt-8">
      <Link to="/clients" className="btn btn-ghost btn-sm -ml-2.5 mb-3">
        <ArrowLeft className="i" />
        Back to clients
      </Link>
      <div className="card">
        <Empty
          level="h1"
          title={title}
          drawing={missing && <PathDrawing />}
          action={
            missing ? (
              <ButtonLink to="/trash?kind=client">Look in the trash</ButtonLink>
            ) : (
              <TryAgain />
            )
          }
        >
          {missing ? 'There is no such client here. If you deleted them lately, they are in the trash.' : `Failed to fetch client: ${status}`}
        </Empty>
      </div>
    </div>
  )
}
