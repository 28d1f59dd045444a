import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData, type ShouldRevalidateFunctionArgs } from '@remix-run/react'
import { Plus } from 'lucide-react'
import { AppError } from '#app/lib/errors.ts'
import { lastPageOf } from '#app/lib/pages.ts'
import { recordId } from '#app/lib/record-id.ts'
import { revalidates } from '#app/lib/revalidate.ts'
import { formOf, submit } from '#app/lib/submit.ts'
import { searchLine } from '#app/lib/term.ts'
import { dateOf } from '#app/lib/time.ts'
import { chosen } from '#app/lib/two-tabs.ts'
import { StatusBadge } from '#app/ui/badge.tsx'
import { ButtonLink, PrimaryLink } from '#app/ui/button.tsx'
import { Empty, PathDrawing } from '#app/ui/empty.tsx'
import { GoneDialog } from '#app/ui/gone-dialog.tsx'
import { titled } from '#app/ui/identity.tsx'
import { Link } from '#app/ui/link.tsx'
import { Page } from '#app/ui/page.tsx'
import { Showing } from '#app/ui/pagination.tsx'
import { Table } from '#app/ui/table.tsx'
import { keepTyped } from '#app/ui/unreachable.ts'
import { clientIdsMatching, clientNames } from '#modules/crm/index.ts'
import { attempt, backTo, press } from '#modules/press.server.ts'
import type { Ctx } from '#tenants/context.ts'
import { EditPurchaseDialog } from '../components/edit-purchase-dialog.tsx'
import { PurchaseFilters } from '../components/purchase-filters.tsx'
import { PurchaseDeeds } from '../components/purchase-row.tsx'
import { SaleDialog } from '../components/sale-dialog.tsx'
import { editDialog, saleDialog, shownIncome, shownPurchase } from '../dialogs.ts'
import { PurchaseEditForm, SaleForm } from '../forms.ts'
import { listAddress, listState, pageRows, withoutDialog } from '../list-state.ts'
import { purchaseList } from '../queries/purchases.ts'
import type { ListedPurchase } from '../record.ts'
import { deletePurchase, editPurchaseDay, recordSale, restorePurchase } from '../services/purchases.ts'
import { monthWords } from '../words.ts'

export { ErrorBoundary } from '../components/purchases-error.tsx'

export const meta: MetaFunction = ({ matches }) => titled(matches, 'Purchases')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { searchParams } = new URL(request.url)
  const state = listState(searchParams)
  const dialog = searchParams.get('dialog')
  const found = state.q ? await clientIdsMatching(ctx, state.q) : []
  const [list, selling, editing] = await Promise.all([
    purchaseList(ctx, state, found),
    dialog === 'record' ? saleDialog(ctx, searchLine(searchParams.get('who') ?? '')) : null,
    dialog === 'edit-purchase' ? editDialog(ctx, recordId(searchParams.get('purchase'))) : null,
  ])
  const lastPage = lastPageOf(list.totals.count, pageRows)
  if (state.page > lastPage) throw redirect(listAddress(state, { page: lastPage }))
  return {
    state,
    months: monthsSince(list.since, ctx, state.month),
    count: list.totals.count,
    income: shownIncome(list.totals, state.status),
    rows: await withClients(ctx, list.purchases),
    selling,
    editing,
    gone: dialog === 'edit-purchase' && !editing,
  }
}

async function withClients(ctx: Ctx, purchases: ListedPurchase[]) {
  const clients = await clientNames(ctx, [...new Set(purchases.flatMap(({ clientId }) => clientId ?? []))])
  return purchases.map((purchase) => ({ ...shownPurchase(ctx, purchase), client: clients.find(({ id }) => id === purchase.clientId) ?? null }))
}

/** The months of the coach's calendar from the first purchase to now, the latest first, and the one that is asked for. */
function monthsSince(since: string | null, ctx: Ctx, asked: string | null): string[] {
  const zone = ctx.account.timezone
  const now = dateOf(ctx.now(), zone).slice(0, 7)
  const first = since ? dateOf(since, zone).slice(0, 7) : now
  const months: string[] = []
  for (let [year = 0, month = 0] = now.split('-').map(Number); `${year}-${String(month).padStart(2, '0')}` >= first && months.length < 120; ) {
    months.push(`${year}-${String(month).padStart(2, '0')}`)
    ;[year, month] = month > 1 ? [year, month - 1] : [year - 1, 12]
  }
  return asked && !months.includes(asked) ? [asked, ...months] : months
}

const sorry = {
  record: 'Failed to create purchase',
  edit: 'Failed to update purchase.',
  delete: 'Failed to delete purchase.',
  restore: 'Failed to restore purchase.',
}

