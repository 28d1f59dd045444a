import { Dialog, DialogActions, DialogBody } from '#app/ui/components/dialog.tsx'
import { paymentsExportUrl, paymentsUrl, type PaymentListState } from '../list-state.ts'

/** Downloads for the accountant. */
export function ExportDialog({ state, from, to }: { state: PaymentListState; from: string; to: string }) {
  return (
    <Dialog title="Export" closeTo={paymentsUrl.href(state)}>
      <DialogBody>
        <p className="mb-4 mt-1 text-ink-2">CSV files for your accountant, and of your own data.</p>
        <form method="get" action={paymentsExportUrl.href()} className="grid gap-4">
          <label className="grid gap-1.5">
            File
            <select name="file" className="input select" defaultValue="taxes">
              <option value="taxes">Taxes by month and rate</option>
              <option value="ledger">Every payment and refund</option>
              <option value="invoices">Invoices and credit notes</option>
            </select>
          </label>
          <div className="grid gap-4 sm:grid-cols-2">
            <label className="grid gap-1.5">
              From
              <input type="date" name="from" defaultValue={from} className="input" />
            </label>
            <label className="grid gap-1.5">
              To
              <input type="date" name="to" defaultValue={to} className="input" />
            </label>
          </div>
          <DialogActions>
            <button type="submit" className="btn btn-primary">
              Download
            </button>
          </DialogActions>
        </form>
      </DialogBody>
    </Dialog>
  )
}
