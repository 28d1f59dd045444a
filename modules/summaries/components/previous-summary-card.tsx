import { Circle, CircleCheck } from 'lucide-react'
import { Card } from '#app/ui/components/page.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { owners } from '../fields.ts'
import type { SessionPage } from '../session-loader.server.ts'

type PreviousSummary = NonNullable<SessionPage['previousSummary']>
type Props = { previousSummary: PreviousSummary; client: SessionPage['client'] }

/** The promises of the session before, open and done, to begin this one with. */
export function PreviousSummaryCard({ previousSummary, client }: Props) {
  const { appointmentId, day, actions, takeaways } = previousSummary
  return (
    <Card
      title="Promised last time"
      aside={
        <Link className="link text-sm" to={`/session-summaries/${appointmentId}`}>
          {day}
        </Link>
      }
    >
      {actions.length > 0 && (
        <ul className="rows border-t border-line-soft" aria-label="Promised last time">
          {actions.map((action, index) => (
            <li key={index} className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 px-5 py-2.5">
              <Action {...action} clientName={client?.name ?? owners.client} />
            </li>
          ))}
        </ul>
      )}
      {takeaways.length > 0 && (
        <div className="border-t border-line-soft px-5 py-4">
          <h3 className="mb-2 text-sm font-semibold text-ink-2">Takeaways of last time</h3>
          <ul className="grid max-w-prose list-disc gap-1.5 pl-5 font-serif" aria-label="Takeaways of last time">
            {takeaways.map((text, index) => (
              <li key={index} className="wrap-anywhere">
                {text}
              </li>
            ))}
          </ul>
        </div>
      )}
    </Card>
  )
}

function Action({
  text,
  owner,
  due,
  isOverdue,
  task,
  clientName,
}: PreviousSummary['actions'][number] & { clientName: string }) {
  const who = owner === 'client' ? clientName : owner && owners[owner]
  const when = task?.doneOn ? `done on ${task.doneOn}` : due && `${isOverdue ? 'was due' : 'by'} ${due}`
  const Icon = task?.isDone ? CircleCheck : Circle
  return (
    <>
      <span className="flex min-w-48 flex-1 items-baseline gap-2 font-serif wrap-anywhere">
        {task && <Icon className={`i shrink-0 translate-y-0.5 ${task.isDone ? 'text-success-text' : 'text-ink-3'}`} />}
        {task ? (
          <Link to={task.to} className={`min-w-0 hover:underline ${task.isDone ? 'text-ink-3' : ''}`}>
            {text}
          </Link>
        ) : (
          <span className="min-w-0">{text}</span>
        )}
      </span>
      {(who || when) && (
        <span className={`text-sm ${isOverdue ? 'text-danger-text' : 'text-ink-3'}`}>
          {[who, when].filter(Boolean).join(', ')}
        </span>
      )}
    </>
  )
}
