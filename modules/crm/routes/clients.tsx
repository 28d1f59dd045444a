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
import { countPages, parseId } from '#app/lib/url.ts'
import { shouldRevalidateUnless } from '#app/lib/should-revalidate.ts'
import { formatDate } from '#app/lib/time.ts'
import { readForm, redirectWithToast, submit } from '#app/lib/form-submission.ts'
import { otherTimezones } from '#app/lib/timezones.ts'
import { Button, PrimaryLink } from '#app/ui/components/button.tsx'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { LoadErrorPage, errorReason } from '#app/ui/components/load-error.tsx'
import { NotFoundDialog } from '#app/ui/components/not-found-dialog.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Menu } from '#app/ui/components/menu.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { PageSummary } from '#app/ui/components/pagination.tsx'
import { MenuIconSprite, useRowMenu } from '#app/ui/components/row-menu.tsx'
import { Segmented } from '#app/ui/components/tabs.tsx'
import { keepFormOnFailure } from '#app/ui/forms/offline-action.ts'
import { attempt, backTo, press } from '#modules/core/run-action.server.ts'
import { fillSlot } from '#modules/core/slots.ts'
import { Slot, preloadWidgets } from '#modules/core/slot.tsx'
import type { Ctx } from '#tenants/context.ts'
import { plans } from '#tenants/accounts/plans.ts'
import { AddClientDialog } from '../components/add-client-dialog.tsx'
import { ClientCards } from '../components/client-cards.tsx'
import { ClientTable } from '../components/client-table.tsx'
import { ClientSearch, PlanUsage, SortLinks } from '../components/list-toolbar.tsx'
import { ClientsEmptyState } from '../components/clients-empty-state.tsx'
import { linkIcon } from '../components/link-icon.ts'
import { NewClientForm } from '../forms.ts'
import { listHref, parseListState, clientsPerPage } from '../list-state.ts'
import { findClientName } from '../queries/clients.ts'
import { getClientList } from '../queries/list.ts'
import { addClient, archiveClient, deleteClient, restoreClient, unarchiveClient } from '../services/clients.ts'
import { clientLinkHref, type ClientFactsById, type ClientLink, type ProductOption } from '../slots.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Clients')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { searchParams } = new URL(request.url)
  const state = parseListState(searchParams)
  const [list, dialog, contributedDialogs, links] = await Promise.all([
    getClientList(ctx, state),
    loadDialog(ctx, searchParams),
    loadContributedDialogs(ctx, searchParams),
    fillSlot(ctx, 'client.menu'),
  ])
  const lastPage = countPages(list.matchCount, clientsPerPage)
  if (state.page > lastPage) throw redirect(listHref(state, { page: lastPage }))

  const facts = await loadFacts(
    ctx,
    list.rows.map(({ id }) => id),
  )
  const zone = ctx.account.timezone
  const { title, maxClients: limit } = plans[ctx.plan]
  return {
    state,
    counts: list.counts,
    matchCount: list.matchCount,
    plan: { title, clients: list.counts.current, limit },
    links: links.flatMap(({ data }) => data as ClientLink[]),
    dialog,
    contributedDialogs,
    rows: list.rows.map(({ id, name, email, status, progress, goals, totalSpent, createdAt, archivedAt }) => ({
      id,
      name,
      email,
      status,
      joined: formatDate(createdAt, zone),
      facts: facts[id] ?? {},
      archived: archivedAt && formatDate(archivedAt, zone),
      ...(state.view === 'cards'
        ? { progress, goals: goals && (excerpt(goals, 200) || null), spent: formatCents(totalSpent) }
        : {}),
    })),
  }
}

async function loadDialog(ctx: Ctx, params: URLSearchParams) {
  const kind = params.get('dialog')
  if (kind === 'add') {
    const products = await fillSlot(ctx, 'client.product')
    return {
      kind,
      timezones: otherTimezones(),
      products: products.flatMap(({ data }) => data as ProductOption[]),
    } as const
  }
  if (!kind || !(kind === 'delete' || params.has('client'))) return null
  // Every dialog about a client, also of other modules, needs the client to exist.
  const client = await findClientName(ctx, parseId(params.get('client')))
  if (!client) return { kind: 'not-found' } as const
  return kind === 'delete' ? ({ kind, ...client } as const) : null
}

