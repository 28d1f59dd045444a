import { Badge, type Tone } from '#app/ui/components/badge.tsx'
import type { SubscriptionState } from './states.ts'

const labels: Record<SubscriptionState, { label: string; tone: Tone }> = {
  offered: { label: 'Offered', tone: 'warning' },
  active: { label: 'Active', tone: 'success' },
  paused: { label: 'Paused', tone: 'info' },
  past_due: { label: 'Payment failed', tone: 'danger' },
  unpaid: { label: 'Unpaid', tone: 'danger' },
  completed: { label: 'Completed', tone: 'success' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
  withdrawn: { label: 'Withdrawn', tone: 'neutral' },
}

export const StateBadge = ({ state }: { state: SubscriptionState }) => (
  <Badge tone={labels[state].tone}>{labels[state].label}</Badge>
)
