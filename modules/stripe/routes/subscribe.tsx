import { data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { formatMoney } from '#app/lib/money.ts'
import { formatDate } from '#app/lib/time.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { findReadyAccount } from '../queries/account.ts'
import { isOutdated } from '../subscriptions/checkout.ts'
import { openSubscriptionLink } from '../subscriptions/link.server.ts'
import { describeProgress, describeTerms, getAmounts } from '../subscriptions/terms.ts'

/** Plain HTML. */
export const handle = { scripts: false }

export const meta: MetaFunction = ({ matches }) => [
  ...pageTitle(matches, 'Subscription'),
  { name: 'robots', content: 'noindex' },
]

/** Shows the terms that a client is asked to agree to, and how it stands afterwards. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const token = params.token ?? ''
  const link = await openSubscriptionLink(context, token)
  if (!link) return data({ offer: null }, { status: 404 })
  const { ctx, subscription } = link
  const { state, parts, nextChargeAt, currency } = subscription
  const isOwned = subscription.clientId !== null || subscription.buyerEmail !== null
  const isPayable =
    state === 'offered' && isOwned && !isOutdated(ctx, subscription) && (await findReadyAccount(ctx)) !== null
  return data({
    offer: {
      state,
      product: subscription.productName,
      sender: context.tenant!.name,
      email: ctx.account.email,
      terms: describeTerms(subscription),
      total: parts === null ? null : formatMoney(subscription.amount, currency),
      progress: describeProgress(subscription),
      nextCharge: nextChargeAt && formatDate(nextChargeAt, ctx.account.timezone),
      pay: isPayable
        ? { action: `/subscribe/${token}/pay`, label: `Pay ${formatMoney(getAmounts(subscription).first, currency)}` }
        : null,
    },
  })
}

export default function SubscribePage() {
  const { offer } = useLoaderData<typeof loader>()
  if (!offer)
    return (
      <div className="mx-auto max-w-[40rem] px-gutter pt-8 sm:pt-14">
        <h1 className="font-serif text-4xl text-balance">This link doesn’t work here</h1>
        <p className="mt-3 text-ink-2">
          The link is incomplete or was changed. Open it from the email again, or copy all of it.
        </p>
      </div>
    )
  const { state, product, sender, email, terms, total, progress, nextCharge, pay } = offer
  return (
    <div className="mx-auto max-w-[40rem] px-gutter pt-8 sm:pt-14">
      <h1 className="font-serif text-4xl wrap-anywhere text-balance">{product}</h1>
      <p className="mt-2 text-ink-2">from {sender}</p>
      <div className="card mt-6 grid gap-3 p-5">
        <p className="font-semibold">{terms}</p>
        {total && <p className="text-ink-2">{total} in total</p>}
        {state === 'offered' ? (
          <p className="text-ink-2">
            {total
              ? 'The first installment is charged today, the others to the same card. It ends after the last one.'
              : 'The first payment is charged today, the others to the same card until it is cancelled.'}
          </p>
        ) : (
          <>
            <p className="text-ink-2" role="status">
              {texts[state]}
            </p>
            <p className="text-ink-2">{progress}</p>
            {nextCharge && <p className="text-ink-2">The next payment is on {nextCharge}.</p>}
          </>
        )}
      </div>
      {pay ? (
        <form method="post" action={pay.action} className="mt-6">
          <button type="submit" className="btn btn-primary">
            {pay.label}
          </button>
        </form>
      ) : (
        state === 'offered' && (
          <p className="mt-6" role="status">
            Card payments are not available now. Ask {sender} how else you can pay.
          </p>
        )
      )}
      <p className="mt-6 text-ink-3">
        Questions?{' '}
        <a className="link hit wrap-anywhere" href={`mailto:${email}`}>
          Write to {sender}
        </a>
      </p>
    </div>
  )
}

const texts = {
  offered: '',
  active: 'Thank you. Your payments are set up.',
  paused: 'Your payments are paused.',
  past_due: 'Your last payment has failed. Stripe tries it again.',
  unpaid: 'Your last payment has failed.',
  completed: 'Everything is paid. Thank you.',
  cancelled: 'This has ended. Nothing more is charged.',
  withdrawn: 'This is no longer offered.',
}
