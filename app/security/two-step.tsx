import { Form } from '@remix-run/react'
import { useEffect } from 'react'
import { Badge } from '#app/ui/components/badge.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { FormError, TextField } from '#app/ui/forms/field.tsx'
import { PasswordField } from '#app/ui/forms/password-field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { setupCodeFields, turnOffFields } from '#tenants/auth/fields.ts'
import { PasswordForm } from './password-form.tsx'

type Props = {
  secondFactor: { isOn: boolean; recoveryCodesLeft: number }
  /** The secret of a setup that waits for its first code. */
  setup: { secret: string; image: string } | null
}

/** Turns the code of an authenticator app on and off. */
export function TwoStep({ secondFactor: { isOn, recoveryCodesLeft }, setup }: Props) {
  return (
    <Card title="Two-step sign-in" aside={isOn ? <Badge tone="success">On</Badge> : <Badge>Off</Badge>}>
      <div className="grid gap-6 border-t border-line-soft px-5 py-5">
        {isOn ? (
          <>
            <p>
              Signing in with your password also needs a code from your authenticator app.{' '}
              {describeCodesLeft(recoveryCodesLeft)}
            </p>
            <PasswordForm id="renew-codes" submit="Make New Recovery Codes" busyLabel="Making codes..." />
            <TurnOffForm />
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
              <PasswordForm id="start-setup" submit="Set Up" busyLabel="Setting up..." />
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
  // The form replaces the one that had the focus.
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
          <div>
            <Button type="submit" variant="primary" busy={busy} busyLabel="Checking...">
              Turn On
            </Button>
          </div>
        </Form>
      </div>
    </div>
  )
}

function TurnOffForm() {
  const { form, fields, busy } = useServerForm(turnOffFields, { id: 'turn-off', intent: 'turn-off' })
  return (
    <Form
      method="post"
      {...form.props}
      className="-mx-5 grid gap-4 border-t border-line-soft px-5 pt-5 *:max-w-md"
      preventScrollReset
    >
      <input type="hidden" name="intent" value="turn-off" />
      <FormError id={form.errorId} errors={form.errors} />
      <PasswordField field={fields.passwordOrCode} autoComplete="current-password" />
      <div>
        <Button type="submit" busy={busy} busyLabel="Turning off...">
          Turn Off
        </Button>
      </div>
    </Form>
  )
}
