/** Announces a drag to screen readers, and describes how to drag by keyboard. */
export function DragAnnouncer({ announcement, helpId, help }: { announcement: string; helpId: string; help: string }) {
  return (
    <>
      <p id={helpId} hidden>
        {help}
      </p>
      <p className="sr-only" aria-live="assertive">
        {announcement}
      </p>
    </>
  )
}
