import { Form, useLocation, useNavigate } from '@remix-run/react'
import { CornerDownLeft, RefreshCw, Search } from 'lucide-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { Link } from '#app/ui/navigation/link.tsx'
import type { SearchResult } from '#modules/core/search.ts'
import { Avatar } from '#app/ui/components/avatar.tsx'
import { Badge } from '#app/ui/components/badge.tsx'
import { usePrehydrationValue } from '#app/ui/forms/use-prehydration-value.ts'
import { signInInNewTab } from '#app/ui/forms/offline-action.ts'
import { navIcon } from './nav-icons.ts'
import type { SearchCommand } from './search-commands.ts'
import { canSearch, useSearch, type SearchState } from './use-search.ts'

/** The search field of the sidebar. Without JavaScript it submits to /search. */
export function SearchBox() {
  const [term, setTerm] = useState('')
  const [isOpen, setOpen] = useState(false)
  const container = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const { key } = useLocation()
  const clear = () => {
    setTerm('')
    setOpen(false)
  }
  useEffect(() => {
    // Keep the term if the user is already typing when the page has loaded.
    if (!container.current?.contains(document.activeElement)) clear()
  }, [key])
  usePrehydrationValue(input, (value) => {
    setTerm(value)
    setOpen(document.activeElement === input.current)
  })
  const search = useCombobox({ term, onClose: clear })
  const isExpanded = isOpen && search.state.status !== 'idle'
  return (
    <div
      ref={container}
      className="relative"
      onBlur={(event) => {
        if (!container.current?.contains(event.relatedTarget)) setOpen(false)
      }}
    >
      <Form action="/search" role="search" aria-label="Everything" onSubmit={clear}>
        <label className="has-icon block [&>.i]:left-2.5">
          <span className="sr-only">Search</span>
          <Search className="i" />
          <input
            {...search.inputProps}
            ref={input}
            aria-expanded={isExpanded}
            aria-keyshortcuts="Control+K Meta+K"
            name="q"
            type="search"
            autoComplete="off"
            maxLength={200}
            className="peer input input-quiet !pl-8 pr-1 !text-sm text-ellipsis placeholder-shown:not-focus:!pr-14"
            placeholder="Search clients, appointments..."
            value={term}
            onChange={(event) => {
              setTerm(event.currentTarget.value)
              setOpen(true)
            }}
            onFocus={() => setOpen(true)}
          />
          <ShortcutHint />
        </label>
      </Form>
      {isExpanded && (
        <div className="absolute left-0 top-full mt-1.5 w-[22rem] overflow-hidden rounded-xl bg-raised shadow-pop">
          <SearchOptions search={search} />
        </div>
      )}
    </div>
  )
}

/** Shown in an empty field without focus. The server can't know the platform: a Mac gets its own key after hydration. */
function ShortcutHint() {
  const [keys, setKeys] = useState('Ctrl K')
  useEffect(() => {
    if (/Mac|iPhone|iPad/.test(navigator.platform)) setKeys('⌘ K')
  }, [])
  return (
    <kbd
      aria-hidden="true"
      className={`kbd pointer-events-none absolute right-2 top-1/2 -translate-y-1/2 peer-focus:hidden
        peer-[:not(:placeholder-shown)]:hidden`}
    >
      {keys}
    </kbd>
  )
}

export type Combobox = ReturnType<typeof useCombobox>
type SearchOption = { key: string; to: string } & ({ command: SearchCommand } | { result: SearchResult })

/**
 * A search field with a list: the first option is preselected, arrows move, Enter opens, Escape closes. Enter while
 * results are loading opens the first one once it has arrived.
 */
export function useCombobox({
  term,
  commands = [],
  onClose,
}: {
  term: string
  /** Options before the search results. */
  commands?: SearchCommand[]
  onClose: () => void
}) {
  const listId = useId()
  const navigate = useNavigate()
  const { state, retry } = useSearch(term)
  const options = [...commands.map(commandOption), ...('results' in state ? state.results.map(resultOption) : [])]
  const [selectedIndex, setSelectedIndex] = useState(0)
  const activeIndex = Math.min(selectedIndex, options.length - 1)
  const isCurrent = commands.length > 0 || ('query' in state && state.query === term.trim())
  /** The term for which Enter was pressed before its results had loaded. */
  const enteredTerm = useRef<string | null>(null)

  useEffect(() => {
    setSelectedIndex(0)
    if (enteredTerm.current !== term) enteredTerm.current = null
  }, [term])
  useEffect(() => {
    const first = options[0]
    if (enteredTerm.current === term && isCurrent && first) open(first)
  })

  function open({ to }: SearchOption) {
    enteredTerm.current = null
    onClose()
    navigate(to)
  }

  const optionId = (index: number) => `${listId}-${index}`

  function select(index: number) {
    setSelectedIndex(index)
    document.getElementById(optionId(index))?.scrollIntoView({ block: 'nearest' })
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === 'Escape') {
      // Keep the browser from clearing the search field instead.
      event.preventDefault()
      return onClose()
    }
    const isSearch = commands.length > 0 || canSearch(term)
    if (event.key === 'Enter' && !event.nativeEvent.isComposing && isSearch && state.status !== 'failed') {
      event.preventDefault()
      const active = options[activeIndex]
      if (isCurrent && active) open(active)
      else enteredTerm.current = event.currentTarget.value
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (!step || !options.length) return
    event.preventDefault()
    select((activeIndex + step + options.length) % options.length)
  }

  return {
    state,
    retry,
    options,
    activeIndex,
    select: setSelectedIndex,
    optionId,
    listId,
    onClose,
    inputProps: {
      role: 'combobox',
      'aria-autocomplete': 'list' as const,
      'aria-controls': listId,
      'aria-activedescendant': activeIndex >= 0 ? optionId(activeIndex) : undefined,
      onKeyDown,
    },
  }
}

const commandOption = (command: SearchCommand): SearchOption => ({
  key: command.label,
  to: command.to,
  command,
})

const resultOption = (result: SearchResult): SearchOption => ({
  key: `${result.type}-${result.id}`,
  to: result.to,
  result,
})

/** The list below a search field, or why it is empty. */
export function SearchOptions({ search }: { search: Combobox }) {
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
