import { EmptyState } from '#app/ui/components/empty-state.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import type { AutomationPage } from '../automation-loader.server.ts'
import { formatCount } from '../format.ts'
import { automationUrl } from '../list-state.ts'

/** The last 30 days, as if the automation had been switched on. */
export function DryRunList({ id, dry }: { id: number; dry: AutomationPage['dry'] }) {
  if (!dry)
    return (
      <div className="card">
        <EmptyState title="Not available">
          The part of the product that notices this is not available. <Link to={automationUrl(id).href()}>Set up</Link>
        </EmptyState>
      </div>
    )
  const { events, matching, isCut, rows } = dry
  return (
    <>
      <p className="mb-4 text-ink-2">
        In the last 30 days this happened {formatCount(events, 'time', 'times')}
        {isCut && ' or more; the latest were checked'}. The automation would have run{' '}
        {formatCount(matching, 'time', 'times')}. Nothing is changed by looking.
      </p>
      {rows.length > 0 && (
        <ul className="card rows overflow-hidden" aria-label="What would have been done">
          {rows.map(({ key, when, title, to, personName, actions }) => (
            <li key={key} className="grid grid-cols-[minmax(0,1fr)] gap-2 px-5 py-4">
              <p className="wrap-anywhere">
                {to ? (
                  <Link to={to} className="link font-medium">
                    {title}
                  </Link>
                ) : (
                  <span className="font-medium">{title}</span>
                )}{' '}
                <span className="text-ink-3">
                  {personName}, {when}
                </span>
              </p>
              <ol className="grid list-decimal gap-1 pl-5 text-sm wrap-anywhere">
                {actions.map(({ id: actionId, text, body, problem }) => (
                  <li key={actionId}>
                    {problem ? <span className="text-ink-3">{problem}</span> : text}
                    {body && !problem && (
                      <details>
                        <summary className="cursor-pointer text-ink-3">Text of {text}</summary>
                        <p className="mt-1 whitespace-pre-line text-ink-2">{body}</p>
                      </details>
                    )}
                  </li>
                ))}
              </ol>
              {!actions.length && <p className="text-sm text-ink-3">The automation has no actions yet.</p>}
            </li>
          ))}
        </ul>
      )}
      {rows.length < matching && <p className="note mt-4">The latest {rows.length} are shown.</p>}
    </>
  )
}
