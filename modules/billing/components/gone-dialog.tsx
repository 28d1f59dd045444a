import { Link, useLocation } from '@remix-run/react'
import { Dialog, DialogActions, DialogBody } from '#app/ui/dialog.tsx'
import { withoutDialog } from '../list-state.ts'

/** In place of a dialog of something that another tab deleted. */
export function GoneDialog({ what }: { what: 'Product' | 'Purchase' }) {
  const { pathname, search } = useLocation()
  return (
    <Dialog title={`${what} not found`} closeTo={withoutDialog(pathname + search)}>
      <DialogBody>
        <p className="text-ink-2">It was deleted meanwhile, or was never here.</p>
        <DialogActions>
          <Link to={withoutDialog(pathname + search)} preventScrollReset className="btn btn-primary" data-autofocus>
            Close
          </Link>
        </DialogActions>
      </DialogBody>
    </Dialog>
  )
}
