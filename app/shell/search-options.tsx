import { CornerDownLeft, RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Avatar } from '#app/ui/components/avatar.tsx'
import { Badge } from '#app/ui/components/badge.tsx'
import { signInInNewTab } from '#app/ui/forms/offline-action.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import type { SearchResult } from '#modules/core/search.ts'
import { navIcon } from './nav-icons.ts'
import type { SearchCommand } from './search-commands.ts'
import type { SearchCombobox } from './use-search-combobox.ts'
import type { SearchState } from './use-search.ts'

/** The list below a search field, or why it is empty. */
export function SearchOptions({ search }: { search: SearchCombobox }) {
  const { state, options, listId, activeIndex } = search
  return (
    <>
      <p role="status" className="sr-only">
        {statusText(state, options.length)}
      </p>
      <ul
        id={listId}
        role="listbox"
        aria-label="Search results"
        className="max-h-[min(30rem,70dvh)] overflow-y-auto p-1.5 empty:hidden"
      >
        {options.map((option, index) => (
          <li key={option.key} role="presentation">
            <Link
              id={search.optionId(index)}
              role="option"
              aria-selected={index === activeIndex}
              tabIndex={-1}
              to={option.to}
              className={`flex min-h-11 items-center gap-3 rounded-lg px-3 py-1.5 ${
                index === activeIndex ? 'bg-hover' : ''
              }`}
              onPointerMove={() => search.select(index)}
              // Keep the focus in the field: on blur the list would close before the click.
              onPointerDown={(event) => event.preventDefault()}
              onClick={search.onClose}
            >
              {'command' in option ? <CommandRow command={option.command} /> : <ResultRow result={option.result} />}
              {index === activeIndex && <CornerDownLeft className="i text-ink-3" />}
            </Link>
          </li>
        ))}
      </ul>
      {state.status === 'done' && !options.length && (
        <p className="px-4 py-5 text-center text-ink-3">No results found</p>
      )}
      {state.status === 'loading' && !options.length && (
        <p className="px-4 py-5 text-center text-ink-3">Searching...</p>
      )}
      {state.status === 'failed' && <SearchError signedOut={state.signedOut} onRetry={search.retry} />}
    </>
  )
}

function CommandRow({ command: { label, icon } }: { command: SearchCommand }) {
  return (
    <>
      <OptionIcon name={icon} />
      <span className="min-w-0 flex-1 truncate font-medium">{label}</span>
    </>
  )
}

export function ResultRow({ result }: { result: Pick<SearchResult, 'type' | 'title' | 'subtitle'> }) {
  return (
    <>
      <ResultIcon result={result} />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{result.title}</span>
        {result.subtitle && <span className="block truncate text-sm text-ink-3">{result.subtitle}</span>}
      </span>
      <Badge plain>{result.type}</Badge>
    </>
  )
}

const typeIcons: Record<string, string> = {
  appointment: 'calendar',
  'busy time': 'calendar',
  interaction: 'notebook-pen',
  product: 'package',
  purchase: 'credit-card',
}

function ResultIcon({ result: { type, title } }: { result: Pick<SearchResult, 'type' | 'title'> }): ReactNode {
  return type === 'client' || type === 'prospect' ? (
    <Avatar name={title} />
  ) : (
    <OptionIcon name={typeIcons[type] ?? ''} />
  )
}

function OptionIcon({ name }: { name: string }) {
  const Icon = navIcon(name)
  return (
    <span className="grid size-8 shrink-0 place-items-center rounded-full bg-sunken text-ink-3">
      <Icon className="i" />
    </span>
  )
}

function SearchError({ signedOut, onRetry }: { signedOut: boolean; onRetry: () => void }) {
  return (
    <div className="grid justify-items-center gap-3 px-4 py-5 text-center">
      <p className="text-ink-2">
        {signedOut ? (
          <>
            You are signed out.{' '}
            <Link to={signInInNewTab.to} target="_blank" className="link">
              Sign in
            </Link>
            , then search again.
          </>
        ) : (
          'Search is incomplete right now. Please try again.'
        )}
      </p>
      <button type="button" className="btn btn-secondary btn-sm" onClick={onRetry}>
        <RefreshCw className="i" />
        Try again
      </button>
    </div>
  )
}

/** Read out by screen readers. */
function statusText(state: SearchState, options: number): string {
  if (state.status === 'failed') return 'The search failed'
  if (state.status !== 'done') return ''
  if (!options) return 'No results found'
  return options === 1 ? '1 result' : `${options} results`
}
