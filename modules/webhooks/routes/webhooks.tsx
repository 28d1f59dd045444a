import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { formatDateTime } from '#app/lib/time.ts'
import { Badge } from '#app/ui/components/badge.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { FormError } from '#app/ui/forms/field.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { formActions, success } from '#modules/core/form-actions.server.ts'
import { EndpointFields, getChosen } from '../components/endpoint-fields.tsx'
import { SecretCard } from '../components/secret-card.tsx'
import { endpointFields, maxEndpoints } from '../fields.ts'
import { EndpointForm } from '../forms.ts'
import { endpointUrl, webhooksPath } from '../list-state.ts'
import { listEndpoints } from '../queries/webhooks.ts'
import { createEndpoint } from '../services/endpoints.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Webhooks')

export async function loader({ context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const endpoints = await listEndpoints(ctx)
  return {
    endpoints: endpoints.map(({ id, url, events, failingSince, lastSuccessAt, disabledAt }) => ({
      id,
      url,
      events: events.length,
      state: disabledAt ? ('off' as const) : failingSince ? ('failing' as const) : ('on' as const),
      lastSuccess: lastSuccessAt && formatDateTime(lastSuccessAt, ctx.account),
    })),
    choices: ctx.extensions.publishedEvents.map(({ event, label }) => ({ name: event.name, label })),
  }
}

const messages = { create: { done: null, failed: 'Failed to add the webhook. Please try again.' } }

export const action = formActions(
  messages,
  {
    create: {
      schema: EndpointForm,
      run: async (ctx, input) => success({ data: await createEndpoint(ctx, input) }),
    },
  },
  { home: webhooksPath },
)

export const clientAction = formClientAction(messages)

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

type Data = ReturnType<typeof useLoaderData<typeof loader>>

export default function WebhooksPage() {
  const { endpoints } = useLoaderData<typeof loader>()
  const { secret } = useActionData<{ secret?: string }>() ?? {}
  return (
    <Page
      title="Webhooks"
      crumbs={[{ label: 'Settings', to: '/settings' }, { label: 'Webhooks' }]}
      description="Addresses of other programs that are called when something happens in your practice."
    >
      <div className="grid max-w-[48rem] grid-cols-[minmax(0,1fr)] gap-6">
        {secret && <SecretCard secret={secret} />}
        <Card title="Your webhooks">
          <EndpointList endpoints={endpoints} />
        </Card>
        {endpoints.length < maxEndpoints && (
          <Card title="Add a webhook">
            <NewEndpointForm key={secret} />
          </Card>
        )}
        <p className="text-sm text-ink-3">
          Calls are signed as{' '}
          <a className="link" href="https://www.standardwebhooks.com">
            Standard Webhooks
          </a>{' '}
          describe, and name records by their ids: ask the API for the records. A call that is not answered with a
          status of 200 to 299 within 10 seconds is repeated, eight times in 28 hours, always with the same{' '}
          <code>webhook-id</code>.
        </p>
      </div>
    </Page>
  )
}

const states = {
  on: { tone: 'success', label: 'On' },
  failing: { tone: 'warning', label: 'Failing' },
  off: { tone: 'neutral', label: 'Off' },
} as const

function EndpointList({ endpoints }: Pick<Data, 'endpoints'>) {
  if (!endpoints.length)
    return <p className="border-t border-line-soft px-5 py-5 text-ink-2">You have no webhooks yet.</p>
  return (
    <ul className="rows border-t border-line-soft">
      {endpoints.map(({ id, url, events, state, lastSuccess }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
          <div className="min-w-0 flex-1 basis-52">
            <Link className="link wrap-anywhere" to={endpointUrl(id).href()}>
              {url}
            </Link>
            <p className="text-sm text-ink-3">
              {events === 1 ? 'One event' : `${events} events`}.{' '}
              {lastSuccess ? `Last taken ${lastSuccess}.` : 'Nothing was taken yet.'}
            </p>
          </div>
          <Badge tone={states[state].tone}>{states[state].label}</Badge>
        </li>
      ))}
    </ul>
  )
}

function NewEndpointForm() {
  const { choices } = useLoaderData<typeof loader>()
  const { form, fields, submitted, busy } = useServerForm(endpointFields, { id: 'new-webhook', intent: 'create' })
  return (
    <Form
      method="post"
      {...form.props}
      className="grid grid-cols-[minmax(0,1fr)] gap-4 border-t border-line-soft px-5 py-5"
      preventScrollReset
    >
      <input type="hidden" name="intent" value="create" />
      <FormError id={form.errorId} errors={form.errors} />
      <EndpointFields fields={fields} choices={choices} chosen={getChosen(submitted, [])} />
      <div className="flex justify-end">
        <Button type="submit" variant="primary" busy={busy} busyLabel="Adding...">
          Add Webhook
        </Button>
      </div>
    </Form>
  )
}