/** Dialogs of other modules that the URL opens. */
async function loadContributedDialogs(ctx: Ctx, params: URLSearchParams) {
  if (!params.has('dialog')) return []
  const results = await fillSlot(ctx, 'client.dialog', {
    ...Object.fromEntries(params),
    id: params.get('client') ?? undefined,
  })
  return preloadWidgets(results.filter(({ data }) => data))
}

async function loadFacts(ctx: Ctx, ids: number[]): Promise<ClientFactsById> {
  const contributions = await fillSlot(ctx, 'client.row', { ids: ids.join() })
  const merged: ClientFactsById = {}
  for (const { data } of contributions)
    for (const [id, facts] of Object.entries(data as ClientFactsById))
      merged[Number(id)] = { ...merged[Number(id)], ...facts }
  return merged
}

const failureMessages = {
  add: 'Failed to add client. Please try again.',
  delete: 'Failed to delete client. Please try again.',
  restore: 'Failed to restore client. Please try again.',
  archive: 'Failed to archive client. Please try again.',
  unarchive: 'Failed to unarchive client. Please try again.',
}

export async function action({ request, context }: ActionFunctionArgs) {
  context.coach()
  const form = await readForm(request.clone())
  const listUrl = listHref(parseListState(new URL(request.url).searchParams))
  switch (form.get('intent')) {
    case 'refresh':
      return redirectWithToast(listUrl, { tone: 'success', title: 'Refreshed' })
    case 'delete':
      return press(context, {
        to: listUrl,
        sorry: failureMessages.delete,
        done: {
          tone: 'success',
          title: 'Client deleted successfully!',
          action: { label: 'Undo', to: '/clients', fields: { intent: 'restore', id: String(form.get('id')) } },
        },
        work: (ctx) => deleteClient(ctx, parseId(form.get('id'))),
      })
    case 'restore':
      return press(context, {
        to: backTo(request, listUrl),
        sorry: failureMessages.restore,
        done: { tone: 'success', title: 'Client restored' },
        work: (ctx) => restoreClient(ctx, parseId(form.get('id'))),
      })
    case 'archive':
      return press(context, {
        to: listUrl,
        sorry: failureMessages.archive,
        done: {
          tone: 'success',
          title: 'Client archived',
          action: { label: 'Undo', to: '/clients', fields: { intent: 'unarchive', id: String(form.get('id')) } },
        },
        work: (ctx) => archiveClient(ctx, parseId(form.get('id'))),
      })
    case 'unarchive':
      return press(context, {
        to: backTo(request, listUrl),
        sorry: failureMessages.unarchive,
        done: { tone: 'success', title: 'Client restored' },
        work: (ctx) => unarchiveClient(ctx, parseId(form.get('id'))),
      })
    default:
      return submit(
        request,
        NewClientForm,
        (input) => attempt(context, failureMessages.add, (ctx) => addClient(ctx, input)),
        {
          to: listUrl,
          toast: 'Client added successfully!',
        },
      )
  }
}

export const clientAction = keepFormOnFailure(failureMessages)

/** After a plan limit or conflict error, load the current data that the dialog explains. */
export const shouldRevalidate = (change: ShouldRevalidateFunctionArgs) => shouldRevalidateUnless(change, [403, 409])

