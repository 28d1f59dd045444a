/** A progress bar. `value`: 0 to 100. */
export function Progress({ value, label, className = '' }: { value: number; label: string; className?: string }) {
  const percent = Math.min(100, Math.max(0, value))
  return (
    <div
      className={`progress ${className}`}
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <i style={{ width: `${percent}%` }} />
    </div>
  )
}
