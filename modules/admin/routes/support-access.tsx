import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData, useNavigation } from '@remix-run/react'
import { formatDateTime } from '#app/lib/time.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { FormError, SelectField, TextField } from '#app/ui/forms/field.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { formActions, NoInput } from '#modules/core/form-actions.server.ts'
import { supportGrantFields } from '../fields.ts'
import { NewSupportGrant } from '../forms.ts'
import { supportAccessPath } from '../list-state.ts'
import { isCurrent, listSupportGrants } from '../queries/support-access.ts'
import { allowSupport, endSupportGrant } from '../services/support-grants.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Support Access')

const shownGrants = 10

export async function loader({ context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const rows = await listSupportGrants(ctx, shownGrants)
  const format = (instant: string) => formatDateTime(instant, ctx.account)
  const grants = rows.map((grant) => ({
    id: grant.id,
    reason: grant.reason,
    from: format(grant.createdAt),
    until: format(grant.endedAt ?? grant.expiresAt),
    isCurrent: isCurrent(grant, ctx.now()),
  }))
  return { current: grants.find((grant) => grant.isCurrent) ?? null, past: grants.filter((grant) => !grant.isCurrent) }
}

const messages = {
  allow: { done: 'Support may read your practice now.', failed: 'Failed to allow support access. Please try again.' },
  end: { done: 'Support access has ended', failed: 'Failed to end support access. Please try again.' },
}

export const action = formActions(
  messages,
  {
    allow: {
      schema: NewSupportGrant,
      run: (ctx, input, { context }) => allowSupport(ctx, input, context.requestContext),
    },
    end: { schema: NoInput, run: (ctx, _input, { context }) => endSupportGrant(ctx, context.requestContext) },
  },
  { home: supportAccessPath },
)

export const clientAction = formClientAction(messages)

type Data = ReturnType<typeof useLoaderData<typeof loader>>

export default function SupportAccessPage() {
  const { current, past } = useLoaderData<typeof loader>()
  return (
    <Page
      title="Support Access"
      crumbs={[{ label: 'Settings', to: '/settings' }, { label: 'Support Access' }]}
      description="Let support look at your practice, to help you. Without your consent nobody sees inside."
    >
      <div className="grid max-w-[48rem] grid-cols-[minmax(0,1fr)] gap-6">
        {current ? <CurrentGrant grant={current} /> : <AllowForm />}
        <p className="text-sm text-ink-3">
          Support can open every page but those about your account, security, API keys and exports, and can’t change
          anything. You get an email when it begins. Every page that is opened is listed on the{' '}
          <Link className="link" to="/security">
            Security page
          </Link>
          .
        </p>
        {past.length > 0 && <PastGrants grants={past} />}
      </div>
    </Page>
  )
}

function CurrentGrant({ grant: { until, reason } }: { grant: NonNullable<Data['current']> }) {
  const busy = useNavigation().formData?.get('intent') === 'end'
  return (
    <Card title="Support may read your practice">
      <div className="grid gap-4 border-t border-line-soft px-5 py-5">
        <p className="text-ink-2">Until {until}.</p>
        <p className="wrap-anywhere text-ink-2">For: {reason}</p>
        <Form method="post" preventScrollReset>
          <Button type="submit" name="intent" value="end" busy={busy} busyLabel="Ending...">
            End Now
          </Button>
        </Form>
      </div>
    </Card>
  )
}

function AllowForm() {
  const { form, fields, busy } = useServerForm(supportGrantFields, {
    id: 'support-access',
    intent: 'allow',
    values: { hours: '24' },
  })
  return (
    <Card title="Allow support access">
      <Form method="post" {...form.props} className="grid gap-4 border-t border-line-soft px-5 py-5" preventScrollReset>
        <input type="hidden" name="intent" value="allow" />
        <FormError id={form.errorId} errors={form.errors} />
        <TextField field={fields.reason} hint="For example: an invoice that can’t be sent." />
        <SelectField field={fields.hours} hint="It ends by itself then. You can end it before." />
        <div className="flex justify-end">
          <Button type="submit" variant="primary" busy={busy} busyLabel="Allowing...">
            Allow Access
          </Button>
        </div>
      </Form>
    </Card>
  )
}

function PastGrants({ grants }: { grants: Data['past'] }) {
  return (
    <Card title="Earlier">
      <ul className="rows border-t border-line-soft">
        {grants.map(({ id, reason, from, until }) => (
          <li key={id} className="grid gap-1 px-5 py-3">
            <p className="wrap-anywhere">{reason}</p>
            <p className="text-sm text-ink-3">
              {from} to {until}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  )
}