export default function ClientsPage() {
  const { state, counts, matchCount, plan, links, dialog, contributedDialogs, rows } = useLoaderData<typeof loader>()
  const listUrl = listHref(state)
  const navigation = useNavigation()
  const isLoading = navigation.state === 'loading' && navigation.location.pathname === '/clients'
  const { handlers, menu } = useRowMenu(rows, ({ id }) => [
    { label: 'View Details', icon: UserRound, to: `/clients/${id}` },
    { label: 'Edit Client', icon: Pencil, to: `/clients/${id}?dialog=edit` },
    ...links
      .filter(({ placement }) => placement === 'menu' || (placement === 'card-menu' && state.view === 'cards'))
      .map((link) => ({
        label: link.label,
        icon: linkIcon(link.icon),
        to: clientLinkHref(link, id, (dialog) => listHref(state, {}, { dialog, client: String(id) })),
      })),
    'separator' as const,
    state.scope === 'current'
      ? { label: 'Archive Client', icon: Archive, fields: { intent: 'archive', id: String(id) } }
      : { label: 'Unarchive Client', icon: ArchiveRestore, fields: { intent: 'unarchive', id: String(id) } },
    {
      label: 'Delete Client',
      icon: Trash2,
      to: listHref(state, {}, { dialog: 'delete', client: String(id) }),
      danger: true,
    },
  ])

  return (
    <Page
      title={titles[state.scope]}
      crumbs={[
        { label: 'Dashboard', to: '/dashboard' },
        ...(state.scope === 'current'
          ? [{ label: 'Clients' }]
          : [{ label: 'Clients', to: '/clients' }, { label: titles[state.scope] }]),
      ]}
      description={descriptions[state.scope]}
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
              state.scope === 'current'
                ? { label: 'Export to CSV', icon: Download, to: '/clients/export', reload: true }
                : { label: 'Export archive to CSV', icon: Download, to: '/clients/export?show=archive', reload: true },
              'separator',
              {
                label: `Archived clients (${counts.archive.toLocaleString('en-US')})`,
                icon: Archive,
                to: '/clients?show=archive',
              },
              { label: 'Trash', icon: Trash2, to: '/trash?kind=client' },
            ]}
          >
            <Ellipsis className="i" />
          </Menu>
          {state.scope === 'current' && (
            <PrimaryLink to={listHref(state, {}, { dialog: 'add' })} icon={Plus} preventScrollReset>
              Add Client
            </PrimaryLink>
          )}
        </>
      }
    >
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <ClientSearch state={state} />
        <div className="ml-auto flex items-center gap-4">
          {state.scope === 'current' && <PlanUsage {...plan} />}
          <Segmented
            label="View"
            segments={[
              {
                label: 'Card view',
                to: listHref(state, { view: 'cards' }),
                current: state.view === 'cards',
                icon: LayoutGrid,
              },
              {
                label: 'List view',
                to: listHref(state, { view: 'list' }),
                current: state.view === 'list',
                icon: List,
              },
            ]}
          />
        </div>
      </div>
      {matchCount > 1 && <SortLinks state={state} />}

      <div
        aria-busy={isLoading || undefined}
        className={isLoading ? 'opacity-60 transition-opacity delay-200' : ''}
        {...handlers}
      >
        <MenuIconSprite />
        {rows.length === 0 ? (
          <ClientsEmptyState state={state} />
        ) : state.view === 'cards' ? (
          <ClientCards
            links={links}
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
        <PageSummary
          page={state.page}
          size={clientsPerPage}
          rows={rows.length}
          count={matchCount}
          to={(page) => listHref(state, { page })}
        />
      )}

      <Slot filled={contributedDialogs} />
      {dialog?.kind === 'add' && (
        <AddClientDialog closeTo={listUrl} timezones={dialog.timezones} products={dialog.products} plan={plan} />
      )}
      {dialog?.kind === 'not-found' && <NotFoundDialog label="Client" kind="client" closeTo={listUrl} />}
      {dialog?.kind === 'delete' && (
        <ConfirmDialog
          title={`Delete ${dialog.name}`}
          confirm="Delete Client"
          busyLabel="Deleting..."
          closeTo={listUrl}
          action={listUrl}
          fields={{ intent: 'delete', id: String(dialog.id) }}
        >
          Are you sure you want to delete this client? This action cannot be undone.
        </ConfirmDialog>
      )}
    </Page>
  )
}

const titles = { current: 'Clients', archive: 'Archive' }
const descriptions = {
  current: undefined,
  archive: 'Archived clients keep all their data and don’t count toward your plan.',
}

export function ErrorBoundary() {
  return (
    <LoadErrorPage
      title="Clients"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Clients' }]}
      heading="Error Loading Clients"
    >
      Failed to fetch clients: {errorReason(useRouteError())}
    </LoadErrorPage>
  )
}
