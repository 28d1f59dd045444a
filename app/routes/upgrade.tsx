import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useActionData, useLoaderData, useNavigation, useRouteLoaderData } from '@remix-run/react'
import { Check, Info } from 'lucide-react'
import { z } from 'zod'
import { revalidates } from '#app/lib/should-revalidate.ts'
import { submit } from '#app/lib/form-submission.ts'
import type { loader as shellLoader } from '#app/shell/layout.tsx'
import { offers } from '#app/marketing/pricing.ts'
import { Badge } from '#app/ui/components/badge.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { titled } from '#app/ui/components/branding.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { Progress } from '#app/ui/components/progress.tsx'
import { useToastOf } from '#app/ui/components/toast.tsx'
import { keepTyped } from '#app/ui/forms/offline-action.ts'
import { startTrial } from '#tenants/accounts/accounts.ts'

export const meta: MetaFunction = ({ matches }) => titled(matches, 'Upgrade Plan')

export function loader({ context }: LoaderFunctionArgs) {
  const { account, plan } = context.coach()
  const trialEnds = account.trialEndsAt && new Date(account.trialEndsAt) > context.now() ? account.trialEndsAt : null
  return {
    plan,
    canTry: plan === 'free' && !account.trialUsed,
    trialEnds:
      trialEnds &&
      new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: account.timezone }).format(new Date(trialEnds)),
  }
}

export function action({ request, context }: ActionFunctionArgs) {
  context.coach()
  return submit(request, z.object({}), () => context.write((ctx) => startTrial(ctx)), {
    toast: 'Your 14 days of Pro have begun.',
  })
}

export const clientAction = keepTyped({ '': 'The trial has not begun. Please try again.' })

export { revalidates as shouldRevalidate }

export default function Upgrade() {
  const { plan, canTry, trialEnds } = useLoaderData<typeof loader>()
  const usage = useRouteLoaderData<typeof shellLoader>('shell')?.usage
  const busy = useNavigation().formData !== undefined
  useToastOf(useActionData<typeof action>())
  return (
    <Page
      title="Upgrade Plan"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Upgrade Plan' }]}
      sentence={
        trialEnds
          ? `You are trying Pro until ${trialEnds}. After that you are on Free, and nothing is deleted.`
          : undefined
      }
    >
      {usage && (
        <div className="card mb-6 flex flex-wrap items-center gap-x-6 gap-y-2 px-5 py-4">
          <span className="font-medium">
            {usage.limit === null
              ? `${usage.clients} ${usage.clients === 1 ? 'client' : 'clients'}, no limit`
              : `${usage.clients} of ${usage.limit} ${usage.limit === 1 ? 'client' : 'clients'}`}
          </span>
          {usage.limit !== null && (
            <Progress
              value={(usage.clients / usage.limit) * 100}
              label={`${usage.clients} of ${usage.limit} clients`}
              className="min-w-40 flex-1"
            />
          )}
          {usage.limit !== null && usage.clients >= usage.limit && (
            <span className="w-full text-sm text-ink-3">
              Your plan is full. Clients you have stay readable and editable; to add more, archive some or move to a
              larger plan.
            </span>
          )}
        </div>
      )}
      <div className="grid gap-px overflow-hidden rounded-xl border border-line bg-line lg:grid-cols-3">
        {offers.map((offer) => {
          const current = offer.plan === plan
          return (
            <section key={offer.plan} aria-label={offer.title} className="flex flex-col bg-surface p-6">
              <div className="flex items-center gap-2.5">
                <h2 className="text-lg font-semibold">{offer.title}</h2>
                {current && (
                  <Badge tone="brand" plain>
                    {trialEnds ? 'Free trial' : 'Your plan'}
                  </Badge>
                )}
              </div>
              <p className="mt-3 flex items-baseline gap-1.5">
                <span className="num font-serif text-4xl">{offer.price}</span>
                <span className="text-ink-3">per month</span>
              </p>
              <p className="mt-1 text-ink-3">{offer.forWhom}</p>
              <ul className="mb-2 mt-6 grid gap-2.5">
                {offer.includes.map((line) => (
                  <li key={line} className="flex gap-2.5">
                    <Check className="i mt-0.5 text-brand-text" />
                    <span>{line}</span>
                  </li>
                ))}
              </ul>
              {offer.plan === 'pro' && canTry && (
                <Form method="post" className="mt-auto pt-6">
                  <Button type="submit" variant="primary" className="w-full" busy={busy} busyLabel="Starting...">
                    Try Pro for 14 days
                  </Button>
                  <p className="mt-2 text-sm text-ink-3">Once, without a card.</p>
                </Form>
              )}
            </section>
          )
        })}
      </div>
      <p className="note mt-6">
        <Info className="i" />
        <span>
          Paying by card is not connected yet. To move to Pro or Premium, get in touch with the people who gave you this
          account: they switch your plan, and it counts at once. A smaller plan never deletes anything.
        </span>
      </p>
    </Page>
  )
}
