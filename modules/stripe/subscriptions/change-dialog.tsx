import { Form, useNavigation } from '@remix-run/react'
import { Button } from '#app/ui/components/button.tsx'
import { Dialog, DialogActions, DialogBody } from '#app/ui/components/dialog.tsx'
import { subscriptionsUrl, type SubscriptionListState } from './list-state.ts'
import type { ChangeView, SubscriptionView } from './loader.server.ts'

type Props = { state: SubscriptionListState; subscription: SubscriptionView; change: ChangeView }

/** Chooses another product for a subscription, and says what the client pays before anything changes. */
export function ChangeDialog({
  state,
  subscription: { id, product, clientName },
  change: { products, chosen },
}: Props) {
  const { client, page } = state
  return (
    <Dialog
      title={`Change ${product}`}
      closeTo={subscriptionsUrl.href(state, { dialog: 'subscription', subscription: id })}
    >
      <DialogBody>
        {products.length ? (
          <Form method="get" className="grid gap-4" preventScrollReset replace>
            <input type="hidden" name="dialog" value="change" />
            <input type="hidden" name="subscription" value={id} />
            {client !== null && <input type="hidden" name="client" value={client} />}
            {page > 1 && <input type="hidden" name="page" value={page} />}
            <div>
              <label className="label" htmlFor="change-product">
                New product
              </label>
              <select
                id="change-product"
                name="product"
                className="input select"
                key={chosen?.id ?? 'none'}
                defaultValue={chosen?.id ?? products[0]!.value}
              >
                {products.map(({ value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            </div>
            <DialogActions>
              <Button type="submit" variant={chosen ? 'secondary' : 'primary'}>
                Show What {clientName} Pays
              </Button>
            </DialogActions>
          </Form>
        ) : (
          <p className="text-ink-2">There is no other recurring product that is paid as often.</p>
        )}
        {chosen && <Chosen id={id} chosen={chosen} clientName={clientName} />}
      </DialogBody>
    </Dialog>
  )
}

type Chosen = NonNullable<ChangeView['chosen']>

function Chosen({ id, chosen, clientName }: { id: number; chosen: Chosen; clientName: string }) {
  const { name, price, next, now, failure } = chosen
  return (
    <section aria-labelledby="change-title" className="mt-6 border-t border-line-soft pt-4">
      <h3 id="change-title" className="h2 wrap-anywhere">
        {name}
      </h3>
      {failure && <p role="alert">{failure}</p>}
      <p className="mt-2">
        {next ? `With the next charge: ${price} from ${next} on, nothing before.` : `With the next charge: ${price}.`}
      </p>
      <p className="mt-2">
        {now
          ? `Now: ${clientName} pays ${now.due} at once for the rest of this period, then ${price}.`
          : 'It can’t begin now, because there is nothing to charge for the rest of this period.'}
      </p>
      <p className="mt-2 text-sm text-ink-3">Agree on it with your client first.</p>
      <DialogActions>
        {now && <ChangeButton id={id} chosen={chosen} when="now" label={`Change Now, ${now.due}`} />}
        <ChangeButton id={id} chosen={chosen} when="next" label="With the Next Charge" />
      </DialogActions>
    </section>
  )
}

type ButtonProps = { id: number; chosen: Chosen; when: 'now' | 'next'; label: string }

function ChangeButton({ id, chosen, when, label }: ButtonProps) {
  const { formData } = useNavigation()
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="intent" value="change" />
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="productId" value={chosen.id} />
      <input type="hidden" name="when" value={when} />
      {chosen.now && <input type="hidden" name="at" value={chosen.now.at} />}
      <Button type="submit" variant={when === 'next' ? 'primary' : 'secondary'} busy={formData?.get('when') === when}>
        {label}
      </Button>
    </Form>
  )
}
