/** A decorative audio waveform; the dark part is the part already played. */
export function Waveform({ bars = 72, className = '' }: { bars?: number; className?: string }) {
  const played = Math.floor(bars * 0.62)
  return (
    <svg
      className={className}
      viewBox={`0 0 ${bars * 5} 40`}
      preserveAspectRatio="none"
      fill="var(--brand-edge)"
      aria-hidden="true"
    >
      <path d={toBarsPath(0, played)} />
      <path d={toBarsPath(played, bars)} opacity=".28" />
    </svg>
  )
}

function toBarsPath(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, offset) => {
    const bar = from + offset
    const volume = Math.abs(Math.sin(bar * 0.37) * Math.sin(bar * 0.11 + 0.6) * 0.8 + Math.sin(bar * 1.7) * 0.22)
    const height = Math.max(3, Math.round(volume * 38))
    const radius = 1.25
    return `M${bar * 5} ${20 - height / 2 + radius}a1.25 1.25 0 0 1 2.5 0v${height - 2 * radius}a1.25 1.25 0 0 1-2.5 0z`
  }).join('')
}
