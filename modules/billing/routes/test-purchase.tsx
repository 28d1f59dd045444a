import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import type { Fields } from '#app/lib/fields.ts'
import { formatCents } from '#app/lib/money.ts'
import { StatusBadge } from '#app/ui/components/badge.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { publicFormActions, success } from '#modules/core/form-actions.server.ts'
import { FormError, SelectField, TextField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { toProductChoices } from '../components/purchase-fields.tsx'
import { usePrefillPrice } from '../components/use-prefill-price.ts'
import {
  parseTrackedPurchase,
  parseTrackedPurchases,
  sampleClient,
  sampleProducts,
  trackerHref,
} from '../tracking-test.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Purchase Tracker')

const parsePurchases = (request: Request) => parseTrackedPurchases(new URL(request.url).searchParams.get('purchases'))

export function loader({ request }: LoaderFunctionArgs) {
  const purchases = parsePurchases(request)
  return {
    href: trackerHref(purchases),
    client: sampleClient,
    products: sampleProducts,
    total: formatCents(purchases.reduce((sum, { amount }) => sum + amount, 0)),
    purchases: purchases.map(({ productId, amount }) => ({
      name: sampleProducts.find(({ id }) => id === productId)!.name,
      amount: formatCents(amount),
    })),
  }
}

const TrackerForm = z.object({ productId: z.string().default(''), amount: z.string().default('') })

const messages = { record: { done: 'Purchase recorded successfully', failed: 'Failed to create purchase' } }

export const action = publicFormActions(
  messages,
  {
    record: {
      schema: TrackerForm,
      run: async (_context, input, { request }) =>
        success({ to: trackerHref([parseTrackedPurchase(input), ...parsePurchases(request)]) }),
    },
  },
  { home: '/test-purchase' },
)

export const clientAction = formClientAction(messages)

const trackerFields = {
  productId: { kind: 'line', label: 'Product' },
  amount: { kind: 'cents', label: 'Amount' },
} as const satisfies Fields

export default function TestPurchasePage() {
  const { href, client, products, total, purchases } = useLoaderData<typeof loader>()
  const { form, fields, busy } = useServerForm(trackerFields, { id: 'tracker', intent: 'record' })
  const prefillPrice = usePrefillPrice(products, 'usd')
  return (
    <Page title="Purchase Tracker" description="Try it with a sample client. Nothing you record here is saved.">
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Card title="Record Purchase" aside={<span className="text-sm text-ink-3">{client}</span>}>
          {/* The key resets the form after each purchase. */}
          <Form
            key={href}
            method="post"
            action={href}
            {...form.props}
            className="grid gap-4 border-t border-line-soft px-5 py-5"
            preventScrollReset
          >
            <input type="hidden" name="intent" value="record" />
            <FormError id={form.errorId} errors={form.errors} />
            <SelectField field={fields.productId} choices={toProductChoices(products, 'usd')} onChange={prefillPrice} />
            <TextField
              field={fields.amount}
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
                {purchases.map((purchase, index) => (
                  <li key={purchases.length - index} className="flex items-center gap-3 px-5 py-2.5">
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
