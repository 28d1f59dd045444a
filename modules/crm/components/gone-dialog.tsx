import { Link } from '@remix-run/react'
import { ButtonLink } from '#app/ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '#app/ui/dialog.tsx'

/** In the place of an interaction that was deleted meanwhile. */
export function GoneDialog({ closeTo }: { closeTo: string }) {
  return (
    <Dialog title="Interaction not found" closeTo={closeTo}>
      <DialogBody>
        <p className="text-ink-2">It was deleted meanwhile. For 30 days it can be restored from the trash.</p>
        <DialogActions>
          <Link to={closeTo} preventScrollReset className="btn btn-secondary">
            Close
          </Link>
          <ButtonLink to="/trash?kind=client_interaction" variant="primary" data-autofocus>
            Look in the trash
          </ButtonLink>
        </DialogActions>
      </DialogBody>
    </Dialog>
  )
}
