import { Dialog, DialogActions, DialogBody } from '#app/ui/components/dialog.tsx'
import { subscriptionsExportUrl, subscriptionsUrl, type SubscriptionListState } from './list-state.ts'

/** Downloads all subscriptions or all charges. */
export function ExportDialog({ state }: { state: SubscriptionListState }) {
  return (
    <Dialog title="Export" closeTo={subscriptionsUrl.href(state)}>
      <DialogBody>
        <p className="mb-4 mt-1 text-ink-2">CSV files of all your clients’ subscriptions.</p>
        <form method="get" action={subscriptionsExportUrl.href()} className="grid gap-4">
          <label className="grid gap-1.5">
            File
            <select name="file" className="input select" defaultValue="subscriptions">
              <option value="subscriptions">Subscriptions</option>
              <option value="charges">Every installment and charge</option>
            </select>
          </label>
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
