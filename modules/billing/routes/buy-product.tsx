import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { FormError, TextField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import type { PaymentPlan } from '../payment-provider.ts'
import { buyerFields } from '../sales/fields.ts'
import { buyAction, loadProductPage } from '../sales/online-sale.server.ts'

/** Plain HTML. */
export const handle = { scripts: false }

export const meta: MetaFunction<typeof loader> = ({ matches, data }) => pageTitle(matches, data?.product.name)

export const loader = ({ params, context }: LoaderFunctionArgs) => loadProductPage(context, params.product ?? '')

export const action = buyAction

export default function BuyProductPage() {
  const { product, plan, signature, coach } = useLoaderData<typeof loader>()
  const { name, description, price, details } = product
  return (
    <div className="mx-auto max-w-[44rem] px-gutter pt-6 sm:pt-10">
      <h1 className="font-serif text-4xl text-balance wrap-anywhere">{name}</h1>
      <p className="mt-3 flex flex-wrap items-baseline gap-x-3">
        <span className="num text-xl font-semibold">{price}</span>
        {details && <span className="text-ink-3">{details}</span>}
      </p>
      {description && <p className="prose-serif mt-4 whitespace-pre-line text-ink-2 wrap-anywhere">{description}</p>}
      {signature === null ? (
        <p className="mt-8">
          This can’t be bought online at the moment.{' '}
          <a className="link hit wrap-anywhere" href={`mailto:${coach.email}`}>
            Write to {coach.name}
          </a>{' '}
          to buy it.
        </p>
      ) : (
        <>
          {plan && <Plan plan={plan} />}
          <BuyForm signature={signature} price={plan?.first ?? price} />
          <p className="mt-6 text-ink-3">
            Questions?{' '}
            <a className="link hit wrap-anywhere" href={`mailto:${coach.email}`}>
              Write to {coach.name}
            </a>
          </p>
        </>
      )}
    </div>
  )
}

/** The charges before they are agreed to. */
function Plan({ plan: { parts, more, total, note } }: { plan: PaymentPlan }) {
  return (
    <section aria-labelledby="plan-title" className="mt-8">
      <h2 id="plan-title" className="h2">
        What you pay
      </h2>
      <dl className="mt-3 max-w-sm">
        {parts.map(({ when, amount }) => (
          <div key={when} className="flex justify-between gap-4 border-b border-line-soft py-2">
            <dt>{when}</dt>
            <dd className="num">{amount}</dd>
          </div>
        ))}
        {more && (
          <div className="border-b border-line-soft py-2 text-ink-2">
            <dt className="sr-only">Later</dt>
            <dd>{more}</dd>
          </div>
        )}
        {total && (
          <div className="flex justify-between gap-4 py-2 font-semibold">
            <dt>In total</dt>
            <dd className="num">{total}</dd>
          </div>
        )}
      </dl>
      {note && <p className="mt-2 text-ink-2">{note}</p>}
    </section>
  )
}

function BuyForm({ signature, price }: { signature: string; price: string }) {
  const { form, fields, submitted } = useServerForm(buyerFields, { id: 'buy', intent: 'buy' })
  const sentSignature = submitted?.signature
  return (
    <Form method="post" reloadDocument {...form.props} className="mt-8 grid gap-4 rounded-2xl border border-line p-6">
      <input type="hidden" name="intent" value="buy" />
      <input
        type="hidden"
        name="signature"
        value={typeof sentSignature === 'string' && form.errors === undefined ? sentSignature : signature}
      />
      <FormError id={form.errorId} errors={form.errors} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField field={fields.name} autoComplete="name" />
        <TextField field={fields.email} type="email" autoComplete="email" hint="Your receipt goes there" />
      </div>
      <div hidden>
        <label htmlFor="buy-website">Website</label>
        <input id="buy-website" name="website" tabIndex={-1} autoComplete="off" />
      </div>
      <Button type="submit" variant="primary" size="lg" className="justify-self-start max-sm:w-full">
        {`Pay ${price}`}
      </Button>
      <p className="text-sm text-ink-3">You enter your card on the next page, at Stripe.</p>
    </Form>
  )
}
