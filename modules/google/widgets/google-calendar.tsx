import { useNavigate } from '@remix-run/react'
import { useEffect } from 'react'
import { Badge } from '#app/ui/components/badge.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { ActionButton } from '#modules/core/oauth/action-button.tsx'
import { settingsPage } from '../connect-result.ts'
import { ConnectLink } from '../components/connect-link.tsx'
import { channelName } from '../connect-result.ts'
import type { GoogleCard } from '../contributions.ts'

type Props = {
  data: GoogleCard
  /** The page also has the form for choosing calendars. */
  withCalendars?: boolean
}

/** Connects Google Calendar, shows how it works, syncs and disconnects. */
export default function GoogleCalendarCard({ data, withCalendars = false }: Props) {
  const { connection, isConfigured, hasPlan } = data
  useLanding(data.landing)
  return (
    <Card title="Google Calendar">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 border-t border-line-soft px-5 py-5">
        {connection ? (
          <Connected {...data} connection={connection} withCalendars={withCalendars} />
        ) : !hasPlan ? (
          <p className="text-ink-2">
            Calendar sync is part of the Pro and Premium plans.{' '}
            <Link className="link" to="/upgrade">
              See the plans
            </Link>
          </p>
        ) : isConfigured ? (
          <>
            <p className="text-ink-2">Your sessions in your calendar, and no bookings while you are busy there.</p>
            <ConnectLink label="Connect Google Calendar" />
          </>
        ) : (
          <p className="text-ink-2">Google Calendar is not connected on this platform.</p>
        )}
      </div>
    </Card>
  )
}

type Connection = NonNullable<GoogleCard['connection']>

type ConnectedProps = GoogleCard & { connection: Connection; withCalendars: boolean }

function Connected({ connection, isConfigured, hasPlan, withCalendars }: ConnectedProps) {
  const { email, needsReconnect, health, targetName } = connection
  const canConnect = isConfigured && hasPlan
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="min-w-0 truncate font-medium">{email}</span>
          <Badge tone={hasPlan ? health.tone : 'warning'}>{hasPlan ? health.label : 'Paused'}</Badge>
        </p>
        <p className="text-sm text-ink-2">
          {hasPlan ? (
            health.text
          ) : (
            <>
              Your sessions are not written to Google, and events there don’t block time. Calendar sync is part of the
              Pro and Premium plans.{' '}
              <Link className="link" to="/upgrade">
                See the plans
              </Link>
            </>
          )}
        </p>
        {canConnect && !needsReconnect && targetName === null && (
          <p className="text-sm text-ink-2">No calendar is chosen for your sessions.</p>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {canConnect && needsReconnect && <ConnectLink label="Connect again" />}
        {canConnect && !needsReconnect && (
          <ActionButton action={settingsPage} intent="sync" label="Sync" busyLabel="Syncing..." />
        )}
        <ActionButton action={settingsPage} intent="disconnect" label="Disconnect" isDanger />
      </div>
      {canConnect && !needsReconnect && !withCalendars && (
        <Link className="link text-sm" to="/settings/google-calendar">
          Choose calendars
        </Link>
      )}
    </>
  )
}

/** A popup tells the page that opened it and closes; another page drops the result from its address. */
function useLanding(landing: GoogleCard['landing']): void {
  const navigate = useNavigate()
  useEffect(() => {
    if (landing === 'page') navigate('/calendar', { replace: true, preventScrollReset: true })
    if (landing !== 'popup') return
    const channel = new BroadcastChannel(channelName)
    channel.postMessage(window.location.search)
    channel.close()
    window.close()
  }, [landing, navigate])
}
