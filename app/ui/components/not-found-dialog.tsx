import { ButtonLink } from './button.tsx'
import { Dialog, DialogActions, DialogBody, DialogClose } from './dialog.tsx'

/** Replaces the dialog of a record that isn't there. `label`: 'Interaction'; `kind`: its kind in the trash. */
export function NotFoundDialog({ label, kind, closeTo }: { label: string; kind: string; closeTo: string }) {
  return (
    <Dialog title={`${label} not found`} closeTo={closeTo}>
      <DialogBody>
        <p className="text-ink-2">If it was deleted, you can restore it from the trash for 30 days.</p>
        <DialogActions>
          <DialogClose>Close</DialogClose>
          <ButtonLink to={`/trash?kind=${kind}`} variant="primary" data-autofocus>
            Open trash
          </ButtonLink>
        </DialogActions>
      </DialogBody>
    </Dialog>
  )
}
