import { Form } from '@remix-run/react'
import { useEffect } from 'react'
import { Badge } from '#app/ui/components/badge.tsx'
import { Button, ButtonLink } from '#app/ui/components/button.tsx'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { FormError, TextField } from '#app/ui/forms/field.tsx'
import { PasswordField } from '#app/ui/forms/password-field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { setupCodeFields, turnOffFields } from '#tenants/auth/fields.ts'
import { PasswordDialog } from './password-dialog.tsx'
import type { SecurityDialog } from './security-url.ts'

type Props = {
  secondFactor: { isOn: boolean; recoveryCodesLeft: number }
  /** The secret of a setup that waits for its first code. */
  setup: { secret: string; image: string } | null
  dialogHref: (dialog: SecurityDialog) => string
}

/** Turns the code of an authenticator app on and off. */
export function TwoStep({ secondFactor: { isOn, recoveryCodesLeft }, setup, dialogHref }: Props) {
  return (
    <Card title="Two-step sign-in" aside={isOn ? <Badge tone="success">On</Badge> : <Badge>Off</Badge>}>
      <div className="grid gap-5 border-t border-line-soft px-5 py-5">
        {isOn ? (
          <>
            <p>
              Signing in with your password also needs a code from your authenticator app.{' '}
              {describeCodesLeft(recoveryCodesLeft)}
            </p>
            <div className="flex flex-wrap gap-2">
              <ButtonLink to={dialogHref('renew-codes')} preventScrollReset>
                Make New Recovery Codes
              </ButtonLink>
              <ButtonLink to={dialogHref('turn-off')} preventScrollReset>
                Turn Off
              </ButtonLink>
            </div>
          </>
        ) : (
          <>
            <p>
              With two-step sign-in, your password alone isn’t enough: you also enter a code from an authenticator app
              on your phone.
            </p>
            {setup ? (
              <Setup setup={setup} />
            ) : (
              <div>
                <ButtonLink to={dialogHref('set-up')} preventScrollReset>
                  Set Up
                </ButtonLink>
              </div>
            )}
          </>
        )}
      </div>
    </Card>
  )
}

function describeCodesLeft(count: number): string {
  if (!count) return 'You have no recovery codes left: make new ones now, or a lost phone will lock you out.'
  const text = `You have ${count} recovery ${count === 1 ? 'code' : 'codes'} left.`
  return count <= 3 ? `${text} Make new ones soon.` : text
}

function Setup({ setup }: { setup: NonNullable<Props['setup']> }) {
  const { form, fields, busy } = useServerForm(setupCodeFields, { id: 'confirm-setup', intent: 'confirm-setup' })
  // It appears after a dialog, which returns the focus to the link that this replaces.
  useEffect(() => document.getElementById(fields.code.id)?.focus(), [fields.code.id])
  return (
    <div className="flex flex-wrap gap-6">
      <img src={setup.image} alt="QR code for your authenticator app" width={192} height={192} className="rounded-md" />
      <div className="grid min-w-0 flex-1 basis-64 content-start gap-4">
        <p>
          Scan the QR code with your app, or enter this key there: <code className="wrap-anywhere">{setup.secret}</code>
        </p>
        <Form method="post" {...form.props} className="grid max-w-md gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="confirm-setup" />
          <FormError id={form.errorId} errors={form.errors} />
          <TextField
            field={fields.code}
            hint="The 6 digits that your app shows now."
            inputMode="numeric"
            autoComplete="one-time-code"
          />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="primary" busy={busy} busyLabel="Checking...">
              Turn On
            </Button>
            <Button type="submit" form="cancel-setup">
              Cancel
            </Button>
          </div>
        </Form>
        <Form method="post" id="cancel-setup" preventScrollReset>
          <input type="hidden" name="intent" value="cancel-setup" />
        </Form>
      </div>
    </div>
  )
}

export function SetUpDialog({ closeTo }: { closeTo: string }) {
  return (
    <PasswordDialog
      title="Set up two-step sign-in"
      intent="start-setup"
      submit="Continue"
      busyLabel="Checking..."
      closeTo={closeTo}
    >
      Have an authenticator app ready on your phone.
    </PasswordDialog>
  )
}

export function RenewCodesDialog({ closeTo }: { closeTo: string }) {
  return (
    <PasswordDialog
      title="Make new recovery codes?"
      intent="renew-codes"
      submit="Make New Codes"
      busyLabel="Making codes..."
      closeTo={closeTo}
    >
      Your old recovery codes stop working.
    </PasswordDialog>
  )
}

export function TurnOffDialog({ closeTo }: { closeTo: string }) {
  const { form, fields, busy } = useServerForm(turnOffFields, { id: 'turn-off', intent: 'turn-off' })
  return (
    <Dialog title="Turn off two-step sign-in?" closeTo={closeTo}>
      <DialogBody>
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="turn-off" />
          <FormError id={form.errorId} errors={form.errors} />
          <p>You then sign in with your password alone. Your recovery codes stop working.</p>
          <PasswordField field={fields.passwordOrCode} autoComplete="current-password" data-autofocus />
          <DialogSubmit busy={busy} busyLabel="Turning off..." danger>
            Turn Off
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
