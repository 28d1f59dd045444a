/** The boxes of a list that is on its way. Appears after 200 ms, so quick answers don't flicker. */
export function ListSkeleton({ rows = 6, label = 'Loading' }: { rows?: number; label?: string }) {
  return (
    <div className="card rows skeleton-late" aria-busy="true" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, at) => (
        <div key={at} className="flex items-center gap-3 px-5 py-3.5">
          <span className="skeleton size-8 !rounded-full" />
          <span className="grid flex-1 gap-1.5">
            <span className={`skeleton h-3 ${at % 2 ? 'w-5/12' : 'w-7/12'}`} />
            <span className={`skeleton h-2.5 ${at % 2 ? 'w-1/4' : 'w-2/5'}`} />
          </span>
          <span className="skeleton h-5 w-16 !rounded-full" />
        </div>
      ))}
    </div>
  )
}
