import { ChevronDown, Circle, CircleCheck, TextAlignStart, UserRound } from 'lucide-react'
import { Avatar } from '#app/ui/components/avatar.tsx'
import { Badge } from '#app/ui/components/badge.tsx'
import { ButtonLink } from '#app/ui/components/button.tsx'
import { CopyButton } from '#app/ui/components/copy-button.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import type { Overview } from '../overview-loader.server.ts'

type Recent = Overview['recent'][number]

/** The latest summaries; the first one is open. */
export function RecentSummaries({ summaries }: { summaries: Recent[] }) {
  return (
    <ul className="rows border-t border-line-soft" aria-label="Recent AI-Generated Summaries">
      {summaries.map((summary, index) => (
        <li key={summary.id}>
          <details open={index === 0} className="group">
            <summary className="flex cursor-pointer items-start before:hidden gap-4 px-5 py-3.5 hover:bg-hover">
              <Avatar name={summary.clientName} />
              <span className="min-w-0 flex-1">
                <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
                  <span className="font-semibold wrap-anywhere">{summary.name}</span>
                  <SourceBadge {...summary} />
                </span>
                <span className="block truncate text-sm text-ink-3">{summary.clientName}</span>
                {summary.summary && (
                  <span className="mt-0.5 line-clamp-1 text-ink-3 wrap-anywhere group-open:hidden">
                    {summary.summary}
                  </span>
                )}
              </span>
              <span className="shrink-0 text-right text-sm text-ink-3">
                {summary.day}
                {summary.minutes !== null && <span className="num block">{summary.minutes} min</span>}
              </span>
              <ChevronDown className="i mt-0.5 text-ink-3 group-open:rotate-180" />
            </summary>
            <Details {...summary} />
          </details>
        </li>
      ))}
    </ul>
  )
}

/** part-2 §2. An extract says what it is besides. */
function SourceBadge({ isAuto, isExtract }: Pick<Recent, 'isAuto' | 'isExtract'>) {
  return (
    <>
      <Badge plain tone={isAuto ? 'brand' : 'neutral'}>
        {isAuto ? 'Auto-generated' : 'Manual Rev.ai'}
      </Badge>
      {isExtract && <Badge plain>Extract</Badge>}
    </>
  )
}

function Details({ clientId, clientName, appointmentId, summary, takeaways, actions }: Recent) {
  const text = [
    summary,
    ...takeaways.map((takeaway) => `- ${takeaway}`),
    ...actions.map((action) => `- ${action.text}${action.due ? ` (${action.due})` : ''}`),
  ]
    .filter(Boolean)
    .join('\n')
  return (
    <div className="grid gap-5 px-5 pb-5 sm:pl-[4.25rem]">
      {summary && <p className="prose-serif max-w-prose wrap-anywhere">{summary}</p>}
      {takeaways.length + actions.length > 0 && (
        <div className="grid gap-x-8 gap-y-5 md:grid-cols-2">
          {takeaways.length > 0 && (
            <div>
              <h3 className="mb-2 text-sm font-semibold text-ink-2">Key takeaways</h3>
              <ol className="grid gap-2 font-serif">
                {takeaways.map((takeaway, index) => (
                  <li key={index} className="grid grid-cols-[1.125rem_minmax(0,1fr)] wrap-anywhere">
                    <span className="num font-sans text-sm leading-6 text-ink-3">{index + 1}</span>
                    {takeaway}
                  </li>
                ))}
              </ol>
            </div>
          )}
          {actions.length > 0 && (
            <div>
              <h3 className="mb-2 text-sm font-semibold text-ink-2">Action items</h3>
              <ul className="grid gap-2">
                {actions.map((action, index) => (
                  <li key={index} className="flex items-start gap-2.5">
                    <ActionItem {...action} />
                  </li>
                ))}
              </ul>
            </div>
          )}
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <ButtonLink size="sm" icon={UserRound} to={`/clients/${clientId}`} aria-label={`Open client ${clientName}`}>
          Open client
        </ButtonLink>
        {appointmentId !== null && (
          <ButtonLink size="sm" variant="ghost" icon={TextAlignStart} to={`/session-summaries/${appointmentId}`}>
            Read transcript
          </ButtonLink>
        )}
        {text && <CopyButton text={text} size="sm" />}
      </div>
    </div>
  )
}

/** One that has become a task shows whether that is done. */
function ActionItem({ text, due, task }: Recent['actions'][number]) {
  const Icon = task?.isDone ? CircleCheck : Circle
  return (
    <>
      {task && <Icon className={`i mt-0.5 shrink-0 ${task.isDone ? 'text-success-text' : 'text-ink-3'}`} />}
      {task ? (
        <Link
          to={task.to}
          className={`min-w-0 flex-1 wrap-anywhere hover:underline ${task.isDone ? 'text-ink-3 line-through' : ''}`}
        >
          <span className="sr-only">{task.isDone ? 'Done: ' : 'Open: '}</span>
          {text}
        </Link>
      ) : (
        <span className="min-w-0 flex-1 wrap-anywhere">{text}</span>
      )}
      {due && <span className="shrink-0 text-sm text-ink-3">{due}</span>}
    </>
  )
}
