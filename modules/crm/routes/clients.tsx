import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData, useNavigation, useRouteError, type ShouldRevalidateFunctionArgs } from '@remix-run/react'
import { LayoutGrid, List } from 'lucide-react'
import { shouldRevalidateUnless } from '#app/lib/should-revalidate.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'

import { errorReason, LoadErrorPage } from '#app/ui/components/load-error.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { PageSummary } from '#app/ui/components/pagination.tsx'
import { Segmented } from '#app/ui/components/tabs.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { ById, formActions, NoInput, success } from '#modules/core/form-actions.server.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { Slot } from '#modules/core/slot.tsx'
import { runBulkForm, undoBulk } from '../bulk-action.server.ts'
import { loadClientsPage } from '../clients-loader.server.ts'
import { warnOfDuplicate } from '../duplicate-toast.server.ts'
import { ClientCards } from '../components/client-cards.tsx'
import { ClientTable } from '../components/client-table.tsx'
import { ClientsActions } from '../components/clients-actions.tsx'
import { ClientsEmptyState } from '../components/clients-empty-state.tsx'
import { ActiveFilters, ClientSearch, FiltersLink, PlanUsage, SortLinks } from '../components/list-toolbar.tsx'
import { useClientMenu } from '../components/use-client-menu.tsx'
import { BulkForm, NewClientForm, NewViewForm, RenameViewForm } from '../forms.ts'
import { clientsPerPage, clientsUrl } from '../list-state.ts'
import { createClient, archiveClient, deleteClient, restoreClient, unarchiveClient } from '../services/clients.ts'
import { createView, deleteView, renameView } from '../services/views.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Clients')

export const loader = ({ request, context }: LoaderFunctionArgs) => loadClientsPage(context.coach(), request.url)

const messages = {
  add: { done: 'Client added successfully!', failed: 'Failed to add client. Please try again.' },
  delete: { done: 'Client deleted successfully!', failed: 'Failed to delete client. Please try again.' },
  restore: { done: 'Client restored', failed: 'Failed to restore client. Please try again.' },
  archive: { done: 'Client archived', failed: 'Failed to archive client. Please try again.' },
  unarchive: { done: 'Client restored', failed: 'Failed to unarchive client. Please try again.' },
  'save-view': { done: 'View saved', failed: 'Failed to save the view. Please try again.' },
  'rename-view': { done: 'View renamed', failed: 'Failed to rename the view. Please try again.' },
  'delete-view': { done: 'View deleted', failed: 'Failed to delete the view. Please try again.' },
  bulk: { done: 'Clients changed', failed: 'Failed to change the clients. Please try again.' },
  'undo-bulk': { done: 'Undone', failed: 'Failed to undo the change. Please try again.' },
  refresh: { done: 'Refreshed', failed: 'Failed to fetch clients: the server could not be reached.' },
}

export const action = formActions(
  messages,
  {
    add: {
      schema: NewClientForm,
      run: async (ctx, input) => {
        const added = await createClient(ctx, input)
        const toast = await warnOfDuplicate(ctx, added, { done: messages.add.done })
        return success({ to: `/clients/${added.id}`, ...(toast ? { toast } : {}) })
      },
    },
    delete: {
      schema: ById,
      run: (ctx, { id }) => deleteClient(ctx, id),
      // The client's own page no longer exists.
      to: ({ closed }) => (/^\/clients(\?|$)/.test(closed) ? closed : clientsUrl.href()),
      undo: 'restore',
    },
    restore: { schema: ById, run: (ctx, { id }) => restoreClient(ctx, id), to: ({ page }) => page },
    archive: { schema: ById, run: (ctx, { id }) => archiveClient(ctx, id), undo: 'unarchive' },
    unarchive: { schema: ById, run: (ctx, { id }) => unarchiveClient(ctx, id), to: ({ page }) => page },
    'save-view': { schema: NewViewForm, run: createView },
    'rename-view': {
      schema: RenameViewForm,
      run: (ctx, { id, name }) => renameView(ctx, id, name),
      to: ({ page }) => page,
      isButton: true,
    },
    'delete-view': { schema: ById, run: (ctx, { id }) => deleteView(ctx, id), to: ({ page }) => page },
    bulk: { schema: BulkForm, run: runBulkForm, to: ({ page }) => page, isButton: true },
    'undo-bulk': { schema: ById, run: (ctx, { id }) => undoBulk(ctx, id), to: ({ page }) => page },
    refresh: { schema: NoInput, run: async () => {} },
  },
  { home: clientsUrl.href(), dialog: ['dialog', 'client'] },
)

export const clientAction = formClientAction(messages)

/** After a plan limit or conflict error, load the current data that the dialog explains. */
export const shouldRevalidate = (change: ShouldRevalidateFunctionArgs) => shouldRevalidateUnless(change, [403, 409])

export default function ClientsPage() {
  const { state, counts, matchCount, activeFilters, bulkBar, plan, links, dialogs, rows } =
    useLoaderData<typeof loader>()
  const { page, view, show } = state
  const navigation = useNavigation()
  const isLoading = navigation.state === 'loading' && navigation.location.pathname === '/clients'
  const { handlers, menu } = useClientMenu(rows, links, state)
  return (
    <Page
      title={titles[show]}
      crumbs={[
        { label: 'Dashboard', to: '/dashboard' },
        ...(show === 'current'
          ? [{ label: 'Clients' }]
          : [{ label: 'Clients', to: '/clients' }, { label: titles[show] }]),
      ]}
      description={show === 'archive' && 'Archived clients keep all their data and don’t count toward your plan.'}
      actions={<ClientsActions state={state} counts={counts} />}
    >
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <ClientSearch state={state} />
        <FiltersLink state={state} />
        <div className="ml-auto flex items-center gap-4">
          {show === 'current' && <PlanUsage {...plan} />}
          {matchCount > 0 && state.select === null && (
            <Link to={clientsUrl.href(state, { select: 'on' })} preventScrollReset className="btn btn-ghost">
              Select
            </Link>
          )}
          <Segmented
            label="View"
            segments={[
              {
                label: 'Card view',
                to: clientsUrl.href(state, { view: 'cards' }),
                current: view === 'cards',
                icon: LayoutGrid,
              },
              {
                label: 'List view',
                to: clientsUrl.href(state, { view: 'list' }),
                current: view === 'list',
                icon: List,
              },
            ]}
          />
        </div>
      </div>
      <ActiveFilters state={state} filters={activeFilters} />
      {matchCount > 1 && <SortLinks state={state} />}
      <div
        aria-busy={isLoading || undefined}
        className={isLoading ? 'opacity-60 transition-opacity delay-200' : ''}
        {...handlers}
      >
        {rows.length === 0 ? (
          <ClientsEmptyState state={state} />
        ) : view === 'cards' ? (
          <ClientCards rows={rows} links={links} state={state} />
        ) : (
          <ClientTable rows={rows} state={state} />
        )}
        {menu}
      </div>
      {rows.length > 0 && (
        <PageSummary
          page={page}
          size={clientsPerPage}
          rows={rows.length}
          count={matchCount}
          to={(other) => clientsUrl.href(state, { page: other })}
        />
      )}
      <Slot filled={bulkBar} />
      <Slot filled={dialogs} />
    </Page>
  )
}

const titles = { current: 'Clients', archive: 'Archive' }

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
