import { Badge } from '#app/ui/components/badge.tsx'
import { buttonClass } from '#app/ui/components/button.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { ActionButton } from '../components/action-button.tsx'
import type { MeetCard } from '../contributions.ts'

/** Connects Google Meet, shows how it works, and disconnects. */
export default function GoogleMeetCard({ data }: { data: MeetCard }) {
  const { connection, hasCalendar, isConfigured, hasPlan } = data
  return (
    <Card title="Google Meet">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 border-t border-line-soft px-5 py-5">
        {connection ? (
          <Connected {...data} connection={connection} />
        ) : !hasPlan ? (
          <PlanNote />
        ) : isConfigured ? (
          <>
            <p className="text-ink-2">
              The transcripts of your sessions are found after you complete them, for clients who have agreed to it.
              Google makes them in paid Workspace editions, and keeps them for 30 days.
              {!hasCalendar && ' This also connects Google Calendar.'}
            </p>
            <ConnectLink label="Connect Google Meet" />
          </>
        ) : (
          <p className="text-ink-2">Google Meet is not connected on this platform.</p>
        )}
      </div>
    </Card>
  )
}

const PlanNote = () => (
  <p className="text-ink-2">
    AI summaries are part of the Pro and Premium plans.{' '}
    <Link className="link" to="/upgrade">
      See the plans
    </Link>
  </p>
)

const ConnectLink = ({ label }: { label: string }) => (
  <a href="/google/connect?meet=yes" className={`${buttonClass('primary')} justify-self-start`}>
    {label}
  </a>
)

type Connection = NonNullable<MeetCard['connection']>

function Connected({ connection, isConfigured, hasPlan }: MeetCard & { connection: Connection }) {
  const { email, needsReconnect, health } = connection
  const canConnect = isConfigured && hasPlan
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="min-w-0 truncate font-medium">{email}</span>
          <Badge tone={hasPlan ? health.tone : 'warning'}>{hasPlan ? health.label : 'Paused'}</Badge>
        </p>
        {hasPlan ? <p className="text-sm text-ink-2">{health.text}</p> : <PlanNote />}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {canConnect && needsReconnect && <ConnectLink label="Connect again" />}
        {canConnect && !needsReconnect && <ActionButton intent="check-meet" label="Check" busyLabel="Checking..." />}
        <ActionButton intent="disconnect-meet" label="Disconnect" isDanger />
      </div>
    </>
  )
}
