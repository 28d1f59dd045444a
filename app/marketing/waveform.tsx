/** A recorded voice: quiet, loud, quiet; heard as far as it is dark. */
export function Wave({ bars = 72, className = '' }: { bars?: number; className?: string }) {
  return (
    <svg
      className={className}
      viewBox={`0 0 ${bars * 5} 40`}
      preserveAspectRatio="none"
      fill="var(--brand-edge)"
      aria-hidden="true"
    >
      <path d={pathOf(0, Math.floor(bars * 0.62))} />
      <path d={pathOf(Math.floor(bars * 0.62), bars)} opacity=".28" />
    </svg>
  )
}

function pathOf(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, step) => {
    const at = from + step
    const loud = Math.abs(Math.sin(at * 0.37) * Math.sin(at * 0.11 + 0.6) * 0.8 + Math.sin(at * 1.7) * 0.22)
    const height = Math.max(3, Math.round(loud * 38))
    const round = 1.25
    return `M${at * 5} ${20 - height / 2 + round}a1.25 1.25 0 0 1 2.5 0v${height - 2 * round}a1.25 1.25 0 0 1-2.5 0z`
  }).join('')
}
