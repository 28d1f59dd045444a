import type { ReactNode } from 'react'
import { Badge, type Tone } from '#app/ui/components/badge.tsx'
import { buttonClass } from '#app/ui/components/button.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { ActionButton } from './action-button.tsx'

type Connection = { email: string; needsReconnect: boolean; health: { tone: Tone; label: string; text: string } }
type RecordingsCardProps = {
  /** The service, such as Zoom. */
  name: string
  connection: Connection | null
  isConfigured: boolean
  hasPlan: boolean
  /** The page that connects. */
  connectPath: string
  /** The page with the actions, and their intents. */
  action: string
  intents: { check: string; disconnect: string }
  /** A sentence about what is found then. */
  children: ReactNode
}

/** Connects a service that has recordings of sessions, shows how it works, and disconnects. */
export function RecordingsCard({ children, ...service }: RecordingsCardProps) {
  const { name, connection, isConfigured, hasPlan, connectPath } = service
  return (
    <Card title={name}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 border-t border-line-soft px-5 py-5">
        {connection ? (
          <Connected {...service} connection={connection} />
        ) : !hasPlan ? (
          <PlanNote />
        ) : isConfigured ? (
          <>
            <p className="text-ink-2">{children}</p>
            <ConnectLink label={`Connect ${name}`} to={connectPath} />
          </>
        ) : (
          <p className="text-ink-2">{name} is not connected on this platform.</p>
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

const ConnectLink = ({ label, to }: { label: string; to: string }) => (
  <a href={to} className={`${buttonClass('primary')} justify-self-start`}>
    {label}
  </a>
)

type ConnectedProps = Omit<RecordingsCardProps, 'children'> & { connection: Connection }

function Connected({ connection, isConfigured, hasPlan, connectPath, action, intents }: ConnectedProps) {
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
        {canConnect && needsReconnect && <ConnectLink label="Connect again" to={connectPath} />}
        {canConnect && !needsReconnect && (
          <ActionButton action={action} intent={intents.check} label="Check" busyLabel="Checking..." />
        )}
        <ActionButton action={action} intent={intents.disconnect} label="Disconnect" isDanger />
      </div>
    </>
  )
}
