import { ButtonLink } from '../components/button.tsx'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { Dialog, DialogActions, DialogBody, DialogClose } from '../components/dialog.tsx'

export type StartedUpload = { id: number; name: string; percent: number }

/** The uploads that were interrupted: the browser goes on with one once its file is chosen again. */
export function StartedUploads({
  uploads,
  toDiscard,
}: {
  uploads: StartedUpload[]
  /** The URL of the page with the dialog that discards an upload. */
  toDiscard: (id: number) => string
}) {
  if (!uploads.length) return null
  return (
    <div className="text-sm text-ink-2">
      <p>{uploads.length === 1 ? 'An upload was' : 'Uploads were'} interrupted. Choose the same file again to go on.</p>
      <ul aria-label="Interrupted uploads" className="rows mt-1">
        {uploads.map(({ id, name, percent }) => (
          <li key={id} className="flex items-center gap-3 py-1.5">
            <span className="min-w-0 flex-1 wrap-anywhere">
              “{name}” stopped at {percent} %
            </span>
            <ButtonLink
              size="sm"
              variant="danger-ghost"
              to={toDiscard(id)}
              replace
              preventScrollReset
              aria-label={`Discard “${name}”`}
            >
              Discard
            </ButtonLink>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Submits the intent `discard-upload`. `upload`: null for one that has ended. */
export function DiscardUploadDialog({ upload, closeTo }: { upload: StartedUpload | null; closeTo: string }) {
  if (!upload)
    return (
      <Dialog title="Upload not found" closeTo={closeTo}>
        <DialogBody>
          <p className="text-ink-2">It has been discarded, or its file has been added.</p>
          <DialogActions>
            <DialogClose>Close</DialogClose>
          </DialogActions>
        </DialogBody>
      </Dialog>
    )
  return (
    <ConfirmDialog
      title="Discard Upload"
      confirm="Discard Upload"
      busyLabel="Discarding..."
      closeTo={closeTo}
      fields={{ intent: 'discard-upload', id: String(upload.id) }}
    >
      What has arrived of “{upload.name}” ({upload.percent} %) is permanently deleted, and the storage reserved for it
      is free again. If it is still running in another tab, it stops there.
    </ConfirmDialog>
  )
}
