import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { Plus } from 'lucide-react'
import { formatMoney } from '#app/lib/money.ts'
import { countPages, parseId } from '#app/lib/url.ts'
import { PrimaryLink } from '#app/ui/components/button.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { NotFoundDialog } from '#app/ui/components/not-found-dialog.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { PageSummary } from '#app/ui/components/pagination.tsx'
import { getClient } from '#modules/crm/index.ts'
import { formActions } from '#modules/core/form-actions.server.ts'
import { EditPurchaseDialog } from '../components/edit-purchase-dialog.tsx'
import { PurchaseRow } from '../components/purchase-row.tsx'
import { ClientPurchaseDialog } from '../components/client-purchase-dialog.tsx'
import {
  getEditPurchaseDialog,
  getClientPurchaseDialog,
  toPurchaseView,
  toTotalsView,
} from '../purchases-loader.server.ts'
import { ClientPurchaseForm } from '../forms.ts'
import { clientPurchasesUrl, pageSize, withoutDialog } from '../list-state.ts'
import { getPurchaseHistory } from '../queries/purchases.ts'
import { createPurchaseOnDate } from '../services/purchases.ts'
import { describeLoadError } from '../components/purchases-error.tsx'

export { ErrorBoundary } from '../components/purchases-error.tsx'
export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data, error }) =>
  pageTitle(matches, data ? `Purchases of ${data.client.name}` : describeLoadError(error).title)

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { id, name, totalSpent } = await getClient(ctx, parseId(params.id))
  const url = clientPurchasesUrl(id)
  const { page, dialog, purchase } = url.parse(request.url)
  const [{ purchases, totals }, newPurchase, editPurchase] = await Promise.all([
    getPurchaseHistory(ctx, id, { rows: pageSize, page }),
    dialog === 'purchase' ? getClientPurchaseDialog(ctx, { id, name }) : null,
    dialog === 'edit-purchase' ? getEditPurchaseDialog(ctx, purchase ?? 0) : null,
  ])
  const lastPage = countPages(totals.count, pageSize)
  if (page > lastPage) throw redirect(url.href({ page: lastPage }))
  return {
    client: { id, name },
    page,
    spent: formatMoney(totalSpent, ctx.account.currency),
    totals: toTotalsView(totals, ctx.account.currency),
    purchases: purchases.map((row) => toPurchaseView(ctx, row)),
    newPurchase,
    editPurchase,
    isMissing: dialog === 'edit-purchase' && !editPurchase,
  }
}

const messages = { record: { done: 'Purchase recorded successfully', failed: 'Failed to create purchase' } }

/** Every page with the client's dialog posts here. Updating and deleting are actions of /purchases. */
export const action = formActions(
  messages,
  {
    record: {
      schema: ClientPurchaseForm,
      run: (ctx, input, { params }) => createPurchaseOnDate(ctx, { ...input, clientId: parseId(params.id) }),
    },
  },
  { dialog: Object.keys(withoutDialog) },
)

export const clientAction = formClientAction(messages)

export default function ClientPurchasesPage() {
  const { client, page, spent, totals, purchases, newPurchase, editPurchase, isMissing } =
    useLoaderData<typeof loader>()
  const url = clientPurchasesUrl(client.id)
  return (
    <Page
      title="Purchases"
      crumbs={[
        { label: 'Clients', to: '/clients' },
        { label: client.name, to: `/clients/${client.id}` },
        { label: 'Purchases' },
      ]}
      description={`${spent} paid so far, invoices included.`}
      actions={
        <PrimaryLink icon={Plus} to={url.href({ page, dialog: 'purchase' })} preventScrollReset>
          Record Purchase
        </PrimaryLink>
      }
    >
      <Card title="Purchase History" aside={<span className="num text-sm text-ink-3">Total {totals.total}</span>}>
        {purchases.length ? (
          <ul aria-label="Purchases" className="rows border-t border-line-soft">
            {purchases.map((purchase) => (
              <PurchaseRow key={purchase.id} purchase={purchase} className="py-2.5 pl-5 pr-3" />
            ))}
          </ul>
        ) : (
          <p className="px-5 pb-5 text-ink-3 wrap-anywhere">{client.name} hasn't bought anything yet.</p>
        )}
      </Card>
      {purchases.length > 0 && (
        <PageSummary
          page={page}
          size={pageSize}
          rows={purchases.length}
          count={totals.count}
          to={(other) => url.href({ page: other })}
        />
      )}
      {newPurchase && <ClientPurchaseDialog {...newPurchase} />}
      {editPurchase && <EditPurchaseDialog key={editPurchase.purchase.id} {...editPurchase} />}
      {isMissing && <NotFoundDialog label="Purchase" kind="purchase" closeTo={url.href({ page })} />}
    </Page>
  )
}
