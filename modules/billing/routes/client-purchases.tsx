import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { Plus } from 'lucide-react'
import { formatCents } from '#app/lib/money.ts'
import { lastPageOf, pageAddress, pageIn } from '#app/lib/pagination.ts'
import { parseId } from '#app/lib/parse-id.ts'
import { PrimaryLink } from '#app/ui/components/button.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { GoneDialog } from '#app/ui/components/not-found-dialog.tsx'
import { titled } from '#app/ui/components/branding.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { Showing } from '#app/ui/components/pagination.tsx'
import { clientOf } from '#modules/crm/index.ts'
import { formActions } from '#modules/core/form-actions.server.ts'
import { EditPurchaseDialog } from '../components/edit-purchase-dialog.tsx'
import { PurchaseRow } from '../components/purchase-row.tsx'
import { RecordPurchaseDialog } from '../components/client-purchase-dialog.tsx'
import { TotalsLine } from '../components/totals-line.tsx'
import { editDialog, recordDialog, shownPurchase, shownTotals } from '../purchases-loader.server.ts'
import { PurchaseForm } from '../forms.ts'
import { closed, pageRows, purchasesUrl } from '../list-state.ts'
import { purchaseHistory } from '../queries/purchases.ts'
import { recordPurchase } from '../services/purchases.ts'

import { failure } from '../components/purchases-error.tsx'

export { ErrorBoundary } from '../components/purchases-error.tsx'
export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data: shown, error }) =>
  titled(matches, shown ? `Purchases of ${shown.client.name}` : failure(error).title)

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { id, name, totalSpent } = await clientOf(ctx, parseId(params.id))
  const { searchParams } = new URL(request.url)
  const page = pageIn(searchParams)
  const dialog = searchParams.get('dialog')
  const [{ purchases, totals }, recording, editing] = await Promise.all([
    purchaseHistory(ctx, id, { rows: pageRows, page }),
    dialog === 'purchase' ? recordDialog(ctx, { id, name }) : null,
    dialog === 'edit-purchase' ? editDialog(ctx, parseId(searchParams.get('purchase'))) : null,
  ])
  const lastPage = lastPageOf(totals.count, pageRows)
  if (page > lastPage) throw redirect(addressOf(id, lastPage))
  return {
    client: { id, name },
    page,
    spent: formatCents(totalSpent),
    totals: shownTotals(totals),
    purchases: purchases.map((purchase) => shownPurchase(ctx, purchase)),
    recording,
    editing,
    gone: dialog === 'edit-purchase' && !editing,
  }
}

const addressOf = (clientId: number, page: number, dialog: Record<string, string> = {}): string =>
  pageAddress(`/clients/${clientId}/purchases`, page, dialog)

const messages = { record: { done: 'Purchase recorded successfully', failed: 'Failed to create purchase' } }

/** Records a purchase of this client, for the dialog wherever it stands. What is done with one lies at /purchases. */
export const action = formActions(
  messages,
  {
    record: {
      schema: PurchaseForm,
      run: (ctx, input, { id }) => recordPurchase(ctx, { ...input, clientId: parseId(id) }),
    },
  },
  { home: purchasesUrl.href(), dialog: Object.keys(closed) },
)

export const clientAction = formClientAction(messages)

export default function ClientPurchasesPage() {
  const { client, page, spent, totals, purchases, recording, editing, gone } = useLoaderData<typeof loader>()
  return (
    <Page
      title="Purchases"
      crumbs={[
        { label: 'Clients', to: '/clients' },
        { label: client.name, to: `/clients/${client.id}` },
        { label: 'Purchases' },
      ]}
      sentence={`${spent} paid so far.`}
      actions={
        <PrimaryLink icon={Plus} to={addressOf(client.id, page, { dialog: 'purchase' })} preventScrollReset>
          Record Purchase
        </PrimaryLink>
      }
    >
      <Card title="Purchase History" aside={<TotalsLine totals={totals} />}>
        {purchases.length ? (
          <ul aria-label="Purchases" className="rows border-t border-line-soft">
            {purchases.map((purchase) => (
              <PurchaseRow key={purchase.id} purchase={purchase} className="py-2.5 pl-5 pr-3" />
            ))}
          </ul>
        ) : (
          <p className="px-5 pb-5 text-ink-3 wrap-anywhere">{client.name} has not bought anything yet.</p>
        )}
      </Card>
      {purchases.length > 0 && (
        <Showing
          page={page}
          size={pageRows}
          rows={purchases.length}
          count={totals.count}
          to={(other) => addressOf(client.id, other)}
        />
      )}
      {recording && <RecordPurchaseDialog {...recording} />}
      {editing && <EditPurchaseDialog key={editing.purchase.id} {...editing} />}
      {gone && <GoneDialog what="Purchase" kind="purchase" closeTo={addressOf(client.id, page)} />}
    </Page>
  )
}
