import { RecordingsCard } from '#modules/core/oauth/recordings-card.tsx'
import { settingsPage } from '../connect-result.ts'
import type { MeetCard } from '../contributions.ts'

/** Connects Google Meet, shows how it works, and disconnects. */
export default function GoogleMeetCard({ data: { hasCalendar, ...data } }: { data: MeetCard }) {
  return (
    <RecordingsCard
      {...data}
      name="Google Meet"
      connectPath="/google/connect?meet=yes"
      action={settingsPage}
      intents={{ check: 'check-meet', disconnect: 'disconnect-meet' }}
    >
      The transcripts of your sessions are found after you complete them, for clients who have agreed to it. Google
      makes them in paid Workspace editions, and keeps them for 30 days.
      {!hasCalendar && ' This also connects Google Calendar.'}
    </RecordingsCard>
  )
}
