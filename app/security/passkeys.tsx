import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { Form, useNavigation, useSubmit } from '@remix-run/react'
import { useState, type FormEvent } from 'react'
import { Badge } from '#app/ui/components/badge.tsx'
import { ButtonLink } from '#app/ui/components/button.tsx'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { showToast } from '#app/ui/components/toast-bus.ts'
import { TextField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { passkeyFields } from '#tenants/auth/fields.ts'
import { describePasskeyError, usePasskeySupport } from './passkey-support.ts'
import { PasswordDialog } from './password-dialog.tsx'

export type PasskeyItem = { id: number; name: string; added: string; lastUsed: string | null }
type Options = PublicKeyCredentialCreationOptionsJSON

/** The passkeys of the account. */
export function Passkeys({
  passkeys,
  domain,
  addHref,
  removeHref,
}: {
  passkeys: PasskeyItem[]
  domain: string | null
  addHref: string
  removeHref: (id: number) => string
}) {
  const isSupported = usePasskeySupport()
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
                <ButtonLink to={removeHref(id)} size="sm" aria-label={`Remove ${name}`} preventScrollReset>
                  Remove
                </ButtonLink>
              </li>
            ))}
          </ul>
        )}
        {!domain ? (
          <p className="note">Passkeys don’t work at this address: they need the platform’s own domain name.</p>
        ) : isSupported === false ? (
          <p className="note">This browser doesn’t support passkeys at this address.</p>
        ) : (
          <div>
            <ButtonLink to={addHref} preventScrollReset>
              Add Passkey
            </ButtonLink>
          </div>
        )}
        <noscript>
          <p className="note">Adding a passkey needs JavaScript.</p>
        </noscript>
      </div>
    </Card>
  )
}

/**
 * Asks for the password, then for the passkey's name. `options`: of the browser's dialog, once the password was
 * entered.
 */
export function AddPasskeyDialog({
  options,
  suggestion,
  closeTo,
}: {
  options: Options | undefined
  suggestion: string
  closeTo: string
}) {
  if (options) return <NamePasskeyDialog options={options} suggestion={suggestion} closeTo={closeTo} />
  return (
    <PasswordDialog
      title="Add a passkey"
      intent="start-passkey"
      submit="Continue"
      busyLabel="Checking..."
      closeTo={closeTo}
    >
      Your phone or computer then asks for your fingerprint, face or PIN.
    </PasswordDialog>
  )
}

function NamePasskeyDialog({
  options,
  suggestion,
  closeTo,
}: {
  options: Options
  suggestion: string
  closeTo: string
}) {
  const { form, fields } = useServerForm(passkeyFields, {
    id: 'add-passkey',
    intent: 'add-passkey',
    values: { name: suggestion },
  })
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
    <Dialog title="Name this passkey" closeTo={closeTo}>
      <DialogBody>
        <Form method="post" {...form.props} className="grid gap-4" onSubmit={(event) => void createPasskey(event)}>
          <TextField field={fields.name} hint="Such as the device it is on." />
          <DialogSubmit busy={busy} busyLabel="Waiting...">
            Create Passkey
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}

export function RemovePasskeyDialog({ passkey: { id, name }, closeTo }: { passkey: PasskeyItem; closeTo: string }) {
  return (
    <PasswordDialog
      title={`Remove ${name}?`}
      intent="remove-passkey"
      id={id}
      submit="Remove Passkey"
      busyLabel="Removing..."
      danger
      closeTo={closeTo}
    >
      You can no longer sign in with it. Delete it from your device too.
    </PasswordDialog>
  )
}
