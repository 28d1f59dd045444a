/** The color that the coach has chosen for a type; nothing without one. Its name is beside it. */
export function TypeDot({ color, className = '' }: { color: string | null | undefined; className?: string }) {
  return color ? (
    <i
      aria-hidden="true"
      className={`inline-block size-2 shrink-0 rounded-full ${className}`}
      style={{ background: color }}
    />
  ) : null
}
