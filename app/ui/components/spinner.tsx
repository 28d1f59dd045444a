export function Spinner() {
  return <span className="spin" aria-hidden="true" />
}

/** For the one moment when nothing of a page is known yet. Elsewhere a Skeleton is shown. */
export function PageSpinner({ label = 'Loading' }: { label?: string }) {
  return (
    <div role="status" className="grid min-h-dvh place-items-center text-ink-3">
      <Spinner />
      <span className="sr-only">{label}</span>
    </div>
  )
}