export async function action({ request, context }: ActionFunctionArgs) {
  context.coach()
  const form = await formOf(request.clone())
  const id = recordId(form.get('id'))
  const back = backTo(request, '/purchases')
  const plain = withoutDialog(back)
  switch (form.get('intent')) {
    case 'record':
      return submit(request, SaleForm, (input) => attempt(context, sorry.record, (ctx) => recordSale(ctx, input)), {
        to: plain,
        toast: 'Purchase recorded successfully',
      })
    case 'edit':
      return submit(request, PurchaseEditForm, ({ version, ...input }) => attempt(context, sorry.edit, (ctx) => editPurchaseDay(ctx, id, chosen(input, form), version)), {
        to: plain,
        toast: 'Purchase updated',
      })
    case 'delete':
      return press(context, {
        // The dialog of what is deleted closes; the one that records stays open.
        to: back.includes('dialog=edit-purchase') ? plain : back,
        sorry: sorry.delete,
        done: { tone: 'success', title: 'Purchase deleted', action: { label: 'Undo', to: '/purchases', fields: { intent: 'restore', id: String(id) } } },
        work: (ctx) => deletePurchase(ctx, id),
      })
    case 'restore':
      return press(context, {
        to: back,
        sorry: sorry.restore,
        done: { tone: 'success', title: 'Purchase restored' },
        work: (ctx) => restorePurchase(ctx, id),
      })
    default:
      throw new AppError('bad_request', 'This form is not known here.')
  }
}

export const clientAction = keepTyped(sorry)

/** When another tab saved meanwhile, the dialog shows what it saved. */
export const shouldRevalidate = (change: ShouldRevalidateFunctionArgs) => revalidates(change, [409])

export default function PurchasesPage() {
  const { state, months, count, income, rows, selling, editing, gone } = useLoaderData<typeof loader>()
  const filtered = Boolean(state.q || state.month || state.status)
  return (
    <Page
      title="Purchases"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Products', to: '/products' }, { label: 'Purchases' }]}
      actions={
        <PrimaryLink icon={Plus} to={listAddress(state, {}, { dialog: 'record' })} preventScrollReset>
          Record Purchase
        </PrimaryLink>
      }
    >
      <PurchaseFilters state={state} months={months} />
      <p className="num mb-4 flex flex-wrap items-baseline gap-x-3" role="status">
        <span className="text-ink-2">
          <span className="text-xl font-semibold text-ink">{income.amount}</span> {income.status}
        </span>
        <span className="text-ink-3">
          {count === 1 ? '1 purchase' : `${count.toLocaleString('en-US')} purchases`}
          {state.month && ` in ${monthWords(state.month)}`}
          {income.others.length > 0 && `, also ${new Intl.ListFormat('en-US').format(income.others)}`}
        </span>
      </p>
      {rows.length ? (
        <>
          <Table
            label="Purchases"
            framed
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              { head: 'Product', cell: ({ productName }) => <strong className="block truncate">{productName}</strong>, className: 'w-2/5 max-w-0' },
              { head: 'Client', cell: ({ client }) => <ClientLink client={client} />, className: 'w-1/4 max-w-0' },
              { head: 'Amount', right: true, cell: ({ amount }) => <span className="font-medium text-ink">{amount}</span> },
              { head: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
              { head: 'Method', cell: ({ method }) => method, hidden: 'max-xl:hidden' },
              { head: 'Date', cell: ({ when }) => <span className="num">{when}</span> },
              { head: 'Actions', cell: (purchase) => <span className="-ml-2 flex"><PurchaseDeeds purchase={purchase} /></span> },
            ]}
            line={(purchase) => (
              <Link className="block py-3" to={listAddress(state, {}, { dialog: 'edit-purchase', purchase: String(purchase.id) })} preventScrollReset>
                <span className="flex justify-between gap-3">
                  <span className="min-w-0 flex-1 truncate text-md font-semibold">{purchase.productName}</span>
                  <span className="num text-md font-semibold">{purchase.amount}</span>
                </span>
                <span className="mt-1 flex items-center justify-between gap-3">
                  <span className="min-w-0 truncate text-sm text-ink-3">
                    {purchase.client ? `${purchase.client.name}, ` : ''}
                    {purchase.when}
                  </span>
                  <StatusBadge status={purchase.status} />
                </span>
              </Link>
            )}
          />
          <Showing page={state.page} size={pageRows} rows={rows.length} count={count} to={(page) => listAddress(state, { page })} />
        </>
      ) : (
        <div className="card">
          <Empty
            title={filtered ? 'No purchases found' : 'No purchases yet'}
            drawing={<PathDrawing />}
            action={
              filtered ? (
                <ButtonLink to="/purchases">Show all</ButtonLink>
              ) : (
                <ButtonLink to="/purchases?dialog=record" icon={Plus} preventScrollReset>
                  Record Purchase
                </ButtonLink>
              )
            }
          >
            {filtered ? 'Nothing was sold that fits these filters. Another month or status may have it.' : 'What your clients buy is listed here, with what it comes to.'}
          </Empty>
        </div>
      )}
      {selling && <SaleDialog {...selling} />}
      {editing && <EditPurchaseDialog key={editing.purchase.id} {...editing} />}
      {gone && <GoneDialog what="Purchase" kind="purchase" closeTo={listAddress(state)} />}
    </Page>
  )
}

function ClientLink({ client }: { client: { id: number; name: string; inTrash: boolean } | null }) {
  if (!client) return '–'
  if (client.inTrash) return <span className="block truncate">{client.name}</span>
  return (
    <Link className="block truncate hover:text-ink hover:underline" to={`/clients/${client.id}`}>
      {client.name}
    </Link>
  )
}
