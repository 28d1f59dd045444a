import type { Fields } from '#app/lib/fields.ts'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { FormError, TextField } from '#app/ui/forms/field.tsx'
import { useFetcherForm } from '#app/ui/forms/use-server-form.ts'
import { paymentsUrl, type PaymentListState } from '../list-state.ts'
import type { ReminderSettings } from '../reminders/settings.ts'

const dialogFields = {
  days: { kind: 'line', label: 'Days after the due date' },
} as const satisfies Fields

/** Whether clients are reminded of overdue invoices by themselves, and when. */
export function RemindersDialog({ state, settings }: { state: PaymentListState; settings: ReminderSettings }) {
  const { form, fields, busy, fetcher, submitted } = useFetcherForm(dialogFields, {
    // A form of its own after each change: this one would keep the values of a rejected one.
    id: `reminders-${settings.version}`,
    intent: 'reminders',
    values: { days: settings.reminderDays.join(', ') },
  })
  return (
    <Dialog title="Reminders" closeTo={paymentsUrl.href(state)}>
      <DialogBody>
        <p className="mb-4 mt-1 text-ink-2">
          Clients get an email with the invoice while something is left to pay. Only invoices that you sent by email
          count.
        </p>
        <fetcher.Form
          method="post"
          action={paymentsUrl.href(state, { dialog: 'reminders' })}
          {...form.props}
          className="grid gap-4"
          preventScrollReset
        >
          <input type="hidden" name="intent" value="reminders" />
          <input type="hidden" name="version" value={settings.version} />
          <FormError id={form.errorId} errors={form.errors} />
          <label className="flex items-center gap-2">
            <input
              type="checkbox"
              name="sends"
              value="yes"
              className="check"
              defaultChecked={submitted ? !!submitted.sends : settings.sendsReminders}
            />
            Remind clients of overdue invoices
          </label>
          <TextField field={fields.days} hint="At most five, such as 3, 7, 14." autoComplete="off" />
          <DialogSubmit busy={busy}>Save</DialogSubmit>
        </fetcher.Form>
      </DialogBody>
    </Dialog>
  )
}
