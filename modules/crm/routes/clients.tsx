import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { Form, useLoaderData, useNavigation, useRouteError, type ShouldRevalidateFunctionArgs } from '@remix-run/react'
import {
  Archive,
  ArchiveRestore,
  Download,
  Ellipsis,
  LayoutGrid,
  List,
  Pencil,
  Plus,
  RefreshCw,
  Trash2,
  Upload,
  UserRound,
} from 'lucide-react'
import { excerpt } from '#app/lib/markup.ts'
import { formatCents } from '#app/lib/money.ts'
import { lastPageOf } from '#app/lib/pagination.ts'
import { parseId } from '#app/lib/parse-id.ts'
import { revalidates } from '#app/lib/should-revalidate.ts'
import { dayOf } from '#app/lib/time.ts'
import { formOf, redirectWithToast, submit } from '#app/lib/form-submission.ts'
import { otherZones } from '#app/lib/timezones.ts'
import { Button, PrimaryLink } from '#app/ui/components/button.tsx'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { FailedPage, whyOf } from '#app/ui/components/load-error.tsx'
import { GoneDialog } from '#app/ui/components/not-found-dialog.tsx'
import { titled } from '#app/ui/components/branding.tsx'
import { Menu } from '#app/ui/components/menu.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { Showing } from '#app/ui/components/pagination.tsx'
import { MenuSign, useRowMenu } from '#app/ui/components/row-menu.tsx'
import { Segmented } from '#app/ui/components/tabs.tsx'
import { keepTyped } from '#app/ui/forms/offline-action.ts'
import { attempt, backTo, press } from '#modules/core/run-action.server.ts'
import { fill } from '#modules/core/slots.ts'
import { Slot, withWidgets } from '#modules/core/slot.tsx'
import type { Ctx } from '#tenants/context.ts'
import { plans } from '#tenants/accounts/plans.ts'
import { AddClientDialog } from '../components/add-client-dialog.tsx'
import { ClientCards } from '../components/client-cards.tsx'
import { ClientTable } from '../components/client-table.tsx'
import { ClientSearch, PlanFact, SortChoice } from '../components/list-toolbar.tsx'
import { NoClients } from '../components/clients-empty-state.tsx'
import { placeIcon } from '../components/link-icon.ts'
import { NewClientForm } from '../forms.ts'
import { listAddress, listState, pageRows } from '../list-state.ts'
import { clientName } from '../queries/clients.ts'
import { clientList } from '../queries/list.ts'
import { addClient, archiveClient, deleteClient, restoreClient, unarchiveClient } from '../services/clients.ts'
import { placeAddress, type ClientFactsById, type ClientPlace, type ProductChoice } from '../slots.ts'

export const meta: MetaFunction = ({ matches }) => titled(matches, 'Clients')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { searchParams } = new URL(request.url)
  const state = listState(searchParams)
  const [list, dialog, dialogs, placesFilled] = await Promise.all([
    clientList(ctx, state),
    dialogOf(ctx, searchParams),
    dialogsOf(ctx, searchParams),
    fill(ctx, 'client.menu'),
  ])
  const lastPage = lastPageOf(list.matching, pageRows)
  if (state.page > lastPage) throw redirect(listAddress(state, { page: lastPage }))

  const facts = await factsOf(
    ctx,
    list.rows.map(({ id }) => id),
  )
  const zone = ctx.account.timezone
  const { title, clients: limit } = plans[ctx.plan]
  return {
    state,
    figures: list.figures,
    matching: list.matching,
    plan: { title, clients: list.figures.current, limit },
    places: placesFilled.flatMap(({ data }) => data as ClientPlace[]),
    dialog,
    dialogs,
    rows: list.rows.map(({ id, name, email, status, progress, goals, totalSpent, createdAt, archivedAt }) => ({
      id,
      name,
      email,
      status,
      joined: dayOf(createdAt, zone),
      facts: facts[id] ?? {},
      archived: archivedAt && dayOf(archivedAt, zone),
      ...(state.view === 'cards'
        ? { progress, goals: goals && (excerpt(goals, 200) || null), spent: formatCents(totalSpent) }
        : {}),
    })),
  }
}

