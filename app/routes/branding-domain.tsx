import { redirect, type AppLoadContext, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { Form, useLoaderData, useNavigation } from '@remix-run/react'
import { ExternalLink, Globe } from 'lucide-react'
import { formatDay, formatTime } from '#app/lib/time.ts'
import { DomainBadge } from '#app/shell/domain-badge.tsx'
import { Button, ButtonLink } from '#app/ui/components/button.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { CopyButton } from '#app/ui/components/copy-button.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { FormError, TextField } from '#app/ui/forms/field.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { PasswordField } from '#app/ui/forms/password-field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { NoInput, publicFormActions, success } from '#modules/core/form-actions.server.ts'
import { planIncludes } from '#tenants/accounts/plans.ts'
import { coachOrigin, getCustomDomain, subdomainOrigin } from '#tenants/config.ts'
import type { Ctx } from '#tenants/context.ts'
import { checkDomainNow, removeCustomDomain, setCustomDomain } from '#tenants/domains/custom-domain.ts'
import { domainFields } from '#tenants/domains/fields.ts'
import { DomainForm } from '#tenants/domains/forms.ts'
import { isApex } from '#tenants/domains/hostname.ts'
import { findCustomDomain, getDomainState, type CustomDomainRow } from '#tenants/domains/queries.ts'
import { describeProblem } from '#tenants/domains/texts.ts'
import { listAddressRecords, listDnsRecords } from '#tenants/domains/verify.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Your Domain')

const page = '/branding/domain'

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const domain = await findCustomDomain(ctx)
  const isRemoving = new URL(request.url).searchParams.get('dialog') === 'remove'
  if (isRemoving && !domain) throw redirect(page)
  const { subdomain } = ctx.account
  return {
    hasPlan: planIncludes(ctx.plan, 'custom-domain'),
    address: subdomain && new URL(subdomainOrigin(context.config, subdomain)).host,
    domain: domain && (await describeDomain(ctx, domain)),
    isRemoving,
    isHere: context.tenant !== null && getCustomDomain(context.tenant) !== null,
  }
}

async function describeDomain(ctx: Ctx, domain: CustomDomainRow) {
  const { platform, account } = ctx
  const { hostname, problem, checkedAt, nextCheckAt } = domain
  const state = getDomainState(domain)
  const needsRecords = state !== 'connected'
  const isBare = await isApex(hostname)
  const time = (at: string) => `${formatDay(at, ctx.now(), account.timezone)}, ${formatTime(at, account)}`
  const [proof, route] = listDnsRecords(platform.config, domain)
  return {
    hostname,
    url: coachOrigin(platform.config, account),
    state,
    problem: problem && describeProblem(problem),
    proof,
    route,
    addresses: isBare && needsRecords ? await listAddressRecords(platform.dns, platform.config, hostname) : [],
    isBare,
    checked: checkedAt && time(checkedAt),
    nextCheck: nextCheckAt && time(nextCheckAt),
  }
}

const messages = {
  'add-domain': { done: 'Domain added', failed: 'Failed to add the domain. Please try again.' },
  'check-domain': { done: null, failed: { title: 'The domain was not checked', text: 'Please try again.' } },
  'remove-domain': { done: 'Domain removed', failed: 'Failed to remove the domain. Please try again.' },
}

/** Without a transaction of the route: DNS may take long, and must not hold one open. */
export const action = publicFormActions(
  messages,
  {
    'add-domain': {
      schema: DomainForm,
      to: () => page,
      run: ({ write, requestContext }, input) => write((ctx) => setCustomDomain(ctx, input, requestContext)),
    },
    'check-domain': {
      schema: NoInput,
      to: () => page,
      run: async ({ coach }) => {
        const domain = await checkDomainNow(coach())
        const isConnected = getDomainState(domain) === 'connected' && !domain.problem
        if (isConnected) return success({ toast: { title: 'The domain is connected' } })
        const text = domain.problem ? describeProblem(domain.problem) : ''
        return success({ toast: { tone: 'error', title: 'The domain is not ready yet', text } })
      },
    },
    'remove-domain': {
      schema: NoInput,
      run: async (context) => {
        await context.write((ctx) => removeCustomDomain(ctx, context.requestContext))
        return success({ to: `${getRemainingOrigin(context)}${page}` })
      },
    },
  },
  { home: page, authorize: (context) => void context.coach() },
)

