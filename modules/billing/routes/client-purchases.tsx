import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { Trash2 } from 'lucide-react'
import { AppError } from '#app/lib/errors.ts'
import { formatCents } from '#app/lib/money.ts'
import { recordId } from '#app/lib/record-id.ts'
import { formOf, submit } from '#app/lib/submit.ts'
import { dayOf } from '#app/lib/time.ts'
import { StatusBadge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { titled } from '#app/ui/identity.tsx'
import { Card, Page } from '#app/ui/page.tsx'
import { attempt, press } from '#modules/press.server.ts'
import { clientOf } from '#modules/crm/index.ts'
import { RecordPurchaseForm } from '../components/record-purchase-form.tsx'
import { PurchaseForm } from '../forms.ts'
import { productsNewestFirst } from '../queries/products.ts'
import { purchasesNewestFirst } from '../queries/purchases.ts'
import { deletePurchase, recordPurchase, restorePurchase } from '../services/purchases.ts'
import { methodWords } from '../words.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data: shown }) => titled(matches, shown ? `Purchases of ${shown.client.name}` : 'Client not found')

export async function loader({ params, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const client = await clientOf(ctx, recordId(params.id))
  const [purchases, products] = await Promise.all([purchasesNewestFirst(ctx, { clientId: client.id }), productsNewestFirst(ctx)])
  return {
    client: { id: client.id, name: client.name },
    total: formatCents(purchases.reduce((sum, { amount }) => sum + amount, 0)),
    spent: formatCents(client.totalSpent),
    purchases: purchases.map(({ id, productName, amount, status, paymentMethod, notes, purchasedAt }) => ({
      id,
      productName,
      amount: formatCents(amount),
      status,
      when: dayOf(purchasedAt, ctx.account.timezone),
      method: methodWords[paymentMethod],
      notes,
    })),
    products: products.filter(({ isActive }) => isActive).map(({ id, name, price }) => ({ id, name, price })),
  }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  context.coach()
  const clientId = recordId(params.id)
  const here = `/clients/${clientId}/purchases`
  const form = await formOf(request.clone())
  const id = recordId(form.get('id'))
  switch (form.get('intent')) {
    case 'record':
      return submit(request, PurchaseForm, (input) => attempt(context, 'Failed to create purchase', (ctx) => recordPurchase(ctx, { ...input, clientId })), {
        to: here,
        toast: 'Purchase recorded successfully',
      })
    case 'restore':
      return press(context, {
        to: here,
        sorry: 'Failed to restore purchase.',
        done: { tone: 'success', title: 'Purchase restored' },
        work: (ctx) => restorePurchase(ctx, id),
      })
    case 'delete':
      return press(context, {
        to: here,
        sorry: 'Failed to delete purchase.',
        done: { tone: 'success', title: 'Purchase deleted', action: { label: 'Undo', to: here, fields: { intent: 'restore', id: String(id) } } },
        work: (ctx) => deletePurchase(ctx, id),
      })
    default:
      throw new AppError('bad_request', 'This form is not known here.')
  }
}

export default function ClientPurchasesPage() {
  const { client, total, spent, purchases, products } = useLoaderData<typeof loader>()
  return (
    <Page
      title="Purchases"
      crumbs={[{ label: 'Clients', to: '/clients' }, { label: client.name, to: `/clients/${client.id}` }, { label: 'Purchases' }]}
      sentence={`${spent} paid so far.`}
    >
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <Card title="Purchase History" aside={<span className="num text-sm text-ink-3">Total {total}</span>}>
          {purchases.length ? (
            <ul aria-label="Purchases" className="rows max-h-[28rem] overflow-y-auto border-t border-line-soft" tabIndex={0}>
              {purchases.map((purchase) => (
                <li key={purchase.id} className="flex items-center gap-3 px-5 py-3">
                  <span className="min-w-0 flex-1">
                    <span className="block truncate font-semibold">{purchase.productName}</span>
                    <span className="block truncate text-sm text-ink-3">
                      {purchase.when}, {purchase.method.toLowerCase()}
                      {purchase.notes ? `, ${purchase.notes}` : ''}
                    </span>
                  </span>
                  <span className="grid justify-items-end gap-0.5">
                    <span className="num font-medium">{purchase.amount}</span>
                    <StatusBadge status={purchase.status} />
                  </span>
                  <Form method="post" preventScrollReset>
                    <input type="hidden" name="intent" value="delete" />
                    <input type="hidden" name="id" value={purchase.id} />
                    <Button type="submit" variant="ghost" size="sm" className="btn-icon" aria-label={`Delete the purchase of ${purchase.productName}, ${purchase.when}`}>
                      <Trash2 className="i" />
                    </Button>
                  </Form>
                </li>
              ))}
            </ul>
          ) : (
            <p className="px-5 pb-5 text-ink-3">{client.name} has not bought anything yet.</p>
          )}
        </Card>
        <Card title="Record Purchase">
          <div className="border-t border-line-soft px-5 py-5">
            <RecordPurchaseForm products={products} />
          </div>
        </Card>
      </div>
    </Page>
  )
}
