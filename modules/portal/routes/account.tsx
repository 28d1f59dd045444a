import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { KeyRound } from 'lucide-react'
import { formatDay } from '#app/lib/time.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { FormError, TextField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { ById, clientFormActions, type FormRequest } from '#modules/core/form-actions.server.ts'
import { describeDevice } from '#tenants/auth/device.ts'
import { passkeyFields } from '#tenants/auth/fields.ts'
import { NewPasskey } from '#tenants/auth/forms.ts'
import { passkeyFormId, PasskeyScript } from '../components/passkey-script.tsx'
import { maxPasskeys } from '../fields.ts'
import { accountPath, signOutPath } from '../paths.ts'
import { addPasskey, canAddPasskey, listOwnPasskeys, removeOwnPasskey } from '../services/passkeys.ts'

export const handle = { scripts: false }

export const meta: MetaFunction = ({ matches }) => [
  ...pageTitle(matches, 'Your account'),
  { name: 'robots', content: 'noindex' },
]

export async function loader({ context }: LoaderFunctionArgs) {
  const ctx = await context.client()
  const { name, email, timezone } = ctx.client!
  const toDay = (at: string) => formatDay(at, ctx.now(), timezone)
  const passkeys = await listOwnPasskeys(ctx)
  return {
    name,
    email,
    passkeys: passkeys.map(({ id, name: label, createdAt, lastUsedAt }) => ({
      id,
      name: label,
      added: toDay(createdAt),
      lastUsed: lastUsedAt && toDay(lastUsedAt),
    })),
    adding:
      passkeys.length >= maxPasskeys ? ('full' as const) : canAddPasskey(ctx) ? ('now' as const) : 'after-sign-in',
    suggestion: describeDevice(context.requestContext.userAgent),
    nonce: context.nonce,
  }
}

const messages = {
  add: { done: { title: 'Passkey added' }, failed: 'Failed to add the passkey.' },
  remove: { done: 'Passkey removed', failed: 'Failed to remove the passkey.' },
}

export const action = clientFormActions(
  messages,
  {
    add: { schema: NewPasskey, run: (ctx, input, request) => addPasskey(ctx, input, toDevice(request)) },
    remove: { schema: ById, run: (ctx, { id }, request) => removeOwnPasskey(ctx, id, toDevice(request)) },
  },
  { home: accountPath },
)

const toDevice = ({ context: { requestContext } }: FormRequest) => ({
  userAgent: requestContext.userAgent,
  address: requestContext.address,
})

export default function PortalAccount() {
  const { name, email, adding, nonce } = useLoaderData<typeof loader>()
  return (
    <>
      <h1 className="font-serif text-4xl text-balance">Your account</h1>
      <p className="mt-3 text-ink-2 wrap-anywhere">
        {name}, {email}
      </p>
      <Card title="Passkeys" className="mt-8">
        <div className="grid gap-5 border-t border-line-soft px-5 py-5">
          <p>
            A passkey signs you in with the fingerprint, face or PIN of your phone or computer, without waiting for an
            email. The link by email keeps working. We email you whenever a passkey is added or removed.
          </p>
          <PasskeyList />
          {adding === 'full' && (
            <p className="note">You have {maxPasskeys} passkeys. Remove one before you add another.</p>
          )}
          {adding === 'after-sign-in' && <SignInAgain />}
          {adding === 'now' && <AddPasskey />}
        </div>
      </Card>
      {adding === 'now' && <PasskeyScript nonce={nonce} />}
    </>
  )
}

function PasskeyList() {
  const { passkeys } = useLoaderData<typeof loader>()
  if (!passkeys.length) return <p className="text-ink-3">You have no passkeys yet.</p>
  return (
    <ul className="rows" aria-label="Your passkeys">
      {passkeys.map(({ id, name, added, lastUsed }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
          <div className="min-w-0 flex-1 basis-52">
            <p className="font-semibold wrap-anywhere">{name}</p>
            <p className="text-sm text-ink-3">
              Added: {added}. {lastUsed ? `Last used: ${lastUsed}.` : 'Not used yet.'}
            </p>
          </div>
          <Form method="post" action={accountPath}>
            <input type="hidden" name="intent" value="remove" />
            <input type="hidden" name="id" value={id} />
            <Button type="submit" size="sm" aria-label={`Remove ${name}`}>
              Remove
            </Button>
          </Form>
        </li>
      ))}
    </ul>
  )
}

function AddPasskey() {
  const { suggestion } = useLoaderData<typeof loader>()
  const { form, fields } = useServerForm(passkeyFields, {
    id: passkeyFormId,
    intent: 'add',
    values: { name: suggestion },
  })
  return (
    <>
      <FormError id={form.errorId} errors={form.errors} />
      <Form
        method="post"
        action={accountPath}
        {...form.props}
        data-options="/portal/passkey?add"
        hidden
        className="grid justify-items-start gap-4"
      >
        <input type="hidden" name="intent" value="add" />
        <input type="hidden" name="response" />
        <div className="w-full max-w-[22rem]">
          <TextField field={fields.name} hint="Such as the device it is on." />
        </div>
        <p role="alert" hidden className="error" />
        <Button type="submit" variant="primary">
          <KeyRound className="i" />
          Add a Passkey
        </Button>
      </Form>
      <p className="note" data-without-passkeys>
        Adding a passkey needs JavaScript and a browser that supports passkeys.
      </p>
    </>
  )
}

/** Ends the session: a passkey is added right after signing in. */
function SignInAgain() {
  return (
    <Form method="post" action={signOutPath(accountPath)} className="grid justify-items-start gap-3">
      <p>You can add a passkey within an hour after signing in. Sign in again to add one; this signs you out first.</p>
      <Button type="submit">Sign In Again</Button>
    </Form>
  )
}