/** The host of the page stops with its domain: the subdomain goes on. */
function getRemainingOrigin({ tenant, config }: AppLoadContext): string {
  return tenant && getCustomDomain(tenant) ? subdomainOrigin(config, tenant.subdomain) : ''
}

export const clientAction = formClientAction(messages)

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

const crumbs = [
  { label: 'Dashboard', to: '/dashboard' },
  { label: 'Branding', to: '/branding' },
  { label: 'Your Domain' },
]
const bodyClass = 'grid gap-5 border-t border-line-soft px-5 py-5'

export default function DomainPage() {
  const { hasPlan, address, domain, isRemoving, isHere } = useLoaderData<typeof loader>()
  return (
    <Page title="Your Domain" crumbs={crumbs} description="Your practice at an address that is all yours.">
      <div className="grid max-w-[48rem] gap-6">
        {domain ? (
          <Domain domain={domain} hasPlan={hasPlan} address={address} />
        ) : (
          <Card title="Add a domain">
            <div className={bodyClass}>
              {!hasPlan ? <PlanNote /> : !address ? <AddressNote /> : <AddDomain address={address} />}
            </div>
          </Card>
        )}
      </div>
      {isRemoving && domain && (
        <ConfirmDialog
          title="Remove this domain?"
          confirm="Remove Domain"
          busyLabel="Removing..."
          closeTo={page}
          action={page}
          fields={{ intent: 'remove-domain' }}
        >
          <p>
            {domain.hostname} stops at once, and links that lead there no longer work. Your practice stays at {address}.
          </p>
          {isHere && <p className="mt-3">You are at this address now, so you sign in again at {address}.</p>}
        </ConfirmDialog>
      )}
    </Page>
  )
}

const PlanNote = () => (
  <p className="text-ink-2">
    A domain of your own is part of the Premium plan.{' '}
    <Link className="link" to="/upgrade">
      See the plans
    </Link>
  </p>
)

const AddressNote = () => (
  <p className="text-ink-2">
    Your domain leads to your web address: choose one on the{' '}
    <Link className="link" to="/branding">
      Branding page
    </Link>{' '}
    first.
  </p>
)

function AddDomain({ address }: { address: string }) {
  const { form, fields, busy } = useServerForm(domainFields, { id: 'domain', intent: 'add-domain', values: {} })
  return (
    <Form method="post" action={page} {...form.props} className="grid gap-5" preventScrollReset>
      <input type="hidden" name="intent" value="add-domain" />
      <FormError id={form.errorId} errors={form.errors} />
      <TextField
        field={fields.hostname}
        hint={`One that you own, such as coaching.example.com. Links to ${address} will lead there.`}
        inputMode="url"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
      />
      <PasswordField
        field={fields.currentPassword}
        hint="Your practice opens at this domain for everybody, so we ask who you are."
        autoComplete="current-password"
      />
      <div className="flex justify-end">
        <Button type="submit" variant="primary" busy={busy} busyLabel="Adding...">
          Add Domain
        </Button>
      </div>
    </Form>
  )
}

type DomainData = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>['domain']>

