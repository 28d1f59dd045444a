import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { NoInput, publicFormActions, success, type FormRequest } from '#modules/core/form-actions.server.ts'
import type { Ctx } from '#tenants/context.ts'
import { messages } from '../action-messages.ts'
import { getAccountCard } from '../contributions.ts'
import { countryCodes } from '../countries.ts'
import { getRequestOrigin } from '../request-origin.ts'
import { beginOnboarding, continueOnboarding, disconnect, syncAccount } from '../services/connect.ts'
import { describeFailure } from '../status.ts'
import { StripeError } from '../vendor/errors.ts'
import StripeAccountCard from '../widgets/stripe-account.tsx'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Card payments')

const page = '/settings/payments'
const onboardingPage = '/onboarding?step=3'
/** Forms of the onboarding lead back there. */
const isFromOnboarding = (form: FormData): boolean => form.get('from') === 'onboarding'
const toPage = ({ form }: FormRequest): string => (isFromOnboarding(form) ? onboardingPage : page)

/** Coming back from Stripe proves nothing, so Stripe is asked. A coach whose link has ended gets the next one. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { searchParams } = new URL(request.url)
  const landing = ctx.platform.config.stripe ? searchParams.get('stripe') : null
  const isOnboarding = searchParams.get('from') === 'onboarding'
  if (landing === 'returned') await syncAccount(ctx).catch(ignoreFailure)
  const options = { origin: getRequestOrigin(context), isOnboarding }
  const next = landing === 'continue' ? await continueOnboarding(ctx, options) : null
  if (next) throw redirect(next)
  if (isOnboarding) throw redirect(onboardingPage)
  return { card: await getAccountCard(ctx) }
}

/** Its state is asked for again, by an event or by the coach. */
function ignoreFailure(error: unknown): void {
  if (!(error instanceof StripeError)) throw error
}

const ConnectForm = z.object({ country: z.enum(countryCodes).optional().catch(undefined) })

/** Without a transaction of their own, since they call Stripe. */
export const action = publicFormActions(
  messages,
  {
    connect: {
      schema: ConnectForm,
      isButton: true,
      to: toPage,
      run: async (context, { country }, { form }) =>
        success({
          to: await beginOnboarding(context.coach(), {
            country,
            origin: getRequestOrigin(context),
            isOnboarding: isFromOnboarding(form),
          }),
        }),
    },
    check: { schema: NoInput, to: toPage, run: (context) => checkAccount(context.coach()) },
    disconnect: { schema: NoInput, to: toPage, run: (context) => context.write(disconnect) },
  },
  { home: page, authorize: (context) => void context.coach() },
)

async function checkAccount(ctx: Ctx): Promise<void> {
  await syncAccount(ctx).catch((error: unknown) => {
    if (error instanceof StripeError) throw new AppError('upstream_failed', describeFailure(error))
    throw error
  })
}

export const clientAction = formClientAction(messages)

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

const crumbs = [{ label: 'Settings', to: '/settings' }, { label: 'Card payments' }]

export default function StripeSettingsPage() {
  const { card } = useLoaderData<typeof loader>()
  return (
    <Page title="Card payments" crumbs={crumbs}>
      <div className="grid max-w-[48rem] gap-6">
        <StripeAccountCard data={card} />
      </div>
    </Page>
  )
}
