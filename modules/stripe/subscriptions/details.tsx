import { Form, useNavigation } from '@remix-run/react'
import { amountHint } from '#app/lib/currencies.ts'
import type { Fields } from '#app/lib/fields.ts'
import { Button, HistoryLink } from '#app/ui/components/button.tsx'
import { CopyButton } from '#app/ui/components/copy-button.tsx'
import { useCurrency } from '#app/ui/components/currency.ts'
import { Dialog, DialogActions, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { FormError, TextField } from '#app/ui/forms/field.tsx'
import { useFetcherForm } from '#app/ui/forms/use-server-form.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { subscriptionsUrl, type SubscriptionListState } from './list-state.ts'
import type { SubscriptionView } from './loader.server.ts'
import { StateBadge } from './state-badge.tsx'

type Props = { state: SubscriptionListState; subscription: SubscriptionView }

/** A subscription beside the list: how it stands, its charges, and the actions that it allows. */
export function SubscriptionDetails({ state, subscription }: Props) {
  const { id, clientId, clientName, product, terms, progress, next, url, charges, can } = subscription
  const to = (dialog: 'price' | 'change' | 'cancel' | 'withdraw') =>
    subscriptionsUrl.href(state, { dialog, subscription: id })
  return (
    <Dialog position="side" title={product} closeTo={subscriptionsUrl.href(state)}>
      <DialogBody>
        <p className="mb-4 flex flex-wrap items-center gap-3">
          <StateBadge state={subscription.state} />
          {clientId === null ? (
            <span>{clientName}</span>
          ) : (
            <Link className="link min-w-0 truncate" to={`/clients/${clientId}`}>
              {clientName}
            </Link>
          )}
          <span className="ml-auto">
            <HistoryLink kind="stripe_subscription" id={id} />
          </span>
        </p>
        <div className="grid gap-1">
          <p className="font-semibold wrap-anywhere">{terms}</p>
          <p className="text-ink-2">{progress}</p>
          <p className="text-ink-2">{next}</p>
        </div>
        {url && (
          <div className="mt-4">
            <a className="link hit text-sm" href={url} target="_blank" rel="noreferrer">
              The client’s page
            </a>
            <span className="mt-1.5 flex min-w-0 gap-2">
              <input
                className="input min-w-0 flex-1"
                readOnly
                aria-label="Link for the client"
                value={url}
                onFocus={(event) => event.currentTarget.select()}
              />
              <CopyButton text={url} />
            </span>
          </div>
        )}
        {charges.length > 0 && (
          <section className="mt-6" aria-label="Payments of this subscription">
            <h3 className="h2 mb-2">Payments</h3>
            <ul className="rows border-y border-line-soft">
              {charges.map((charge) => (
                <li key={charge.id} className="flex justify-between gap-3 py-2.5">
                  <span className="min-w-0">
                    {charge.invoiceId === null ? (
                      charge.label
                    ) : (
                      <Link className="link hit" to={`/payments?dialog=invoice&invoice=${charge.invoiceId}`}>
                        {charge.label}
                      </Link>
                    )}
                  </span>
                  <span className="num font-medium">{charge.amount}</span>
                </li>
              ))}
            </ul>
          </section>
        )}
        <DialogActions>
          {can.withdraw && <DialogLink to={to('withdraw')}>Withdraw</DialogLink>}
          {can.cancel && <DialogLink to={to('cancel')}>Cancel</DialogLink>}
          {can.changeProduct && <DialogLink to={to('change')}>Change Product</DialogLink>}
          {can.changePrice && <DialogLink to={to('price')}>Change Price</DialogLink>}
          {can.keep && <ActionButton intent="keep" id={id} label="Keep It" />}
          {can.pause && <ActionButton intent="pause" id={id} label="Pause" />}
          {can.resume && <ActionButton intent="resume" id={id} label="Resume" isPrimary />}
          {can.send && <ActionButton intent="send" id={id} label="Email the Link" isPrimary />}
        </DialogActions>
      </DialogBody>
    </Dialog>
  )
}

const DialogLink = ({ to, children }: { to: string; children: string }) => (
  <Link className="btn btn-secondary" to={to} preventScrollReset>
    {children}
  </Link>
)

type ActionProps = { intent: string; id: number; label: string; isPrimary?: boolean }

function ActionButton({ intent, id, label, isPrimary = false }: ActionProps) {
  const { formData } = useNavigation()
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="id" value={id} />
      <Button
        type="submit"
        variant={isPrimary ? 'primary' : 'secondary'}
        busy={formData?.get('intent') === intent}
        busyLabel={label}
      >
        {label}
      </Button>
    </Form>
  )
}

/** Asks when a subscription is to end. */
export function CancelDialog({ state, subscription: { id, product, clientName, can } }: Props) {
  return (
    <Dialog
      title={`Cancel ${product}?`}
      closeTo={subscriptionsUrl.href(state, { dialog: 'subscription', subscription: id })}
    >
      <DialogBody>
        <p className="wrap-anywhere text-ink-2">
          Nothing more is charged to {clientName}. What was paid stays paid; refund it on its invoice.
        </p>
        <DialogActions>
          {!can.keep && <ActionButton intent="end" id={id} label="At the End of the Period" />}
          <ActionButton intent="cancelNow" id={id} label="Cancel Now" isPrimary />
        </DialogActions>
      </DialogBody>
    </Dialog>
  )
}

const priceFields = {
  amount: { kind: 'cents', label: 'New price', required: 'Amount is required' },
} as const satisfies Fields

export function PriceDialog({ state, subscription: { id, product, amount } }: Props) {
  const currency = useCurrency()
  const { form, fields, busy, fetcher } = useFetcherForm(priceFields, {
    id: 'subscription-price',
    intent: 'price',
    values: { amount },
  })
  return (
    <Dialog
      title={`Price of ${product}`}
      closeTo={subscriptionsUrl.href(state, { dialog: 'subscription', subscription: id })}
    >
      <DialogBody>
        <fetcher.Form
          method="post"
          action={subscriptionsUrl.href(state, { dialog: 'price', subscription: id })}
          {...form.props}
          className="mt-1 grid gap-4"
          preventScrollReset
        >
          <input type="hidden" name="intent" value="price" />
          <input type="hidden" name="id" value={id} />
          <FormError id={form.errorId} errors={form.errors} />
          <TextField field={fields.amount} hint={amountHint(currency)} inputMode="decimal" autoComplete="off" />
          <p className="text-sm text-ink-3">It applies from the next charge on. Tell your client before.</p>
          <DialogSubmit busy={busy}>Change Price</DialogSubmit>
        </fetcher.Form>
      </DialogBody>
    </Dialog>
  )
}
