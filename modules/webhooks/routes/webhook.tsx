import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useActionData, useLoaderData, useNavigation } from '@remix-run/react'
import { formatDateTime } from '#app/lib/time.ts'
import { parseId } from '#app/lib/url.ts'
import { Badge } from '#app/ui/components/badge.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button, ButtonLink } from '#app/ui/components/button.tsx'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { LoadOlderLink } from '#app/ui/components/pagination.tsx'
import { FormError } from '#app/ui/forms/field.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { ById, formActions, NoInput, success } from '#modules/core/form-actions.server.ts'
import { EndpointFields, getChosen } from '../components/endpoint-fields.tsx'
import { SecretCard } from '../components/secret-card.tsx'
import { endpointFields, testEvent } from '../fields.ts'
import { EndpointForm } from '../forms.ts'
import { endpointUrl, pageSize, webhooksPath } from '../list-state.ts'
import { findEndpoint, listDeliveries } from '../queries/webhooks.ts'
import { sendAgain, sendTest } from '../services/deliveries.ts'
import {
  deleteEndpoint,
  endpointNotFound,
  renewSecret,
  setEndpointState,
  updateEndpoint,
} from '../services/endpoints.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Webhook')

const readId = (param: string | undefined): number => {
  const id = parseId(param)
  if (!id) throw endpointNotFound()
  return id
}

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const id = readId(params.id)
  const { after, dialog } = endpointUrl(id).parse(request.url)
  const [endpoint, rows] = await Promise.all([
    findEndpoint(ctx, id),
    listDeliveries(ctx, id, { rows: pageSize + 1, after }),
  ])
  if (!endpoint) throw endpointNotFound()
  const { publishedEvents } = ctx.extensions
  const labels = new Map(publishedEvents.map(({ event, label }) => [event.name, label]))
  const page = rows.slice(0, pageSize)
  return {
    dialog,
    endpoint: {
      id,
      url: endpoint.url,
      events: endpoint.events,
      isOn: endpoint.disabledAt === null,
      failingSince: endpoint.failingSince && formatDateTime(endpoint.failingSince, ctx.account),
    },
    choices: publishedEvents.map(({ event, label }) => ({ name: event.name, label })),
    deliveries: page.map(({ event, createdAt, nextAttemptAt, ...delivery }) => ({
      ...delivery,
      label: event === testEvent ? 'Test' : (labels.get(event) ?? event),
      createdAt,
      when: formatDateTime(createdAt, ctx.account),
      next: nextAttemptAt && formatDateTime(nextAttemptAt, ctx.account),
    })),
    older: rows.length > pageSize ? endpointUrl(id).href({ after: page.at(-1)!.id }) : null,
  }
}

const messages = {
  save: { done: 'Webhook saved', failed: 'Failed to save the webhook. Please try again.' },
  test: {
    done: { title: 'Test on its way', text: 'Reload the page to see its result.' },
    failed: 'Failed to send a test.',
  },
  again: {
    done: { title: 'On its way again', text: 'Reload the page to see its result.' },
    failed: 'Failed to send it again.',
  },
  renew: { done: null, failed: 'Failed to renew the secret. Please try again.' },
  on: { done: 'Webhook switched on', failed: 'Failed to switch the webhook on. Please try again.' },
  off: { done: 'Webhook switched off', failed: 'Failed to switch the webhook off. Please try again.' },
  delete: { done: 'Webhook deleted', failed: 'Failed to delete the webhook. Please try again.' },
}

export const action = formActions(
  messages,
  {
    save: { schema: EndpointForm, run: (ctx, input, { params }) => updateEndpoint(ctx, readId(params.id), input) },
    test: { schema: NoInput, run: (ctx, _input, { params }) => sendTest(ctx, readId(params.id)) },
    again: { schema: ById, run: (ctx, { id }) => sendAgain(ctx, id) },
    renew: {
      schema: NoInput,
      run: async (ctx, _input, { params }) => success({ data: { secret: await renewSecret(ctx, readId(params.id)) } }),
    },
    on: { schema: NoInput, run: (ctx, _input, { params }) => setEndpointState(ctx, readId(params.id), true) },
    off: { schema: NoInput, run: (ctx, _input, { params }) => setEndpointState(ctx, readId(params.id), false) },
    delete: {
      schema: NoInput,
      run: (ctx, _input, { params }) => deleteEndpoint(ctx, readId(params.id)),
      to: () => webhooksPath,
    },
  },
  { home: webhooksPath },
)

