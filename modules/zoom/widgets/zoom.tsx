import { Form, useNavigation } from '@remix-run/react'
import { Badge } from '#app/ui/components/badge.tsx'
import { Button, buttonClass } from '#app/ui/components/button.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import type { ZoomCard as ZoomCardData } from '../contributions.ts'

/** Connects Zoom, shows how it works, and disconnects. */
export default function ZoomCard({ data }: { data: ZoomCardData }) {
  const { connection, isConfigured, hasPlan } = data
  return (
    <Card title="Zoom">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 border-t border-line-soft px-5 py-5">
        {connection ? (
          <Connected {...data} connection={connection} />
        ) : !hasPlan ? (
          <PlanNote />
        ) : isConfigured ? (
          <>
            <p className="text-ink-2">
              The recordings of your sessions are found after you complete them, for clients who have agreed to it.
            </p>
            <ConnectLink label="Connect Zoom" />
          </>
        ) : (
          <p className="text-ink-2">Zoom is not connected on this platform.</p>
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
  <a href="/zoom/connect" className={`${buttonClass('primary')} justify-self-start`}>
    {label}
  </a>
)

type Connection = NonNullable<ZoomCardData['connection']>

function Connected({ connection, isConfigured, hasPlan }: ZoomCardData & { connection: Connection }) {
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
        {canConnect && !needsReconnect && <ActionButton intent="check" label="Check" busyLabel="Checking..." />}
        <ActionButton intent="disconnect" label="Disconnect" isDanger />
      </div>
    </>
  )
}

type ActionProps = { intent: 'check' | 'disconnect'; label: string; busyLabel?: string; isDanger?: boolean }

function ActionButton({ intent, label, busyLabel, isDanger = false }: ActionProps) {
  const { formData } = useNavigation()
  return (
    <Form method="post" action="/settings/zoom" preventScrollReset>
      <input type="hidden" name="intent" value={intent} />
      <Button
        type="submit"
        variant={isDanger ? 'danger-ghost' : 'secondary'}
        busy={formData?.get('intent') === intent}
        {...(busyLabel ? { busyLabel } : {})}
      >
        {label}
      </Button>
    </Form>
  )
}
