import { Form } from '@remix-run/react'
import { Badge } from '#app/ui/components/badge.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { EmptyState } from '#app/ui/components/empty-state.tsx'
import { LoadOlderLink } from '#app/ui/components/pagination.tsx'
import { Segmented } from '#app/ui/components/tabs.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import type { AutomationPage } from '../automation-loader.server.ts'
import { logDays, runStates, type EmailState } from '../fields.ts'
import { runTones } from '../format.ts'
import { automationUrl } from '../list-state.ts'

type Log = NonNullable<AutomationPage['log']>
const filters = ['done', 'failed', 'stopped', 'skipped'] as const

/** The log of an automation, newest first. */
export function RunList({ id, log: { state, runs, older } }: { id: number; log: Log }) {
  const url = automationUrl(id)
  return (
    <>
      <Segmented
        label="Runs"
        className="mb-4"
        segments={[
          { label: 'All', to: url.href({ view: 'runs' }), current: state === null },
          ...filters.map((name) => ({
            label: runStates[name],
            to: url.href({ view: 'runs', state: name }),
            current: state === name,
          })),
        ]}
      />
      <div className="card overflow-hidden">
        {runs.length ? (
          <ul className="rows" aria-label="Runs">
            {runs.map((run) => (
              <RunRow key={run.id} {...run} />
            ))}
          </ul>
        ) : (
          <EmptyState title="No runs">What the automation does is listed here for {logDays} days.</EmptyState>
        )}
      </div>
      {older && <LoadOlderLink to={older} />}
    </>
  )
}

function RunRow({ id, state, problem, title, link, personName, results, chain, when }: Log['runs'][number]) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-2 px-5 py-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="min-w-0 flex-1 basis-52 wrap-anywhere">
          {link ? (
            <Link to={link} className="link font-medium">
              {title}
            </Link>
          ) : (
            <span className="font-medium">{title ?? 'An event'}</span>
          )}{' '}
          <span className="text-ink-3">{[personName, when].filter(Boolean).join(', ')}</span>
        </p>
        <Badge tone={runTones[state]}>{runStates[state]}</Badge>
        {state === 'failed' && (
          <Form method="post" preventScrollReset>
            <input type="hidden" name="intent" value="retry" />
            <input type="hidden" name="id" value={id} />
            <Button type="submit" size="sm">
              Try Again
            </Button>
          </Form>
        )}
      </div>
      {problem && <p className="text-sm text-ink-2">{problem}</p>}
      {chain.length > 0 && (
        <p className="text-sm text-ink-3">Set off by {chain.map((name) => `“${name}”`).join(' → ')}</p>
      )}
      {results.length > 0 && (
        <ol className="grid list-decimal gap-1 pl-5 text-sm wrap-anywhere">
          {results.map(({ id: actionId, state: result, text, email }) => (
            <li key={actionId} className={result === 'failed' ? 'text-danger-text' : 'text-ink-2'}>
              {text}
              {email && ` to ${email.email}: ${emailLabels[email.state]}`}
            </li>
          ))}
        </ol>
      )}
    </li>
  )
}

const emailLabels: Record<EmailState, string> = {
  waiting: 'on its way',
  sending: 'given to the mail server, which has not confirmed it',
  sent: 'sent',
  failed: 'refused by the mail server',
}
