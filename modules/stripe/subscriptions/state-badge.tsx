import { Badge, type Tone } from '#app/ui/components/badge.tsx'
import { stateLabels, type SubscriptionState } from './states.ts'

const tones: Record<SubscriptionState, Tone> = {
  offered: 'warning',
  active: 'success',
  paused: 'info',
  past_due: 'danger',
  unpaid: 'danger',
  completed: 'success',
  cancelled: 'neutral',
  withdrawn: 'neutral',
}

export const StateBadge = ({ state }: { state: SubscriptionState }) => (
  <Badge tone={tones[state]}>{stateLabels[state]}</Badge>
)
