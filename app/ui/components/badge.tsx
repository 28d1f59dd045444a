import type { ReactNode } from 'react'

export type Tone = 'success' | 'warning' | 'danger' | 'info' | 'brand' | 'neutral'

/** A status: a dot and a word, never a colour alone. `plain` leaves the dot out, for counts and kinds. */
export function Badge({
  tone = 'neutral',
  plain = false,
  children,
}: {
  tone?: Tone
  plain?: boolean
  children: ReactNode
}) {
  return (
    <span className={`badge${tone === 'neutral' ? '' : ` badge-${tone}`}${plain ? ' badge-plain' : ''}`}>
      {children}
    </span>
  )
}

const tones: Record<string, Tone> = {
  active: 'success',
  completed: 'success',
  confirmed: 'info',
  processing: 'info',
  scheduled: 'warning',
  pending: 'warning',
  cancelled: 'danger',
  failed: 'danger',
  overdue: 'danger',
}

/** The badge of a status by its stored name. A client's 'completed' is info: that work is over, not won. */
export function StatusBadge({ status, of }: { status: string; of?: 'client' }) {
  const tone = of === 'client' && status === 'completed' ? 'info' : (tones[status] ?? 'neutral')
  return <Badge tone={tone}>{status.charAt(0).toUpperCase() + status.slice(1).replaceAll('_', ' ')}</Badge>
}