async function dialogOf(ctx: Ctx, params: URLSearchParams) {
  const kind = params.get('dialog')
  if (kind === 'add') {
    const offers = await fill(ctx, 'client.product')
    return { kind, zones: otherZones(), products: offers.flatMap(({ data }) => data as ProductChoice[]) } as const
  }
  if (!kind || !(kind === 'delete' || params.has('client'))) return null
  // Whichever dialog it is, and whose module's: who was deleted meanwhile is told.
  const client = await clientName(ctx, parseId(params.get('client')))
  if (!client) return { kind: 'gone' } as const
  return kind === 'delete' ? ({ kind, ...client } as const) : null
}

/** The dialogs of other modules that the address asks for. */
async function dialogsOf(ctx: Ctx, params: URLSearchParams) {
  if (!params.has('dialog')) return []
  const filled = await fill(ctx, 'client.dialog', {
    ...Object.fromEntries(params),
    id: params.get('client') ?? undefined,
  })
  return withWidgets(filled.filter(({ data }) => data))
}

async function factsOf(ctx: Ctx, ids: number[]): Promise<ClientFactsById> {
  const answers = await fill(ctx, 'client.row', { ids: ids.join() })
  const all: ClientFactsById = {}
  for (const { data } of answers)
    for (const [id, facts] of Object.entries(data as ClientFactsById))
      all[Number(id)] = { ...all[Number(id)], ...facts }
  return all
}

const sorry = {
  add: 'Failed to add client. Please try again.',
  delete: 'Failed to delete client. Please try again.',
  restore: 'Failed to restore client. Please try again.',
  archive: 'Failed to archive client. Please try again.',
  unarchive: 'Failed to bring the client back. Please try again.',
}

export async function action({ request, context }: ActionFunctionArgs) {
  context.coach()
  const form = await formOf(request.clone())
  const here = listAddress(listState(new URL(request.url).searchParams))
  switch (form.get('intent')) {
    case 'refresh':
      return redirectWithToast(here, { tone: 'success', title: 'Refreshed' })
    case 'delete':
      return press(context, {
        to: here,
        sorry: sorry.delete,
        done: {
          tone: 'success',
          title: 'Client deleted successfully!',
          action: { label: 'Undo', to: '/clients', fields: { intent: 'restore', id: String(form.get('id')) } },
        },
        work: (ctx) => deleteClient(ctx, parseId(form.get('id'))),
      })
    case 'restore':
      return press(context, {
        to: backTo(request, here),
        sorry: sorry.restore,
        done: { tone: 'success', title: 'Client restored' },
        work: (ctx) => restoreClient(ctx, parseId(form.get('id'))),
      })
    case 'archive':
      return press(context, {
        to: here,
        sorry: sorry.archive,
        done: {
          tone: 'success',
          title: 'Client archived',
          action: { label: 'Undo', to: '/clients', fields: { intent: 'unarchive', id: String(form.get('id')) } },
        },
        work: (ctx) => archiveClient(ctx, parseId(form.get('id'))),
      })
    case 'unarchive':
      return press(context, {
        to: backTo(request, here),
        sorry: sorry.unarchive,
        done: { tone: 'success', title: 'Client is back from the archive' },
        work: (ctx) => unarchiveClient(ctx, parseId(form.get('id'))),
      })
    default:
      return submit(request, NewClientForm, (input) => attempt(context, sorry.add, (ctx) => addClient(ctx, input)), {
        to: here,
        toast: 'Client added successfully!',
      })
  }
}

export const clientAction = keepTyped(sorry)

/** After a refusal by the plan the figures are old, and after another tab's save what it saved: they are what the dialog explains. */
export const shouldRevalidate = (change: ShouldRevalidateFunctionArgs) => revalidates(change, [403, 409])

