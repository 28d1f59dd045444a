import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, isRouteErrorResponse, Link, useLoaderData, useLocation, useNavigation, useRouteError, type ShouldRevalidateFunctionArgs } from '@remix-run/react'
import { Archive, ArchiveRestore, ArrowLeft, CloudLightning, History, Pencil, RefreshCw, ShieldAlert, Sunrise, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { formOf, submit } from '#app/lib/submit.ts'
import { ago, clockOf, dayOf } from '#app/lib/time.ts'
import { firstZones, otherZones } from '#app/lib/timezones.ts'
import { Avatar } from '#app/ui/avatar.tsx'
import { StatusBadge } from '#app/ui/badge.tsx'
import { Button, ButtonLink, type Icon } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { Empty, PathDrawing } from '#app/ui/empty.tsx'
import { titled } from '#app/ui/identity.tsx'
import { Card } from '#app/ui/page.tsx'
import { Progress } from '#app/ui/progress.tsx'
import { RichText } from '#app/ui/rich-text/rich-text.tsx'
import { attempt, press } from '#modules/press.server.ts'
import { fill } from '#modules/registry.ts'
import { Slot, withWidgets } from '#modules/slot.tsx'
import { ActivityList } from '../components/activity-list.tsx'
import { programLabel } from '../components/client-fields.tsx'
import { EditClientDialog } from '../components/edit-client-dialog.tsx'
import { placeIcon } from '../components/place-icon.ts'
import { ClientForm } from '../forms.ts'
import { idOf } from '../page.server.ts'
import { activitiesNewestFirst } from '../queries/activities.ts'
import { clientOnScreen } from '../queries/clients.ts'
import { archiveClient, editClient, unarchiveClient } from '../services/clients.ts'
import { placeAddress, type ClientPlace } from '../slots.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data }) => titled(matches, data?.client.name ?? 'Client not found')

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const id = idOf(params.id)
  const { coachId: _coach, convertedAt: _at, convertedFromProspectId: _from, createdAt, updatedAt, archivedAt, ...client } = await clientOnScreen(ctx, id)
  const { searchParams } = new URL(request.url)
  const dialog = searchParams.get('dialog')
  const [activities, cards, places, dialogs] = await Promise.all([
    activitiesNewestFirst(ctx, { rows: 8, clientId: id }),
    fill(ctx, 'client.card', { id: String(id) }).then(withWidgets),
    fill(ctx, 'client.menu'),
    dialog ? fill(ctx, 'client.dialog', { ...Object.fromEntries(searchParams), id: String(id) }) : [],
  ])
  const zone = ctx.account.timezone
  const now = ctx.now()
  return {
    client,
    cards,
    dialogs: await withWidgets(dialogs.filter(({ data }) => data)),
    places: places.flatMap(({ data }) => data as ClientPlace[]).filter(({ on }) => on === 'menu'),
    since: dayOf(createdAt, zone),
    edited: dayOf(updatedAt, zone),
    archived: archivedAt && dayOf(archivedAt, zone),
    theirTime: client.timezone && `${firstZones.find(({ value }) => value === client.timezone)?.label ?? client.timezone}, ${clockOf(now, client.timezone)}`,
    activities: activities.map(({ createdAt: at, ...activity }) => ({ ...activity, description: activity.description === client.name ? null : activity.description, when: ago(at, now) })),
    dialog: dialog === 'edit' ? ({ kind: dialog, zones: otherZones(client.timezone) } as const) : dialog === 'delete' ? ({ kind: dialog } as const) : null,
  }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  context.coach()
  const id = idOf(params.id)
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
    default:
      return submit(
        request,
        ClientForm,
        ({ version, ...input }) => attempt(context, 'Failed to update client. Please try again.', (ctx) => editClient(ctx, id, input, version)),
        { to: here, toast: 'Client updated successfully!' },
      )
  }
}

