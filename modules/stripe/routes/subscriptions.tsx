import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { Download, Plus, X } from 'lucide-react'
import { z } from 'zod'
import { countPages } from '#app/lib/url.ts'
import { dollars, formId } from '#app/lib/zod-types.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { ButtonLink, PrimaryLink, SecondaryLink } from '#app/ui/components/button.tsx'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { EmptyState } from '#app/ui/components/empty-state.tsx'
import { LoadErrorPage } from '#app/ui/components/load-error.tsx'
import { NotFoundDialog } from '#app/ui/components/not-found-dialog.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { PageSummary } from '#app/ui/components/pagination.tsx'
import { Table } from '#app/ui/components/table.tsx'
import { Tabs } from '#app/ui/components/tabs.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { ById, publicFormActions, success } from '#modules/core/form-actions.server.ts'
import type { PublicLink } from '#modules/core/manifest.ts'
import { fillSlot } from '#modules/core/slots.ts'
import { ChangeDialog } from '../subscriptions/change-dialog.tsx'
import { changeProduct } from '../subscriptions/change-product.ts'
import { CancelDialog, PriceDialog, SubscriptionDetails } from '../subscriptions/details.tsx'
import { ExportDialog } from '../subscriptions/export-dialog.tsx'
import { pageSize, subscriptionsUrl } from '../subscriptions/list-state.ts'
import {
  getChangeView,
  getNewSubscriptionDialog,
  getSubscriptionsPage,
  getSubscriptionView,
  type SubscriptionListRow,
} from '../subscriptions/loader.server.ts'
import {
  cancelAtPeriodEnd,
  cancelNow,
  changePrice,
  keepSubscription,
  pauseSubscription,
  resumeSubscription,
  sendOffer,
  withdrawOffer,
} from '../subscriptions/manage.ts'
import { NewSubscriptionDialog } from '../subscriptions/new-dialog.tsx'
import { createSubscription } from '../subscriptions/offer.ts'
import { StateBadge } from '../subscriptions/state-badge.tsx'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Subscriptions')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { dialog, subscription: id, product, clientSearch, ...state } = subscriptionsUrl.parse(request.url)
  const [list, newSubscription, subscription, change, tabs] = await Promise.all([
    getSubscriptionsPage(ctx, state),
    dialog === 'new' ? getNewSubscriptionDialog(ctx, clientSearch, state.client) : null,
    dialog !== null && dialog !== 'new' && dialog !== 'export' ? getSubscriptionView(ctx, id ?? 0) : null,
    dialog === 'change' ? getChangeView(ctx, id ?? 0, product) : null,
    fillSlot(ctx, 'payments.link'),
  ])
  const lastPage = countPages(list.count, pageSize)
  if (state.page > lastPage) throw redirect(subscriptionsUrl.href(state, { page: lastPage }))
  return {
    state,
    dialog,
    ...list,
    newSubscription,
    subscription,
    change,
    tabs: tabs.map(({ data }) => data as PublicLink),
  }
}

const messages = {
  create: { done: 'Link created', failed: 'Failed to create the link.' },
  send: { done: 'The link is on its way', failed: 'Failed to send the link.' },
  withdraw: { done: 'Link withdrawn', failed: 'Failed to withdraw the link.' },
  pause: { done: 'Subscription paused', failed: 'Failed to pause the subscription.' },
  resume: { done: 'Subscription resumed', failed: 'Failed to resume the subscription.' },
  end: { done: 'It ends with this period', failed: 'Failed to cancel the subscription.' },
  keep: { done: 'The subscription goes on', failed: 'Failed to keep the subscription.' },
  cancelNow: { done: 'Subscription cancelled', failed: 'Failed to cancel the subscription.' },
  change: { done: 'Product changed', failed: 'Failed to change the product.' },
  price: { done: 'Price changed', failed: 'Failed to change the price.' },
} as const

const NewSubscriptionForm = z.object({
  clientId: formId('Client is required'),
  productId: formId('Product is required'),
})
const PriceForm = ById.extend({ amount: dollars('Amount is required') })

