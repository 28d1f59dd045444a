import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { formatCents } from '#app/lib/money.ts'
import { submit } from '#app/lib/form-submission.ts'
import { StatusBadge } from '#app/ui/components/badge.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { FormError, SelectField, TextField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/form.ts'
import { titled } from '#app/ui/components/branding.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { keepTyped } from '#app/ui/forms/offline-action.ts'
import { useFillIn } from '../components/use-prefill-price.ts'
import { sampleClient, sampleProducts, trackerAddress, triedIn, triedPurchase } from '../tracking-test.ts'
import { priceWords } from '../format.ts'

export const meta: MetaFunction = ({ matches }) => titled(matches, 'Purchase Tracker')

const triedAt = (request: Request) => triedIn(new URL(request.url).searchParams.get('tried'))

export function loader({ request }: LoaderFunctionArgs) {
  const tried = triedAt(request)
  return {
    here: trackerAddress(tried),
    client: sampleClient,
    products: sampleProducts,
    total: formatCents(tried.reduce((sum, { amount }) => sum + amount, 0)),
    purchases: tried.map(({ product, amount }) => ({
      name: sampleProducts.find(({ id }) => id === product)!.name,
      amount: formatCents(amount),
    })),
  }
}

const Sent = z.object({ productId: z.string().default(''), amount: z.string().default('') })

/** Nothing is kept: what was recorded travels on in the address. */
export async function action({ request }: ActionFunctionArgs) {
  const before = triedAt(request)
  return submit(request, Sent, async (input) => triedPurchase(input), {
    to: (purchase) => trackerAddress([purchase, ...before]),
    toast: 'Purchase recorded successfully',
  })
}

export const clientAction = keepTyped({ '': 'Failed to create purchase' })

export default function TestPurchasePage() {
  const { here, client, products, total, purchases } = useLoaderData<typeof loader>()
  const { form, fields, busy } = useServerForm<{ productId: string; amount: string }>({ id: 'tracker' })
  const fillIn = useFillIn(products)
  return (
    <Page title="Purchase Tracker" sentence="Try it with a sample client. Nothing you record here is saved.">
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Card title="Record Purchase" aside={<span className="text-sm text-ink-3">{client}</span>}>
          {/* The key empties the form once its purchase stands in the address. */}
          <Form
            key={here}
            method="post"
            action={here}
            {...form.props}
            className="grid gap-4 border-t border-line-soft px-5 py-5"
            preventScrollReset
          >
            <FormError id={form.errorId} errors={form.errors} />
            <SelectField
              field={fields.productId}
              label="Product"
              choices={[
                { value: '', label: 'Choose a product' },
                ...products.map(({ id, name, price }) => ({
                  value: String(id),
                  label: `${name}, ${priceWords(price)}`,
                })),
              ]}
              onChange={fillIn}
            />
            <TextField
              field={fields.amount}
              label="Amount"
              hint="US dollars"
              type="number"
              min={0}
              step="0.01"
              inputMode="decimal"
              autoComplete="off"
            />
            <Button type="submit" variant="primary" className="justify-self-end" busy={busy} busyLabel="Saving...">
              Record Purchase
            </Button>
          </Form>
        </Card>
        <Card title="Purchase History" aside={<span className="num text-sm text-ink-3">Total {total}</span>}>
          {purchases.length ? (
            <>
              <ul aria-label="Purchases" className="rows border-t border-line-soft">
                {purchases.map((purchase, at) => (
                  <li key={purchases.length - at} className="flex items-center gap-3 px-5 py-2.5">
                    <span className="min-w-0 flex-1">
                      <span className="block truncate font-semibold">{purchase.name}</span>
                      <span className="block text-sm text-ink-3">manual</span>
                    </span>
                    <span className="grid shrink-0 justify-items-end gap-0.5">
                      <span className="num font-medium">{purchase.amount}</span>
                      <StatusBadge status="completed" />
                    </span>
                  </li>
                ))}
              </ul>
              <p className="border-t border-line-soft px-5 py-3">
                <Link className="link hit text-sm" to="/test-purchase" preventScrollReset>
                  Start over
                </Link>
              </p>
            </>
          ) : (
            <p className="px-5 pb-5 text-ink-3">No purchases yet.</p>
          )}
        </Card>
      </div>
    </Page>
  )
}
