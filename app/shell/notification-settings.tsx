import { Form } from '@remix-run/react'
import { Button } from '#app/ui/components/button.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { FormError } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { Link } from '#app/ui/navigation/link.tsx'

type Choice = { kind: string; label: string; group: string; description: string | null; isOn: boolean }

/** A form with a checkbox for each email that the coach can switch off, by module. */
export function NotificationSettings({
  choices,
  email,
  isVerified,
}: {
  choices: Choice[]
  email: string
  isVerified: boolean
}) {
  const { form, submitted, busy } = useServerForm({}, { id: 'notification-choices', intent: 'notifications' })
  const on = choices.filter(({ isOn }) => isOn).map(({ kind }) => kind)
  // After a failure, the form is as it was sent.
  const seen = submitted ? toList(submitted.seen) : on
  const checked = submitted ? toList(submitted.on) : on
  const groups = [...Map.groupBy(choices, ({ group }) => group)]
  return (
    <div id="notifications" className="scroll-mt-6">
      <Card title="Notifications">
        <Form
          method="post"
          {...form.props}
          key={seen.join()}
          aria-label="Notifications"
          className="grid gap-5 border-t border-line-soft px-5 py-5"
          preventScrollReset
        >
          <input type="hidden" name="intent" value="notifications" />
          {seen.map((kind) => (
            <input key={kind} type="hidden" name="seen" value={kind} />
          ))}
          <p className="text-ink-2">
            Choose which emails go to <span className="wrap-anywhere">{email}</span>.
            {!isVerified && (
              <>
                {' '}
                Most of them are not sent until you{' '}
                <Link className="link" to="/settings/account">
                  confirm this address
                </Link>
                .
              </>
            )}
          </p>
          <FormError id={form.errorId} errors={form.errors} />
          {groups.map(([group, own]) => (
            <fieldset key={group}>
              <legend className="label mb-1">{group}</legend>
              {own.map(({ kind, label, description }) => (
                <label key={kind} className="flex min-h-8 items-start gap-2.5 py-1">
                  <input
                    type="checkbox"
                    name="on"
                    value={kind}
                    className="check mt-1"
                    defaultChecked={checked.includes(kind)}
                  />
                  <span className="min-w-0">
                    {label}
                    {description && <span className="hint block">{description}</span>}
                  </span>
                </label>
              ))}
            </fieldset>
          ))}
          {!choices.length && <p className="text-ink-2">None of your modules sends emails that you can switch off.</p>}
          <p className="hint">
            Emails about signing in, the plan that you pay for, your exports, your own domain and closing your account
            are always sent.
          </p>
          {choices.length > 0 && (
            <div className="flex justify-end">
              <Button type="submit" variant="primary" busy={busy} busyLabel="Saving...">
                Save Notifications
              </Button>
            </div>
          )}
        </Form>
      </Card>
    </div>
  )
}

/** The values of checkboxes with one name: none, one or a list. */
const toList = (values: unknown): string[] => [values ?? []].flat().map(String)