/** When another tab saved meanwhile, the page shows what it saved. */
export function shouldRevalidate({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return actionStatus === 409 || defaultShouldRevalidate
}

export default function ClientPage() {
  const { client, cards, places, dialogs, since, edited, archived, theirTime, activities, dialog } = useLoaderData<typeof loader>()
  const { id, name, email, status, program, progress, version } = client
  const here = `/clients/${id}`
  const navigation = useNavigation()
  return (
    <div className="mx-auto max-w-page px-gutter pt-5 lg:pt-8">
      <Link to="/clients" className="btn btn-ghost btn-sm -ml-2.5 mb-3">
        <ArrowLeft className="i" />
        Back to clients
      </Link>
      <header className="mb-7 flex flex-wrap items-center gap-x-5 gap-y-4">
        <Avatar name={name} size="xl" />
        <div className="min-w-0 flex-1 basis-64">
          <h1 className="title wrap-anywhere">{name}</h1>
          <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-3">
            <StatusBadge status={status} of="client" />
            {program && <span className="wrap-anywhere">{programLabel(program)}</span>}
            <span className="flex items-center gap-2">
              <Progress value={progress} label="Progress" className="w-24" />
              <span className="num">{progress}%</span>
            </span>
          </div>
        </div>
        <div className="flex flex-wrap gap-2">
          {places.map((place) => (
            <ButtonLink key={place.label} to={placeAddress(place, id, (name) => `${here}?dialog=${name}`)} icon={placeIcon(place.icon)} preventScrollReset={!place.to}>
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
            >
              {archived ? 'Unarchive' : 'Archive'}
            </Button>
          </Form>
          <ButtonLink to={`/history/client/${id}`} icon={History}>
            History
          </ButtonLink>
          <ButtonLink to={`${here}?dialog=delete`} icon={Trash2} preventScrollReset>
            Delete
          </ButtonLink>
          <ButtonLink to={`${here}?dialog=edit`} icon={Pencil} variant="primary" preventScrollReset>
            Edit
          </ButtonLink>
        </div>
      </header>
      {archived && (
        <p className="note mb-6">
          <Archive className="i" />
          Archived on {archived}. Archived clients don’t count for your plan.
        </p>
      )}

      <div className="grid gap-6 lg:grid-cols-[20rem_minmax(0,1fr)]">
        <div className="grid content-start gap-6 max-lg:order-2">
          <section className="card px-5 pb-2 pt-4" aria-labelledby="information">
            <h2 id="information" className="h2 mb-1">
              Client Information
            </h2>
            <dl className="rows">
              <Fact label="Email">
                <a className="link" href={`mailto:${email}`}>
                  {email}
                </a>
              </Fact>
              <Fact label="Phone">{client.phone && <span className="num">{client.phone}</span>}</Fact>
              <Fact label="Location">{client.location}</Fact>
              <Fact label="Profession">{client.profession}</Fact>
              <Fact label="Timezone">{theirTime}</Fact>
              <Fact label="Client since">{since}</Fact>
            </dl>
          </section>
          <Slot filled={cards} />
          {activities.length > 0 && (
            <Card title="Activity">
              <div className="border-t border-line-soft">
                <ActivityList activities={activities} />
              </div>
            </Card>
          )}
        </div>
        <div className="grid min-w-0 content-start gap-6">
          <section className="card px-5 pb-5 pt-4" aria-labelledby="goals">
            <h2 id="goals" className="h2 mb-1.5">
              Client Goals
            </h2>
            <Words text={client.goals} className="text-[1.1875rem] leading-7" empty="What do they want to be different? Write it down together in the first session." />
          </section>
          <section className="card px-5 pb-5 pt-4" aria-labelledby="notes">
            <div className="mb-2 flex items-center justify-between gap-3">
              <h2 id="notes" className="h2">
                Session Notes & Observations
              </h2>
              {client.notes && <span className="shrink-0 text-sm text-ink-3">Edited {edited}</span>}
            </div>
            {client.notes ? <RichText source={client.notes} className="max-w-prose" /> : <p className="text-ink-3">No notes yet.</p>}
          </section>
          <section className="card overflow-hidden" aria-labelledby="four">
            <h2 id="four" className="h2 px-5 py-3.5">
              4Fs Assessment Framework
            </h2>
            <div className="grid gap-px border-t border-line-soft bg-line-soft sm:grid-cols-2">
              <Quarter title="Future Goals" icon={Sunrise} text={client.futureGoals} />
              <Quarter title="Frustrations" icon={CloudLightning} text={client.frustrations} />
              <Quarter title="Fears" icon={ShieldAlert} text={client.fears} />
              <Quarter title="Past Failures" icon={History} text={client.failures} />
            </div>
          </section>
        </div>
      </div>

      <Slot filled={dialogs} />
      {dialog?.kind === 'edit' && <EditClientDialog key={id} client={{ ...client, version }} closeTo={here} zones={dialog.zones} />}
      {dialog?.kind === 'delete' && (
        <ConfirmDialog title={`Delete ${name}`} confirm="Delete Client" busyLabel="Deleting..." closeTo={here} action="/clients" fields={{ intent: 'delete', id: String(id) }}>
          Are you sure you want to delete this client? This action cannot be undone.
        </ConfirmDialog>
      )}
    </div>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4 py-2">
      <dt className="shrink-0 text-ink-3">{label}</dt>
      <dd className="min-w-0 text-right wrap-anywhere">{children || '–'}</dd>
    </div>
  )
}

/** People's own words, with their line breaks. */
function Words({ text, empty, className = '' }: { text: string | null; empty: string; className?: string }) {
  return text ? <p className={`words max-w-prose whitespace-pre-wrap wrap-anywhere ${className}`}>{text}</p> : <p className="text-ink-3">{empty}</p>
}

function Quarter({ title, icon: Sign, text }: { title: string; icon: Icon; text: string | null }) {
  return (
    <div className="bg-surface p-5">
      <h3 className="mb-1.5 flex items-center gap-2 text-sm font-semibold text-ink-2">
        <Sign className="i !size-3.5 text-ink-3" />
        {title}
      </h3>
      <Words text={text} empty="–" />
    </div>
  )
}

export function ErrorBoundary() {
  const error = useRouteError()
  const { pathname, search } = useLocation()
  const status = isRouteErrorResponse(error) ? error.status : 500
  const missing = status === 404
  return (
    <div className="mx-auto max-w-page px-gutter pt-5 lg:pt-8">
      <Link to="/clients" className="btn btn-ghost btn-sm -ml-2.5 mb-3">
        <ArrowLeft className="i" />
        Back to clients
      </Link>
      <div className="card">
        <Empty
          level="h1"
          title={missing ? 'Client not found' : 'Error Loading Client'}
          drawing={missing && <PathDrawing />}
          action={
            missing ? (
              <ButtonLink to="/trash?kind=client">Look in the trash</ButtonLink>
            ) : (
              <a href={pathname + search} className="btn btn-primary">
                <RefreshCw className="i" />
                Try Again
              </a>
            )
          }
        >
          {missing ? 'There is no such client here. If you deleted them lately, they are in the trash.' : `Failed to fetch client: ${status}`}
        </Empty>
      </div>
    </div>
  )
}