export default function ClientsPage() {
  const { state, figures, matching, plan, places, dialog, dialogs, rows } = useLoaderData<typeof loader>()
  const here = listAddress(state)
  const navigation = useNavigation()
  const changing = navigation.state === 'loading' && navigation.location.pathname === '/clients'
  const { handlers, menu } = useRowMenu(rows, ({ id }) => [
    { label: 'View Details', icon: UserRound, to: `/clients/${id}` },
    { label: 'Edit Client', icon: Pencil, to: `/clients/${id}?dialog=edit` },
    ...places
      .filter(({ on }) => on === 'menu' || (on === 'card-menu' && state.view === 'cards'))
      .map((place) => ({
        label: place.label,
        icon: placeIcon(place.icon),
        to: placeAddress(place, id, (name) => listAddress(state, {}, { dialog: name, client: String(id) })),
      })),
    'line' as const,
    state.place === 'current'
      ? { label: 'Archive Client', icon: Archive, send: { intent: 'archive', id: String(id) } }
      : { label: 'Unarchive Client', icon: ArchiveRestore, send: { intent: 'unarchive', id: String(id) } },
    {
      label: 'Delete Client',
      icon: Trash2,
      to: listAddress(state, {}, { dialog: 'delete', client: String(id) }),
      danger: true,
    },
  ])

  return (
    <Page
      title={titles[state.place]}
      crumbs={[
        { label: 'Dashboard', to: '/dashboard' },
        ...(state.place === 'current'
          ? [{ label: 'Clients' }]
          : [{ label: 'Clients', to: '/clients' }, { label: titles[state.place] }]),
      ]}
      sentence={sentences[state.place]}
      actions={
        <>
          <Form method="post" className="max-sm:hidden">
            <Button
              type="submit"
              name="intent"
              value="refresh"
              icon={RefreshCw}
              busy={navigation.formData?.get('intent') === 'refresh'}
            >
              Refresh
            </Button>
          </Form>
          <Menu
            label="More"
            className="btn btn-secondary btn-icon"
            entries={[
              { label: 'Import from CSV', icon: Upload, to: '/clients/import' },
              state.place === 'current'
                ? { label: 'Export to CSV', icon: Download, to: '/clients/export', reload: true }
                : { label: 'Export archive to CSV', icon: Download, to: '/clients/export?show=archive', reload: true },
              'line',
              {
                label: `Archive (${figures.archive.toLocaleString('en-US')})`,
                icon: Archive,
                to: '/clients?show=archive',
              },
              { label: 'Trash', icon: Trash2, to: '/trash?kind=client' },
            ]}
          >
            <Ellipsis className="i" />
          </Menu>
          {state.place === 'current' && (
            <PrimaryLink to={listAddress(state, {}, { dialog: 'add' })} icon={Plus} preventScrollReset>
              Add Client
            </PrimaryLink>
          )}
        </>
      }
    >
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <ClientSearch state={state} />
        <div className="ml-auto flex items-center gap-4">
          {state.place === 'current' && <PlanFact {...plan} />}
          <Segmented
            label="View"
            segments={[
              {
                label: 'Card view',
                to: listAddress(state, { view: 'cards' }),
                current: state.view === 'cards',
                icon: LayoutGrid,
              },
              {
                label: 'List view',
                to: listAddress(state, { view: 'list' }),
                current: state.view === 'list',
                icon: List,
              },
            ]}
          />
        </div>
      </div>
      {matching > 1 && <SortChoice state={state} />}

      <div
        aria-busy={changing || undefined}
        className={changing ? 'opacity-60 transition-opacity delay-200' : ''}
        {...handlers}
      >
        <MenuSign />
        {rows.length === 0 ? (
          <NoClients state={state} />
        ) : state.view === 'cards' ? (
          <ClientCards
            places={places}
            rows={rows.map((row) => ({
              ...row,
              progress: row.progress ?? 0,
              goals: row.goals ?? null,
              spent: row.spent ?? '',
            }))}
          />
        ) : (
          <ClientTable rows={rows} state={state} />
        )}
        {menu}
      </div>

      {rows.length > 0 && (
        <Showing
          page={state.page}
          size={pageRows}
          rows={rows.length}
          count={matching}
          to={(page) => listAddress(state, { page })}
        />
      )}

      <Slot filled={dialogs} />
      {dialog?.kind === 'add' && (
        <AddClientDialog closeTo={here} zones={dialog.zones} products={dialog.products} plan={plan} />
      )}
      {dialog?.kind === 'gone' && <GoneDialog what="Client" kind="client" closeTo={here} />}
      {dialog?.kind === 'delete' && (
        <ConfirmDialog
          title={`Delete ${dialog.name}`}
          confirm="Delete Client"
          busyLabel="Deleting..."
          closeTo={here}
          action={here}
          fields={{ intent: 'delete', id: String(dialog.id) }}
        >
          Are you sure you want to delete this client? This action cannot be undone.
        </ConfirmDialog>
      )}
    </Page>
  )
}

const titles = { current: 'Clients', archive: 'Archive' }
const sentences = {
  current: undefined,
  archive: 'Clients you put away. They keep everything and don’t count for your plan.',
}

export function ErrorBoundary() {
  return (
    <FailedPage
      title="Clients"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Clients' }]}
      what="Error Loading Clients"
    >
      Failed to fetch clients: {whyOf(useRouteError())}
    </FailedPage>
  )
}