export const clientAction = formClientAction(messages)

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export default function WebhookPage() {
  const { endpoint, dialog, older } = useLoaderData<typeof loader>()
  const { secret } = useActionData<{ secret?: string }>() ?? {}
  const { id, url, isOn, failingSince } = endpoint
  const page = endpointUrl(id)
  return (
    <Page
      title="Webhook"
      crumbs={[{ label: 'Settings', to: '/settings' }, { label: 'Webhooks', to: webhooksPath }, { label: 'Webhook' }]}
      description={url}
      actions={
        <>
          {isOn && <ActionButton intent="test" label="Send a Test" />}
          <ActionButton intent={isOn ? 'off' : 'on'} label={isOn ? 'Switch Off' : 'Switch On'} />
        </>
      }
    >
      <div className="grid max-w-[48rem] grid-cols-[minmax(0,1fr)] gap-6">
        {secret && <SecretCard secret={secret} />}
        {!isOn && <p className="note">This webhook is off: nothing is sent to it, now or later.</p>}
        {isOn && failingSince && (
          <p className="note">It has been failing since {failingSince}. After five days it is switched off.</p>
        )}
        <Card title="Address and events">
          <EndpointEditor />
        </Card>
        <Card title="Sent in the last 30 days">
          <DeliveryLog />
        </Card>
        {older && <LoadOlderLink to={older} />}
        <div className="flex flex-wrap gap-2">
          <ButtonLink to={page.href({ dialog: 'secret' })} preventScrollReset>
            Renew Secret
          </ButtonLink>
          <ButtonLink to={page.href({ dialog: 'delete' })} preventScrollReset>
            Delete Webhook
          </ButtonLink>
        </div>
      </div>
      {dialog === 'secret' && (
        <ConfirmDialog
          title="Renew the secret?"
          confirm="Renew Secret"
          busyLabel="Renewing..."
          closeTo={page.href()}
          fields={{ intent: 'renew' }}
        >
          Calls are signed with the new secret at once. Until the other program has it, it refuses them, and they are
          repeated.
        </ConfirmDialog>
      )}
      {dialog === 'delete' && (
        <ConfirmDialog
          title="Delete this webhook?"
          confirm="Delete Webhook"
          busyLabel="Deleting..."
          closeTo={page.href()}
          fields={{ intent: 'delete' }}
        >
          Nothing more is sent to it, and its log is deleted.
        </ConfirmDialog>
      )}
    </Page>
  )
}

function ActionButton({ intent, label }: { intent: string; label: string }) {
  const busy = useNavigation().formData?.get('intent') === intent
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="intent" value={intent} />
      <Button type="submit" busy={busy}>
        {label}
      </Button>
    </Form>
  )
}

function EndpointEditor() {
  const { endpoint, choices } = useLoaderData<typeof loader>()
  const { form, fields, submitted, busy } = useServerForm(endpointFields, {
    id: 'webhook',
    intent: 'save',
    values: { url: endpoint.url },
  })
  return (
    <Form
      method="post"
      {...form.props}
      className="grid grid-cols-[minmax(0,1fr)] gap-4 border-t border-line-soft px-5 py-5"
      preventScrollReset
    >
      <input type="hidden" name="intent" value="save" />
      <FormError id={form.errorId} errors={form.errors} />
      <EndpointFields fields={fields} choices={choices} chosen={getChosen(submitted, endpoint.events)} />
      <div className="flex justify-end">
        <Button type="submit" variant="primary" busy={busy} busyLabel="Saving...">
          Save Webhook
        </Button>
      </div>
    </Form>
  )
}

const stateBadges = {
  pending: { tone: 'warning', label: 'Waiting' },
  delivered: { tone: 'success', label: 'Delivered' },
  failed: { tone: 'danger', label: 'Failed' },
} as const

function DeliveryLog() {
  const { deliveries, endpoint } = useLoaderData<typeof loader>()
  if (!deliveries.length) return <p className="border-t border-line-soft px-5 py-5 text-ink-2">Nothing was sent.</p>
  return (
    <ul className="rows border-t border-line-soft">
      {deliveries.map((delivery) => (
        <li key={delivery.id} className="grid grid-cols-[minmax(0,1fr)] gap-2 px-5 py-3">
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <p className="min-w-0 flex-1 basis-52">
              <span className="block font-semibold">{delivery.label}</span>
              <time className="num text-sm text-ink-3" dateTime={delivery.createdAt}>
                {delivery.when}
              </time>
            </p>
            <Badge tone={stateBadges[delivery.state].tone}>{stateBadges[delivery.state].label}</Badge>
            {endpoint.isOn && (
              <Form method="post" preventScrollReset>
                <input type="hidden" name="intent" value="again" />
                <input type="hidden" name="id" value={delivery.id} />
                <Button type="submit" size="sm" aria-label={`Send Again: ${delivery.label}, ${delivery.when}`}>
                  Send Again
                </Button>
              </Form>
            )}
          </div>
          <p className="text-sm text-ink-2">{describeAttempts(delivery)}</p>
          <details className="text-sm">
            <summary className="link w-fit cursor-pointer">Details</summary>
            <dl className="mt-2 grid gap-2">
              <Detail term="webhook-id" text={delivery.messageId} />
              <Detail term="Sent" text={delivery.body} />
              {delivery.response && <Detail term="Response" text={delivery.response} />}
            </dl>
          </details>
        </li>
      ))}
    </ul>
  )
}

type DeliveryView = ReturnType<typeof useLoaderData<typeof loader>>['deliveries'][number]

function describeAttempts({ attempts, responseStatus, problem, next }: DeliveryView): string {
  const count = attempts === 0 ? 'Not tried yet.' : attempts === 1 ? 'One attempt.' : `${attempts} attempts.`
  const result = problem ?? (responseStatus === null ? null : `The server answered with the status ${responseStatus}.`)
  return [count, result, next && attempts > 0 ? `Next attempt: ${next}.` : null].filter(Boolean).join(' ')
}

function Detail({ term, text }: { term: string; text: string }) {
  return (
    <div>
      <dt className="text-ink-3">{term}</dt>
      <dd>
        <code className="wrap-anywhere">{text}</code>
      </dd>
    </div>
  )
}
