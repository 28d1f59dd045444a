import { RecordingsCard } from '#modules/core/oauth/recordings-card.tsx'
import type { ZoomCard as ZoomCardData } from '../contributions.ts'

/** Connects Zoom, shows how it works, and disconnects. */
export default function ZoomCard({ data }: { data: ZoomCardData }) {
  return (
    <RecordingsCard
      {...data}
      name="Zoom"
      connectPath="/zoom/connect"
      action="/settings/zoom"
      intents={{ check: 'check', disconnect: 'disconnect' }}
    >
      The recordings of your sessions are found after you complete them, for clients who have agreed to it.
    </RecordingsCard>
  )
}
