import type { Fields } from '#app/lib/fields.ts'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { FormError, SelectField, TextField } from '#app/ui/forms/field.tsx'
import { useFetcherForm } from '#app/ui/forms/use-server-form.ts'
import { purchaseFields } from '../fields.ts'
import { newMethodChoices } from '../format.ts'
import { paymentsUrl, type PaymentListState } from '../list-state.ts'
import type { InvoiceView } from '../payments-loader.server.ts'

const amount = { kind: 'cents', label: 'Amount', required: 'Amount is required' } as const
const fieldsByIntent = {
  pay: { amount, method: purchaseFields.paymentMethod, date: { kind: 'line', label: 'Date' } },
  refund: { amount, method: purchaseFields.paymentMethod, date: { kind: 'line', label: 'Date' } },
} as const satisfies Record<string, Fields>

const titles = { pay: 'Record Payment', refund: 'Record Refund' }

/** Records what was paid or refunded, all or a part. */
export function InvoiceAmountDialog({
  intent,
  state,
  invoice,
}: {
  intent: 'pay' | 'refund'
  state: PaymentListState
  invoice: InvoiceView
}) {
  const sheet = paymentsUrl.href(state, { dialog: 'invoice', invoice: invoice.id })
  const goesBackOnline = intent === 'refund' && invoice.canRefundOnline
  const most = intent === 'pay' ? invoice.due : invoice.refundable
  const { form, fields, busy, fetcher, submitted } = useFetcherForm(fieldsByIntent[intent], {
    // A form of its own after each payment: this one would keep the values of a rejected one.
    id: `${intent}-invoice-${invoice.id}-${invoice.entries.length}`,
    intent,
    values: { amount: most, method: invoice.methods[intent], date: invoice.today },
  })
  const title = titles[intent]
  const { balance, refundableAmount } = invoice
  const hint = intent === 'pay' ? `${balance} left to pay.` : `${refundableAmount} can be refunded.`
  return (
    <Dialog title={title} closeTo={sheet}>
      <DialogBody>
        <p className="mb-4 mt-1 text-ink-2 wrap-anywhere">
          {invoice.number}, {invoice.description}
        </p>
        <fetcher.Form
          method="post"
          action={paymentsUrl.href(state, { dialog: intent, invoice: invoice.id })}
          {...form.props}
          className="grid gap-4"
          preventScrollReset
        >
          <input type="hidden" name="intent" value={intent} />
          <input type="hidden" name="id" value={invoice.id} />
          <FormError id={form.errorId} errors={form.errors} />
          {goesBackOnline && (
            <p className="text-ink-2">
              With Stripe the money goes back to the client’s card. With another method you have paid it back yourself.
            </p>
          )}
          {intent === 'refund' && invoice.isRefundDueAgain && (
            <p className="text-ink-2">
              This invoice isn’t paid in full, so the client owes again what you refund. To ask for less, add a credit.
            </p>
          )}
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField field={fields.amount} hint={hint} inputMode="decimal" autoComplete="off" />
            <SelectField field={fields.method} choices={newMethodChoices} />
            {intent === 'pay' && <TextField field={fields.date} type="date" max={invoice.today} aria-required />}
          </div>
          {intent === 'pay' && invoice.can.sendReceipt && (
            <label className="flex items-center gap-2">
              <input
                type="checkbox"
                name="receipt"
                value="yes"
                className="check"
                defaultChecked={!submitted || !!submitted.receipt}
              />
              Email the client a receipt
            </label>
          )}
          <DialogSubmit busy={busy}>{title}</DialogSubmit>
        </fetcher.Form>
      </DialogBody>
    </Dialog>
  )
}