const ChangeForm = ById.extend({
  productId: formId('Product is required'),
  when: z.enum(['now', 'next']),
  /** The time of the preview. */
  at: z.coerce.number().int().default(0),
})

const toDetails = ({ page }: { page: string }, id: number): string =>
  subscriptionsUrl.href(subscriptionsUrl.parse(page), {
    dialog: 'subscription',
    subscription: id,
    clientSearch: '',
    product: null,
  })

/** Changes at Stripe run outside of a transaction. */
export const action = publicFormActions(
  messages,
  {
    create: {
      schema: NewSubscriptionForm,
      run: async (context, input, request) => {
        context.coach()
        const id = await context.write((ctx) => createSubscription(ctx, input))
        return success({ to: toDetails(request, id) })
      },
    },
    send: {
      schema: ById,
      run: (context, { id }) => context.write((ctx) => sendOffer(ctx, id)),
      to: ({ page }) => page,
    },
    withdraw: { schema: ById, run: (context, { id }) => withdrawOffer(context.coach(), id) },
    pause: { schema: ById, run: (context, { id }) => pauseSubscription(context.coach(), id), to: ({ page }) => page },
    resume: { schema: ById, run: (context, { id }) => resumeSubscription(context.coach(), id), to: ({ page }) => page },
    keep: { schema: ById, run: (context, { id }) => keepSubscription(context.coach(), id), to: ({ page }) => page },
    end: {
      schema: ById,
      run: async (context, { id }, request) => {
        await cancelAtPeriodEnd(context.coach(), id)
        return success({ to: toDetails(request, id) })
      },
    },
    cancelNow: {
      schema: ById,
      run: async (context, { id }, request) => {
        await cancelNow(context.coach(), id)
        return success({ to: toDetails(request, id) })
      },
    },
    change: {
      schema: ChangeForm,
      run: async (context, { id, ...choice }, request) => {
        await changeProduct(context.coach(), id, choice)
        return success({ to: toDetails(request, id) })
      },
    },
    price: {
      schema: PriceForm,
      run: async (context, { id, amount }, request) => {
        await changePrice(context.coach(), id, amount)
        return success({ to: toDetails(request, id) })
      },
    },
  },
  {
    home: subscriptionsUrl.href(),
    dialog: ['dialog', 'subscription', 'product', 'clientSearch'],
    authorize: (context) => void context.coach(),
  },
)

export const clientAction = formClientAction(messages)

const crumbs = [
  { label: 'Dashboard', to: '/dashboard' },
  { label: 'Payments', to: '/payments' },
  { label: 'Subscriptions' },
]

export default function SubscriptionsPage() {
  const data = useLoaderData<typeof loader>()
  const { state, rows, count, isReady, client, tabs } = data
  const newLink = subscriptionsUrl.href(state, { dialog: 'new' })
  return (
    <Page
      title="Subscriptions"
      crumbs={crumbs}
      description={client && `Subscriptions of ${client.name}`}
      actions={
        <>
          {client && (
            <Link className="btn btn-ghost" to={subscriptionsUrl.href()}>
              <X className="i" />
              All clients
            </Link>
          )}
          {count > 0 && (
            <SecondaryLink icon={Download} to={subscriptionsUrl.href(state, { dialog: 'export' })} preventScrollReset>
              Export
            </SecondaryLink>
          )}
          {isReady && (
            <PrimaryLink icon={Plus} to={newLink} preventScrollReset>
              New Subscription
            </PrimaryLink>
          )}
        </>
      }
    >
      <div className="mb-6">
        <Tabs label="Payments" tabs={tabs.map((tab) => ({ ...tab, current: tab.to === '/payments/subscriptions' }))} />
      </div>
      {rows.length ? (
        <>
          <SubscriptionsTable state={state} rows={rows} />
          <PageSummary
            page={state.page}
            size={pageSize}
            rows={rows.length}
            count={count}
            to={(page) => subscriptionsUrl.href(state, { page })}
          />
        </>
      ) : (
        <div className="card">
          {isReady ? (
            <EmptyState
              title="No subscriptions yet"
              action={
                <ButtonLink variant="primary" icon={Plus} to={newLink} preventScrollReset>
                  New Subscription
                </ButtonLink>
              }
            >
              Choose a client and a product that is paid in installments or again and again, and send the link.
            </EmptyState>
          ) : (
            <EmptyState
              title="Card payments are not ready"
              action={<ButtonLink to="/settings/payments">Card payments</ButtonLink>}
            >
              Installments and subscriptions are charged to your clients’ cards through your Stripe account.
            </EmptyState>
          )}
        </div>
      )}
      <OpenDialog {...data} />
    </Page>
  )
}