function Domain({ domain, hasPlan, address }: { domain: DomainData; hasPlan: boolean; address: string | null }) {
  const { hostname, url, state, problem, checked, nextCheck } = domain
  const isLive = hasPlan && (state === 'connected' || state === 'failing')
  return (
    <Card title={hostname} aside={<DomainBadge state={hasPlan ? state : 'paused'} />}>
      <div className={bodyClass}>
        {!hasPlan && (
          <p className="text-ink-2">
            The domain doesn’t lead to your practice: it is part of the Premium plan.{' '}
            <Link className="link" to="/upgrade">
              See the plans
            </Link>
          </p>
        )}
        {hasPlan && <p className="text-ink-2">{stateTexts[state]}</p>}
        {problem && (
          <p role="status" className="note wrap-anywhere">
            {problem}
          </p>
        )}
        {isLive && address && (
          <p className="text-sm text-ink-3 wrap-anywhere">
            Links to {address} lead to {hostname}.
          </p>
        )}
        <Records domain={domain} />
        <p className="text-sm text-ink-3">
          {checked ? `Last checked: ${checked}.` : 'Not checked yet.'} {nextCheck && `Next check: ${nextCheck}.`}
        </p>
        <div className="flex flex-wrap gap-2">
          {isLive && url && (
            <a className="btn btn-secondary" href={url} target="_blank" rel="noreferrer">
              <ExternalLink className="i" />
              Open
            </a>
          )}
          {hasPlan && <CheckNow />}
          <ButtonLink to={`${page}?dialog=remove`} variant="danger-ghost" preventScrollReset>
            Remove Domain
          </ButtonLink>
        </div>
      </div>
    </Card>
  )
}

const stateTexts: Record<DomainData['state'], string> = {
  waiting:
    'Add these records where you manage the DNS of your domain, often where you bought it. New records can take a few ' +
    'hours; we check again by ourselves and connect the domain when we find them.',
  connected: 'Your practice is at this address. Keep the records: we check them every day.',
  failing: 'Your practice is at this address, but the last check failed. After three failed days the domain stops.',
  stopped: 'Three checks in a row failed, so the domain stopped. Correct the records and check again.',
}

function CheckNow() {
  const isChecking = useNavigation().formData?.get('intent') === 'check-domain'
  return (
    <Form method="post" action={page} preventScrollReset>
      <input type="hidden" name="intent" value="check-domain" />
      <Button type="submit" icon={Globe} busy={isChecking} busyLabel="Checking...">
        Check Now
      </Button>
    </Form>
  )
}

type DnsRecord = { type: string; name: string; value: string }

function Records({ domain: { proof, route, addresses, isBare } }: { domain: DomainData }) {
  return (
    <div className="grid gap-3">
      <ul aria-label="DNS records" className="rows border-y border-line-soft">
        {[proof, ...(addresses.length ? addresses : [route])].map((record) => (
          <RecordItem key={`${record.type} ${record.value}`} record={record} />
        ))}
      </ul>
      {isBare && (
        <p className="text-sm text-ink-3 wrap-anywhere">
          {addresses.length
            ? `If your provider offers ALIAS, ANAME or a flattened CNAME, use it with ${route.value} instead: it also ` +
              'follows when the addresses change.'
            : `If your provider allows no CNAME here, use ALIAS or ANAME, or A records with the addresses of ${route.value}.`}
        </p>
      )}
    </div>
  )
}

function RecordItem({ record: { type, name, value } }: { record: DnsRecord }) {
  return (
    <li className="grid gap-x-4 gap-y-2 py-3 sm:grid-cols-[4.5rem_minmax(0,1fr)_auto] sm:items-center">
      <span className="font-semibold">{type}</span>
      <dl className="grid min-w-0 gap-1 text-sm">
        <div className="flex gap-2">
          <dt className="w-12 shrink-0 text-ink-3">Name</dt>
          <dd className="min-w-0 wrap-anywhere">{name}</dd>
        </div>
        <div className="flex gap-2">
          <dt className="w-12 shrink-0 text-ink-3">Value</dt>
          <dd className="min-w-0 wrap-anywhere">{value}</dd>
        </div>
      </dl>
      <CopyButton text={value} label="Copy Value" />
    </li>
  )
}
