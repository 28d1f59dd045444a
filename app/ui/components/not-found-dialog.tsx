import { ButtonLink } from './button.tsx'
import { Dialog, DialogActions, DialogBody, DialogClose } from './dialog.tsx'

/** In the place of a dialog of something that was deleted meanwhile: 'Interaction', and its kind in the trash. */
export function GoneDialog({ what, kind, closeTo }: { what: string; kind: string; closeTo: string }) {
  return (
    <Dialog title={`${what} not found`} closeTo={closeTo}>
      <DialogBody>
        <p className="text-ink-2">It was deleted meanwhile. For 30 days it can be restored from the trash.</p>
        <DialogActions>
          <DialogClose>Close</DialogClose>
          <ButtonLink to={`/trash?kind=${kind}`} variant="primary" data-autofocus>
            Look in the trash
          </ButtonLink>
        </DialogActions>
      </DialogBody>
    </Dialog>
  )
}