type PageData = ReturnType<typeof useLoaderData<typeof loader>>

function SubscriptionsTable({ state, rows }: { state: PageData['state']; rows: SubscriptionListRow[] }) {
  const to = ({ id }: SubscriptionListRow) => subscriptionsUrl.href(state, { dialog: 'subscription', subscription: id })
  return (
    <Table
      label="Subscriptions"
      bordered
      rows={rows}
      getKey={({ id }) => id}
      columns={[
        {
          head: 'Product',
          cell: (row) => (
            <>
              <Link className="link block truncate font-semibold" to={to(row)} preventScrollReset>
                {row.product}
              </Link>
              <span className="block truncate text-sm text-ink-3">{`${row.clientName} · ${row.terms}`}</span>
            </>
          ),
          className: 'w-1/2 max-w-0',
        },
        {
          head: 'Paid',
          cell: ({ progress, next }) => (
            <>
              <span className="block">{progress}</span>
              <span className="block text-sm text-ink-3">{next}</span>
            </>
          ),
        },
        { head: 'Status', cell: (row) => <StateBadge state={row.state} /> },
      ]}
      renderListItem={(row) => (
        <Link className="block py-3" to={to(row)} preventScrollReset>
          <span className="flex justify-between gap-3">
            <span className="min-w-0 flex-1 truncate text-md font-semibold">{row.product}</span>
            <StateBadge state={row.state} />
          </span>
          <span className="mt-1 block truncate text-sm text-ink-3">{`${row.clientName} · ${row.progress}`}</span>
          <span className="block truncate text-sm text-ink-3">{row.next}</span>
        </Link>
      )}
    />
  )
}

function OpenDialog({ state, dialog, newSubscription, subscription, change }: PageData) {
  if (newSubscription) return <NewSubscriptionDialog state={state} {...newSubscription} />
  if (dialog === 'export') return <ExportDialog state={state} />
  if (!dialog) return null
  if (!subscription)
    return <NotFoundDialog label="Subscription" kind="stripe_subscription" closeTo={subscriptionsUrl.href(state)} />
  const { id, can, product } = subscription
  if (dialog === 'cancel' && can.cancel) return <CancelDialog state={state} subscription={subscription} />
  if (dialog === 'change' && change) return <ChangeDialog state={state} subscription={subscription} change={change} />
  if (dialog === 'price' && can.changePrice) return <PriceDialog state={state} subscription={subscription} />
  if (dialog === 'withdraw' && can.withdraw)
    return (
      <ConfirmDialog
        title={`Withdraw ${product}?`}
        confirm="Withdraw"
        busyLabel="Withdrawing..."
        closeTo={subscriptionsUrl.href(state, { dialog: 'subscription', subscription: id })}
        fields={{ intent: 'withdraw', id: String(id) }}
      >
        The link no longer works for paying.
      </ConfirmDialog>
    )
  return <SubscriptionDetails state={state} subscription={subscription} />
}

export function ErrorBoundary() {
  return (
    <LoadErrorPage title="Subscriptions" crumbs={crumbs} heading="Failed to fetch subscriptions">
      Nothing is lost, and your clients’ payments go on. Try again in a moment.
    </LoadErrorPage>
  )
}
