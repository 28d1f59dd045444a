import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import { describeScopes, parts, readScopes } from '#app/api-keys/parts.server.ts'
import { AppError } from '#app/lib/errors.ts'
import { formatDate, formatDateTime } from '#app/lib/time.ts'
import { Badge } from '#app/ui/components/badge.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { CopyButton } from '#app/ui/components/copy-button.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { FormError, SelectField, TextField } from '#app/ui/forms/field.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { PasswordField } from '#app/ui/forms/password-field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { ById, formActions, success } from '#modules/core/form-actions.server.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { createApiKey, listApiKeys, revokeApiKey } from '#tenants/api-keys/api-keys.ts'
import { apiKeyFields } from '#tenants/api-keys/fields.ts'
import { NewApiKey } from '#tenants/api-keys/forms.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'API Keys')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { account } = ctx
  const rows = await listApiKeys(ctx)
  const keys = rows.map(({ id, name, hint, scopes, createdAt, expiresAt, lastUsedAt }) => ({
    id,
    name,
    hint,
    access: describeScopes(scopes),
    created: formatDate(createdAt, account.timezone),
    expires: expiresAt && formatDate(expiresAt, account.timezone),
    isExpired: expiresAt !== null && new Date(expiresAt) <= ctx.now(),
    lastUsed: lastUsedAt && formatDateTime(lastUsedAt, account),
  }))
  const revoking = Number(new URL(request.url).searchParams.get('revoke'))
  return { keys, parts, revoking: keys.find(({ id }) => id === revoking) ?? null }
}

const messages = {
  create: { done: null, failed: 'Failed to make the key. Please try again.' },
  revoke: { done: 'API key revoked', failed: 'Failed to revoke the key. Please try again.' },
}

export const action = formActions(
  messages,
  {
    create: {
      schema: NewApiKey,
      run: async (ctx, { name, access, lifetime, currentPassword }, { form, context }) => {
        const scopes = readScopes(access, form)
        if (!scopes.length)
          throw new AppError('validation_failed', 'Choose at least one part of your practice.', { field: 'access' })
        const days = lifetime === 'never' ? null : Number(lifetime)
        const key = await createApiKey(ctx, { name, scopes, days, currentPassword }, context.requestContext)
        return success({ data: { key } })
      },
    },
    revoke: { schema: ById, run: (ctx, { id }, { context }) => revokeApiKey(ctx, id, context.requestContext) },
  },
  { home: '/settings/api-keys', dialog: ['revoke'] },
)

export const clientAction = formClientAction(messages)

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

const crumbs = [{ label: 'Settings', to: '/settings' }, { label: 'API Keys' }]

type Data = ReturnType<typeof useLoaderData<typeof loader>>

export default function ApiKeysPage() {
  const { keys, revoking } = useLoaderData<typeof loader>()
  const { key } = useActionData<{ key?: string }>() ?? {}
  return (
    <Page
      title="API Keys"
      crumbs={crumbs}
      description="Keys with which other programs use your practice: see and change what you allow."
    >
      <div className="grid max-w-[48rem] grid-cols-[minmax(0,1fr)] gap-6">
        {key && <NewKey value={key} />}
        <Card title="Your keys">
          <KeyList keys={keys} />
        </Card>
        <Card title="Create a key">
          <NewKeyForm key={key} />
        </Card>
        <p className="text-sm text-ink-3">
          Send a key as <code>Authorization: Bearer KEY</code>.{' '}
          <a className="link" href="/api/openapi.json">
            All calls of the API
          </a>{' '}
          are described as OpenAPI. All keys end when you reset your password with a link from an email; changing it in
          the settings keeps them.
        </p>
      </div>
      {revoking && (
        <ConfirmDialog
          title="Revoke this key?"
          confirm="Revoke Key"
          busyLabel="Revoking..."
          closeTo="/settings/api-keys"
          fields={{ intent: 'revoke', id: String(revoking.id) }}
        >
          Programs that use ‘{revoking.name}’ stop working at once.
        </ConfirmDialog>
      )}
    </Page>
  )
}

function NewKey({ value }: { value: string }) {
  const intro = useRef<HTMLParagraphElement>(null)
  useEffect(() => intro.current?.focus(), [])
  return (
    <Card title="Your new key">
      <div className="grid gap-4 border-t border-line-soft px-5 py-5">
        <p ref={intro} tabIndex={-1} className="outline-none">
          Copy it now: it is not shown again. Keep it like a password.
        </p>
        <code className="rounded-md bg-sunken px-3 py-2 wrap-anywhere" aria-label="New API key">
          {value}
        </code>
        <div>
          <CopyButton text={value} label="Copy Key" />
        </div>
      </div>
    </Card>
  )
}

function KeyList({ keys }: Pick<Data, 'keys'>) {
  if (!keys.length) return <p className="border-t border-line-soft px-5 py-5 text-ink-2">You have no keys yet.</p>
  return (
    <ul className="rows border-t border-line-soft">
      {keys.map(({ id, name, hint, access, created, expires, isExpired, lastUsed }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
          <div className="min-w-0 flex-1 basis-52">
            <p className="flex flex-wrap items-center gap-2">
              <span className="font-semibold wrap-anywhere">{name}</span>
              <code className="text-sm text-ink-3">…{hint}</code>
              {isExpired && <Badge tone="danger">Expired</Badge>}
            </p>
            <p className="text-sm text-ink-2 wrap-anywhere">{access}.</p>
            <p className="text-sm text-ink-3">
              Made {created}. {lastUsed ? `Last used ${lastUsed}.` : 'Not used yet.'}{' '}
              {expires && !isExpired && `Expires ${expires}.`}
            </p>
          </div>
          <Link
            className="btn btn-secondary btn-sm"
            to={`/settings/api-keys?revoke=${id}`}
            aria-label={`Revoke ${name}`}
            preventScrollReset
          >
            Revoke
          </Link>
        </li>
      ))}
    </ul>
  )
}

const levels = [
  { value: 'none', label: 'No access' },
  { value: 'read', label: 'See' },
  { value: 'write', label: 'See and change' },
]

function NewKeyForm() {
  const { parts: all } = useLoaderData<typeof loader>()
  const { form, fields, submitted, busy } = useServerForm(apiKeyFields, {
    id: 'api-key',
    intent: 'create',
    values: { access: 'read', lifetime: '365' },
  })
  return (
    <Form
      method="post"
      {...form.props}
      className="group grid grid-cols-[minmax(0,1fr)] gap-4 border-t border-line-soft px-5 py-5"
      preventScrollReset
    >
      <input type="hidden" name="intent" value="create" />
      <FormError id={form.errorId} errors={form.errors} />
      <TextField field={fields.name} hint="The program that will use it." autoComplete="off" />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2">
        <SelectField field={fields.access} />
        <SelectField field={fields.lifetime} />
      </div>
      <fieldset className="hidden gap-4 sm:grid-cols-2 group-has-[option[value=chosen]:checked]:grid">
        <legend className="label mb-2">Parts of your practice</legend>
        {all.map(({ name, title }) => (
          <SelectField
            key={name}
            field={{
              id: `scope-${name}`,
              name: `scope-${name}`,
              label: title,
              choices: levels,
              initialValue: submitted?.[`scope-${name}`],
            }}
          />
        ))}
      </fieldset>
      <PasswordField field={fields.currentPassword} autoComplete="current-password" />
      <div className="flex justify-end">
        <Button type="submit" variant="primary" busy={busy} busyLabel="Creating...">
          Create Key
        </Button>
      </div>
    </Form>
  )
}
