import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData, useNavigation, useRouteLoaderData } from '@remix-run/react'
import { Info } from 'lucide-react'
import type { ReactNode } from 'react'
import type { LoadContext } from '#app/server/pages/load-context.ts'
import { getPlanPageName } from '#app/shell/shell-data.ts'
import type { loader as shellLoader } from '#app/shell/layout.tsx'
import { PlanCard } from '#app/marketing/plan-card.tsx'
import { pricingPlans } from '#app/marketing/pricing.ts'
import { Button } from '#app/ui/components/button.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { Progress } from '#app/ui/components/progress.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import type { PlanPayment } from '#modules/core/manifest.ts'
import { fillSlot } from '#modules/core/slots.ts'
import { formActions, NoInput } from '#modules/core/form-actions.server.ts'
import { startTrial } from '#tenants/accounts/accounts.ts'
import { planIncludes, plans } from '#tenants/accounts/plans.ts'
import { formatBytes } from '#tenants/storage.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data }) => pageTitle(matches, data?.name ?? 'Upgrade Plan')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { account, plan } = ctx
  const [storedBytes, [payment]] = await Promise.all([
    context.requestContext.platform.storageUsage.get(ctx),
    fillSlot(ctx, 'upgrade.payment'),
  ])
  const trialEnds = account.trialEndsAt && new Date(account.trialEndsAt) > context.now() ? account.trialEndsAt : null
  const selectedPlan = new URL(request.url).searchParams.get('plan')
  return {
    name: getPlanPageName(plans[plan].maxClients),
    plan,
    /** From the landing page, before registration. */
    selectedPlan: pricingPlans.find((offer) => offer.plan === selectedPlan)?.plan ?? null,
    storage: {
      used: formatBytes(storedBytes),
      limit: formatBytes(plans[plan].maxStorageBytes),
      percent: Math.floor((storedBytes / plans[plan].maxStorageBytes) * 1000) / 10,
    },
    payment: (payment?.data ?? null) as PlanPayment | null,
    support: getSupport(context),
    canTry: plan === 'free' && !account.trialUsed,
    trialEnds:
      trialEnds &&
      new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: account.timezone }).format(new Date(trialEnds)),
  }
}

/** On a host that must not name the platform, its support has no name. */
function getSupport({ config, tenant }: LoadContext): string {
  if (tenant && planIncludes(tenant.plan, 'white-label')) return 'support'
  return config.mailFrom ?? `${config.platformName} support`
}

const messages = {
  startTrial: {
    done: 'Your 14-day Pro trial has started.',
    failed: 'Failed to start the trial. Please try again.',
  },
}

export const action = formActions(
  messages,
  { startTrial: { schema: NoInput, run: startTrial, to: () => '/upgrade' } },
  { home: '/upgrade' },
)

export const clientAction = formClientAction(messages)

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export default function UpgradePage() {
  const { name, plan, selectedPlan, support, payment, canTry, trialEnds } = useLoaderData<typeof loader>()
  const busy = useNavigation().formData !== undefined
  return (
    <Page
      title={name}
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: name }]}
      description={
        payment?.status ??
        (trialEnds ? `Your Pro trial ends ${trialEnds}. You'll then move to Free. Nothing is deleted.` : undefined)
      }
      actions={
        payment?.canManage && (
          <ChoiceForm action={payment.action} choice="manage" variant="secondary">
            Manage Billing
          </ChoiceForm>
        )
      }
    >
      <Usage />
      <div className="grid gap-px overflow-hidden rounded-xl border border-line bg-line lg:grid-cols-3">
        {pricingPlans.map((offer) => (
          <PlanCard
            key={offer.plan}
            plan={offer}
            level="h2"
            badge={
              offer.plan === plan
                ? trialEnds
                  ? 'Free trial'
                  : 'Your plan'
                : offer.plan === selectedPlan
                  ? 'Your choice'
                  : undefined
            }
          >
            {offer.plan === 'pro' && canTry && (
              <Form method="post">
                <input type="hidden" name="intent" value="startTrial" />
                <Button type="submit" variant="primary" className="w-full" busy={busy} busyLabel="Starting...">
                  Try Pro for 14 days
                </Button>
                <p className="mt-2 text-sm text-ink-3">One-time trial. No card required.</p>
              </Form>
            )}
            {payment?.choices[offer.plan] && (
              <ChoiceForm
                action={payment.action}
                choice={offer.plan}
                variant={offer.plan === 'free' || (offer.plan === 'pro' && canTry) ? 'secondary' : 'primary'}
              >
                {payment.choices[offer.plan]}
              </ChoiceForm>
            )}
          </PlanCard>
        ))}
      </div>
      <p className="note mt-6">
        <Info className="i" />
        <span>
          {payment
            ? 'You pay by card at Stripe. Changes are prorated, and you can cancel at any time. '
            : `Stripe is not connected on this platform, so plans can’t be paid for here. To change yours, write to ${support}. `}
          Downgrading never deletes data.
        </span>
      </p>
    </Page>
  )
}

/** Leads to Stripe. Without scripts too: the whole page goes there. */
function ChoiceForm({
  action,
  choice,
  variant,
  children,
}: {
  action: string
  choice: string
  variant: 'primary' | 'secondary'
  children: ReactNode
}) {
  return (
    <Form method="post" action={action} reloadDocument>
      <input type="hidden" name="intent" value="pay" />
      <Button type="submit" name="choice" value={choice} variant={variant} className="w-full">
        {children}
      </Button>
    </Form>
  )
}

/** How much of the plan is used. */
function Usage() {
  const { storage } = useLoaderData<typeof loader>()
  const usage = useRouteLoaderData<typeof shellLoader>('shell')?.usage
  if (!usage) return null
  const { clients, limit } = usage
  return (
    <div className="card mb-6 flex flex-wrap items-center gap-x-6 gap-y-2 px-5 py-4">
      <span className="font-medium">
        {limit === null
          ? `${clients} ${clients === 1 ? 'client' : 'clients'} (unlimited)`
          : `${clients} of ${limit} ${limit === 1 ? 'client' : 'clients'}`}
      </span>
      {limit !== null && (
        <Progress
          value={(clients / limit) * 100}
          label={`${clients} of ${limit} clients`}
          className="min-w-40 flex-1"
        />
      )}
      <span className="basis-full" />
      <span className="font-medium">
        {storage.used} of {storage.limit} storage
      </span>
      <Progress
        value={storage.percent}
        label={`${storage.used} of ${storage.limit} storage`}
        className="min-w-40 flex-1"
      />
      {storage.percent >= 100 && (
        <span className="w-full text-sm text-ink-3">
          Your storage is full. To add or change records, upgrade or delete some and empty the trash.
        </span>
      )}
      {limit !== null && clients >= limit && (
        <span className="w-full text-sm text-ink-3">
          Your plan is full. To add another client, upgrade or archive someone you no longer see. Archived clients don't
          count toward your limit.
        </span>
      )}
    </div>
  )
}
