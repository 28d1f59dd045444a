import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { Link2 } from 'lucide-react'
import type { Fields } from '#app/lib/fields.ts'
import { Badge } from '#app/ui/components/badge.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { CopyButton } from '#app/ui/components/copy-button.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { Tabs } from '#app/ui/components/tabs.tsx'
import { FormError, SelectField } from '#app/ui/forms/field.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { PersonCombobox } from '#app/ui/forms/person-combobox.tsx'
import { PersonSearchForm } from '#app/ui/forms/person-search-form.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { ById, formActions } from '#modules/core/form-actions.server.ts'
import type { PublicLink } from '#modules/core/manifest.ts'
import { fillSlot } from '#modules/core/slots.ts'
import { searchClients, toGroups } from '#app/ui/forms/client-choices.ts'
import { NoClients } from '../components/purchase-fields.tsx'
import { purchaseFields } from '../fields.ts'
import { PaymentLinkForm } from '../forms.ts'
import { loadPaymentLinks } from '../sales/payment-links-loader.server.ts'
import { createPaymentLink, sendPaymentLink, withdrawPaymentLink } from '../sales/payment-links.ts'
import { paymentLinksUrl } from '../list-state.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Payment Links')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const [page, tabs] = await Promise.all([loadPaymentLinks(ctx, request.url), fillSlot(ctx, 'payments.link')])
  return { ...page, tabs: tabs.map(({ data }) => data as PublicLink) }
}

const messages = {
  'create-link': { done: 'The payment link is made. Copy it, or email it.', failed: 'Failed to make the payment link' },
  'send-link': { done: 'Payment link sent', failed: 'Failed to send the payment link' },
  'withdraw-link': {
    done: { title: 'The payment link no longer works' },
    failed: 'Failed to withdraw the payment link',
  },
}

export const action = formActions(
  messages,
  {
    'create-link': { schema: PaymentLinkForm, run: createPaymentLink },
    'send-link': { schema: ById, run: (ctx, { id }) => sendPaymentLink(ctx, id) },
    'withdraw-link': { schema: ById, run: (ctx, { id }) => withdrawPaymentLink(ctx, id) },
  },
  { home: '/payments/links' },
)

export const clientAction = formClientAction(messages)

type Data = ReturnType<typeof useLoaderData<typeof loader>>

const crumbs = [
  { label: 'Dashboard', to: '/dashboard' },
  { label: 'Payments', to: '/payments' },
  { label: 'Payment Links' },
]

export default function PaymentLinksPage() {
  const { hasHost, takesCards, form, links, client, tabs } = useLoaderData<typeof loader>()
  return (
    <Page title="Payment Links" crumbs={crumbs} description="Offer a client a product, to pay by card.">
      <div className="mb-6">
        <Tabs label="Payments" tabs={tabs.map((tab) => ({ ...tab, current: tab.to === '/payments/links' }))} />
      </div>
      <div className="grid max-w-[48rem] gap-6">
        <Card title="New payment link">
          <div className="grid gap-5 border-t border-line-soft px-5 py-5">
            {!hasHost ? (
              <p className="text-ink-2">
                It needs an address of your own first: choose one on the{' '}
                <Link className="link" to="/branding">
                  Branding page
                </Link>
                .
              </p>
            ) : (
              <>
                {!takesCards && (
                  <p className="text-ink-2">
                    Card payments aren’t connected: until they are, nobody can pay by a link.{' '}
                    <Link className="link" to="/settings">
                      Open the settings
                    </Link>
                  </p>
                )}
                <NewLink key={links[0]?.id ?? 0} form={form} />
              </>
            )}
          </div>
        </Card>
        <Card title={client ? `Links of ${client.name}` : 'Links'}>
          {client && (
            <p className="px-5 pb-4">
              <Link className="link hit" to={paymentLinksUrl.href()}>
                Show all clients
              </Link>
            </p>
          )}
          {links.length ? (
            <LinkList links={links} />
          ) : (
            <p className="border-t border-line-soft px-5 py-5 text-ink-2">There are no payment links yet.</p>
          )}
        </Card>
      </div>
    </Page>
  )
}

const { clientId, productId } = purchaseFields
const linkFields = { clientId, productId } as const satisfies Fields

function NewLink({ form: { clients, hasMore, clientSearch, products, values } }: { form: Data['form'] }) {
  const { form, fields, busy } = useServerForm(linkFields, { id: 'payment-link', intent: 'create-link', values })
  if (!clients.length && !clientSearch) return <NoClients />
  if (!products.length)
    return (
      <p className="text-ink-2">
        There is no one-time product with a price.{' '}
        <Link className="link" to="/products?dialog=add">
          Add a product
        </Link>
      </p>
    )
  return (
    <div>
      {(hasMore || clientSearch) && (
        <PersonSearchForm url={paymentLinksUrl.href()} name="clientSearch" value={clientSearch} label="Find a client" />
      )}
      <Form method="post" {...form.props} className="grid gap-4 sm:grid-cols-2" preventScrollReset>
        <input type="hidden" name="intent" value="create-link" />
        <div className="sm:col-span-2">
          <FormError id={form.errorId} errors={form.errors} />
          <PersonCombobox
            field={fields.clientId}
            placeholder={clients.length ? 'Choose a client' : 'No clients found'}
            groups={toGroups(clients)}
            search={hasMore || clientSearch ? searchClients : undefined}
          />
        </div>
        <SelectField field={fields.productId} choices={[{ value: '', label: 'Choose a product' }, ...products]} />
        <Button type="submit" variant="primary" busy={busy} icon={Link2} className="justify-self-start sm:col-span-2">
          Make a Link
        </Button>
      </Form>
    </div>
  )
}

const tones = { open: 'warning', paid: 'success', withdrawn: 'neutral' } as const
const labels = { open: 'Open', paid: 'Paid', withdrawn: 'Withdrawn' }

function LinkList({ links }: { links: Data['links'] }) {
  return (
    <ul className="rows border-t border-line-soft" aria-label="Payment links">
      {links.map(({ id, clientName, productName, amount, state, detail, url, invoiceId }) => (
        <li key={id} className="grid gap-2 px-5 py-3">
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <p className="min-w-0 wrap-anywhere">
              <span className="font-medium">{clientName}</span>, {productName}, <span className="num">{amount}</span>
              <span className="mt-1 flex flex-wrap items-center gap-2 text-sm text-ink-3">
                <Badge tone={tones[state]}>{labels[state]}</Badge>
                {detail}
              </span>
            </p>
            {url && (
              <Form method="post" preventScrollReset className="flex flex-wrap gap-2">
                <input type="hidden" name="id" value={id} />
                <Button type="submit" name="intent" value="send-link" aria-label={`Email the link to ${clientName}`}>
                  Email
                </Button>
                <Button
                  type="submit"
                  name="intent"
                  value="withdraw-link"
                  variant="danger-ghost"
                  aria-label={`Withdraw the link of ${clientName}`}
                >
                  Withdraw
                </Button>
              </Form>
            )}
            {invoiceId !== null && (
              <Link className="link hit" to={`/payments?dialog=invoice&invoice=${invoiceId}`}>
                Invoice
              </Link>
            )}
          </div>
          {url && (
            <span className="flex min-w-0 gap-2">
              <input
                className="input min-w-0 flex-1"
                readOnly
                aria-label={`Payment link of ${clientName}`}
                value={url}
                onFocus={(event) => event.currentTarget.select()}
              />
              <CopyButton text={url} />
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
