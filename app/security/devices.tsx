import { Form } from '@remix-run/react'
import type { ReactNode } from 'react'
import { Badge } from '#app/ui/components/badge.tsx'
import { ButtonLink } from '#app/ui/components/button.tsx'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { FormError } from '#app/ui/forms/field.tsx'
import { PasswordField } from '#app/ui/forms/password-field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { passwordCheckFields } from '#tenants/auth/fields.ts'

export type DeviceEntry = {
  id: number
  device: string
  address: string | null
  signedIn: string
  lastSeen: string
  isCurrent: boolean
}

/** The devices that are signed in to the account, each with a button that signs it out. */
export function Devices({ devices }: { devices: DeviceEntry[] }) {
  return (
    <Card title="Signed-in devices">
      <ul className="rows border-t border-line-soft">
        {devices.map((device) => (
          <li key={device.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3.5">
            <div className="min-w-0 flex-1 basis-52">
              <p className="flex flex-wrap items-center gap-2 font-semibold">
                {device.device}
                {device.isCurrent && <Badge tone="success">This device</Badge>}
              </p>
              <p className="text-sm text-ink-3 wrap-anywhere">
                {device.address ? `Signed in from ${device.address}, ` : 'Signed in '}
                {device.signedIn}
              </p>
              {!device.isCurrent && <p className="text-sm text-ink-3">Last used {device.lastSeen}</p>}
            </div>
            {!device.isCurrent && (
              <ButtonLink
                to={`/security?sign-out=${device.id}`}
                size="sm"
                aria-label={`Sign out ${device.device}`}
                preventScrollReset
              >
                Sign Out
              </ButtonLink>
            )}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line-soft px-5 py-4">
        <p className="hint">A device is signed out after 7 days without use, and after 30 days in any case.</p>
        {devices.length > 1 && (
          <ButtonLink to="/security?sign-out=others" size="sm" preventScrollReset>
            Sign Out All Other Devices
          </ButtonLink>
        )}
      </div>
    </Card>
  )
}

/** Asks for the password before a device is signed out: otherwise somebody who holds a session could sign out its owner. */
export function SignOutDialog({ device: { id, device, address } }: { device: DeviceEntry }) {
  return (
    <PasswordDialog title={`Sign out ${device}?`} intent="end-session" id={id} submit="Sign Out">
      {address ? `The device at ${address} has` : 'It has'} to sign in again.
    </PasswordDialog>
  )
}

export function SignOutOthersDialog() {
  return (
    <PasswordDialog title="Sign out all other devices?" intent="end-other-sessions" submit="Sign Out All">
      You stay signed in on this device only.
    </PasswordDialog>
  )
}

function PasswordDialog({
  title,
  intent,
  id,
  submit,
  children,
}: {
  title: string
  intent: string
  id?: number
  submit: string
  children: ReactNode
}) {
  const { form, fields, busy } = useServerForm(passwordCheckFields, { id: intent, intent })
  return (
    <Dialog title={title} closeTo="/security">
      <DialogBody>
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value={intent} />
          {id !== undefined && <input type="hidden" name="id" value={id} />}
          <FormError id={form.errorId} errors={form.errors} />
          <p>{children}</p>
          <PasswordField field={fields.currentPassword} autoComplete="current-password" />
          <DialogSubmit busy={busy} busyLabel="Signing out..." danger>
            {submit}
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
