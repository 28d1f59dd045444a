import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { Form, useNavigation, useSubmit } from '@remix-run/react'
import { useEffect, useState, type FormEvent } from 'react'
import { Badge } from '#app/ui/components/badge.tsx'
import { Button, ButtonLink } from '#app/ui/components/button.tsx'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { showToast } from '#app/ui/components/toast-bus.ts'
import { FormError, TextField } from '#app/ui/forms/field.tsx'
import { PasswordField } from '#app/ui/forms/password-field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { passkeyFields, passwordCheckFields } from '#tenants/auth/fields.ts'
import { describePasskeyError, usePasskeySupport } from './passkey-support.ts'
import { PasswordForm } from './password-form.tsx'

export type PasskeyItem = { id: number; name: string; added: string; lastUsed: string | null }
type Options = PublicKeyCredentialCreationOptionsJSON

/** The passkeys of the account. `options`: of the browser's dialog, once the password was entered. */
export function Passkeys({
  passkeys,
  domain,
  options,
}: {
  passkeys: PasskeyItem[]
  domain: string | null
  options: Options | undefined
}) {
  return (
    <Card title="Passkeys" aside={passkeys.length ? <Badge tone="success">On</Badge> : <Badge>Off</Badge>}>
      <div className="grid gap-5 border-t border-line-soft px-5 py-5">
        <p>
          A passkey signs you in with the fingerprint, face or PIN of your phone or computer. It replaces both password
          and code.
        </p>
        {passkeys.length > 0 && (
          <ul className="rows">
            {passkeys.map(({ id, name, added, lastUsed }) => (
              <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
                <div className="min-w-0 flex-1 basis-52">
                  <p className="font-semibold wrap-anywhere">{name}</p>
                  <p className="text-sm text-ink-3">
                    Added {added}. {lastUsed ? `Last used ${lastUsed}.` : 'Not used yet.'}
                  </p>
                </div>
                <ButtonLink
                  to={`/security?remove-passkey=${id}`}
                  size="sm"
                  aria-label={`Remove ${name}`}
                  preventScrollReset
                >
                  Remove
                </ButtonLink>
              </li>
            ))}
          </ul>
        )}
        {!domain ? (
          <p className="note">Passkeys need an address with a domain name.</p>
        ) : options ? (
          <AddPasskey options={options} suggestion={`Passkey ${passkeys.length + 1}`} />
        ) : (
          <StartPasskey />
        )}
      </div>
    </Card>
  )
}

function StartPasskey() {
  const isSupported = usePasskeySupport()
  return (
    <>
      {isSupported === false && <p className="note">This browser doesn’t support passkeys at this address.</p>}
      <noscript>
        <p className="note">Adding a passkey needs JavaScript.</p>
      </noscript>
      <PasswordForm id="start-passkey" submit="Add Passkey" busyLabel="Checking..." />
    </>
  )
}

function AddPasskey({ options, suggestion }: { options: Options; suggestion: string }) {
  const { form, fields } = useServerForm(passkeyFields, {
    id: 'add-passkey',
    intent: 'add-passkey',
    values: { name: suggestion },
  })
  // The form replaces the one that had the focus.
  useEffect(() => document.getElementById(fields.name.id)?.focus(), [fields.name.id])
  const submit = useSubmit()
  const [isCreating, setIsCreating] = useState(false)
  const busy = useNavigation().state !== 'idle' || isCreating
  async function createPasskey(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name'))
    setIsCreating(true)
    try {
      const { startRegistration } = await import('@simplewebauthn/browser')
      const response = JSON.stringify(await startRegistration({ optionsJSON: options }))
      submit({ intent: 'add-passkey', name, response }, { method: 'post', preventScrollReset: true })
    } catch (error) {
      const isKnown = error instanceof Error && error.name === 'InvalidStateError'
      const text = isKnown ? 'This device already has a passkey for your account.' : describePasskeyError(error)
      showToast({ tone: 'error', title: 'No passkey was added', text })
    }
    setIsCreating(false)
  }
  return (
    <Form method="post" {...form.props} className="grid max-w-md gap-4" onSubmit={(event) => void createPasskey(event)}>
      <TextField field={fields.name} hint="Such as the device it is on." />
      <div>
        <Button type="submit" variant="primary" busy={busy} busyLabel="Waiting...">
          Create Passkey
        </Button>
      </div>
    </Form>
  )
}

/** Asks for the password before a passkey is removed. */
export function RemovePasskeyDialog({ passkey }: { passkey: PasskeyItem }) {
  const { form, fields, busy } = useServerForm(passwordCheckFields, { id: 'remove-passkey', intent: 'remove-passkey' })
  return (
    <Dialog title={`Remove ${passkey.name}?`} closeTo="/security">
      <DialogBody>
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="remove-passkey" />
          <input type="hidden" name="id" value={passkey.id} />
          <FormError id={form.errorId} errors={form.errors} />
          <p>You can no longer sign in with it. Delete it from your device too.</p>
          <PasswordField field={fields.currentPassword} autoComplete="current-password" />
          <DialogSubmit busy={busy} busyLabel="Removing..." danger>
            Remove Passkey
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
