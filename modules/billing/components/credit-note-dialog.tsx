import type { Fields } from '#app/lib/fields.ts'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { FormError, TextField } from '#app/ui/forms/field.tsx'
import { useFetcherForm } from '#app/ui/forms/use-server-form.ts'
import { paymentsUrl, type PaymentListState } from '../list-state.ts'
import type { InvoiceView } from '../payments-loader.server.ts'

const dialogFields = {
  amount: { kind: 'cents', label: 'Amount', required: 'Amount is required' },
  description: { kind: 'line', label: 'Reason', required: 'Description is required' },
} as const satisfies Fields

/** Issues a credit note: an issued invoice never changes. */
export function CreditNoteDialog({ state, invoice }: { state: PaymentListState; invoice: InvoiceView }) {
  const { id, number, creditable } = invoice
  const { form, fields, busy, fetcher } = useFetcherForm(dialogFields, {
    id: 'credit-invoice',
    intent: 'credit',
    values: { amount: creditable, description: `Credit for invoice ${number}` },
  })
  return (
    <Dialog title="Issue Credit Note" closeTo={paymentsUrl.href(state, { dialog: 'invoice', invoice: id })}>
      <DialogBody>
        <p className="mb-4 mt-1 text-ink-2">
          {number} stays as it is. The credit note has a number of its own and reduces what is left to pay.
        </p>
        <fetcher.Form
          method="post"
          action={paymentsUrl.href(state, { dialog: 'credit', invoice: id })}
          {...form.props}
          className="grid gap-4"
          preventScrollReset
        >
          <input type="hidden" name="intent" value="credit" />
          <input type="hidden" name="id" value={id} />
          <FormError id={form.errorId} errors={form.errors} />
          <TextField
            field={fields.amount}
            hint={`At most $${creditable}, with tax.`}
            inputMode="decimal"
            autoComplete="off"
          />
          <TextField field={fields.description} />
          <DialogSubmit busy={busy}>Issue Credit Note</DialogSubmit>
        </fetcher.Form>
      </DialogBody>
    </Dialog>
  )
}
