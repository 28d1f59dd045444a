import type { ReactNode } from 'react'

export type Tone = 'success' | 'warning' | 'danger' | 'info' | 'brand' | 'neutral'

/** A label with a dot, so that color is never the only signal. `plain` omits the dot, for counts and kinds. */
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
  paid: 'success',
  partly_paid: 'info',
  confirmed: 'info',
  processing: 'info',
  scheduled: 'warning',
  pending: 'warning',
  open: 'warning',
  sent: 'warning',
  cancelled: 'danger',
  failed: 'danger',
  overdue: 'danger',
}

/**
 * The badge of a status by its stored name. For clients, 'completed' means that the work is over, which isn't a
 * success.
 */
export function StatusBadge({ status, kind }: { status: string; kind?: 'client' }) {
  const tone = kind === 'client' && status === 'completed' ? 'info' : (tones[status] ?? 'neutral')
  return <Badge tone={tone}>{status.charAt(0).toUpperCase() + status.slice(1).replaceAll('_', ' ')}</Badge>
}
