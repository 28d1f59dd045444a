import { Badge, type Tone } from '#app/ui/components/badge.tsx'
import type { DomainState } from '#tenants/domains/states.ts'

const states: Record<DomainState | 'paused', [label: string, tone: Tone]> = {
  waiting: ['Waiting for DNS', 'warning'],
  connected: ['Connected', 'success'],
  failing: ['Check failed', 'warning'],
  stopped: ['Stopped', 'danger'],
  paused: ['Paused', 'neutral'],
}

/** The state of the coach's own domain; `paused`: the plan doesn't include it. */
export function DomainBadge({ state }: { state: DomainState | 'paused' }) {
  const [label, tone] = states[state]
  return <Badge tone={tone}>{label}</Badge>
}
