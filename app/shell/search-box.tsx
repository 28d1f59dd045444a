import { Form, useLocation, useNavigate } from '@remix-run/react'
import { CornerDownLeft, RefreshCw, Search } from 'lucide-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { Link } from '#app/ui/navigation/link.tsx'
import type { Found } from '#modules/registry.ts'
import { Avatar } from '#app/ui/components/avatar.tsx'
import { Badge } from '#app/ui/components/badge.tsx'
import { useTypedBefore } from '#app/ui/forms/use-prehydration-value.ts'
import { signInBeside } from '#app/ui/forms/offline-action.ts'
import { iconOf } from './nav-icons.ts'
import { useSearch, type SearchState } from './use-search.ts'

/** The search of the sidebar. Before scripts it is a form that leads to /search. */
export function SearchBox() {
  const [term, setTerm] = useState('')
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const { key } = useLocation()
  const clear = () => {
    setTerm('')
    setOpen(false)
  }
  useEffect(() => {
    // Whoever has begun to type meanwhile types on.
    if (!box.current?.contains(document.activeElement)) clear()
  }, [key])
  const field = useRef<HTMLInputElement>(null)
  useTypedBefore(field, (typed) => {
    setTerm(typed)
    setOpen(document.activeElement === field.current)
  })
  const search = useCombobox({ term, onDone: clear, onEscape: clear })
  const shown = open && search.state.status !== 'idle'
  return (
    <div
      ref={box}
      className="relative z-20"
      onBlur={(event) => {
        if (!box.current?.contains(event.relatedTarget)) setOpen(false)
      }}
    >
      <Form action="/search" role="search" aria-label="Everything" onSubmit={clear}>
        <label className="has-icon block [&>.i]:left-2.5">
          <span className="sr-only">Search</span>
          <Search className="i" />
          <input
            {...search.input}
            ref={field}
            aria-expanded={shown}
            name="q"
            type="search"
            autoComplete="off"
            maxLength={200}
            className="input input-quiet !pl-8 pr-1 !text-sm"
            placeholder="Search clients, appointments..."
            value={term}
            onChange={(event) => {
              setTerm(event.currentTarget.value)
              setOpen(true)
            }}
            onFocus={() => setOpen(true)}
          />
        </label>
      </Form>
      {shown && (
        <div className="absolute left-0 top-full mt-1.5 w-[22rem] overflow-hidden rounded-xl bg-raised shadow-pop">
          <SearchResults search={search} />
        </div>
      )}
    </div>
  )
}

export type Combobox = ReturnType<typeof useCombobox>

/** The keys and the wiring of a search with a list: arrows move, Enter opens, Escape ends. */
export function useCombobox({ term, onDone, onEscape }: { term: string; onDone: () => void; onEscape?: () => void }) {
  const listId = useId()
  const { state, again } = useSearch(term)
  const results = 'results' in state ? state.results : []
  const [active, setActive] = useState(-1)
  const navigate = useNavigate()
  useEffect(() => setActive(-1), [term])
  const at = Math.min(active, results.length - 1)
  const optionId = (index: number) => `${listId}-${index}`

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === 'Escape' && onEscape) {
      // A search field would keep the key for itself and only empty itself.
      event.preventDefault()
      return onEscape()
    }
    const chosen = results[at === -1 && results.length === 1 ? 0 : at]
    if (event.key === 'Enter' && chosen) {
      event.preventDefault()
      onDone()
      return navigate(chosen.to)
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (!step || !results.length) return
    event.preventDefault()
    setActive(at === -1 && step < 0 ? results.length - 1 : (at + step + results.length) % results.length)
  }

  return {
    state,
    again,
    results,
    at,
    setActive,
    optionId,
    listId,
    onDone,
    input: {
      role: 'combobox',
      'aria-autocomplete': 'list' as const,
      'aria-controls': listId,
      'aria-activedescendant': at >= 0 ? optionId(at) : undefined,
      onKeyDown,
    },
  }
}

/** The list below a search, and what it says when there is nothing to list. */
export function SearchResults({ search }: { search: Combobox }) {
  const { state, results, listId } = search
  return (
    <>
      <p role="status" className="sr-only">
        {said(state)}
      </p>
      <ul
        id={listId}
        role="listbox"
        aria-label="Search results"
        className="max-h-[min(26rem,60dvh)] overflow-y-auto p-1.5 empty:hidden"
      >
        {results.map((result, index) => (
          <li key={`${result.type}-${result.id}`} role="presentation">
            <Link
              id={search.optionId(index)}
              role="option"
              aria-selected={index === search.at}
              tabIndex={-1}
              to={result.to}
              className={`flex min-h-11 items-center gap-3 rounded-lg px-3 py-1.5 ${index === search.at ? 'bg-hover' : ''}`}
              onPointerMove={() => search.setActive(index)}
              // The field would lose the focus, and with it this list, before the press counts.
              onPointerDown={(event) => event.preventDefault()}
              onClick={search.onDone}
            >
              <ResultFace result={result} />
              {index === search.at && <CornerDownLeft className="i text-ink-3" />}
            </Link>
          </li>
        ))}
      </ul>
      {state.status === 'done' && !results.length && (
        <p className="px-4 py-5 text-center text-ink-3">No results found</p>
      )}
      {state.status === 'loading' && !results.length && (
        <p className="px-4 py-5 text-center text-ink-3">Searching...</p>
      )}
      {state.status === 'failed' && <SearchFailed signedOut={state.signedOut} onAgain={search.again} />}
    </>
  )
}

export function ResultFace({ result }: { result: Pick<Found, 'type' | 'title' | 'subtitle'> }) {
  return (
    <>
      <ResultSign result={result} />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{result.title}</span>
        {result.subtitle && <span className="block truncate text-sm text-ink-3">{result.subtitle}</span>}
      </span>
      <Badge plain>{result.type}</Badge>
    </>
  )
}

const signs: Record<string, string> = {
  appointment: 'calendar',
  interaction: 'notebook-pen',
  product: 'package',
  purchase: 'credit-card',
}

function ResultSign({ result: { type, title } }: { result: Pick<Found, 'type' | 'title'> }): ReactNode {
  if (type === 'client' || type === 'prospect') return <Avatar name={title} />
  const Icon = iconOf(signs[type] ?? '')
  return (
    <span className="grid size-8 shrink-0 place-items-center rounded-full bg-sunken text-ink-3">
      <Icon className="i" />
    </span>
  )
}

function SearchFailed({ signedOut, onAgain }: { signedOut: boolean; onAgain: () => void }) {
  return (
    <div className="grid justify-items-center gap-3 px-4 py-5 text-center">
      <p className="text-ink-2">
        {signedOut ? (
          <>
            You are signed out.{' '}
            <Link to={signInBeside.to} target="_blank" className="link">
              Sign in
            </Link>
            , then search again.
          </>
        ) : (
          'The search could not look everywhere, so it shows nothing.'
        )}
      </p>
      <button type="button" className="btn btn-secondary btn-sm" onClick={onAgain}>
        <RefreshCw className="i" />
        Try again
      </button>
    </div>
  )
}

function said(state: SearchState): string {
  if (state.status === 'done')
    return state.results.length === 1
      ? '1 result'
      : state.results.length
        ? `${state.results.length} results`
        : 'No results found'
  return state.status === 'failed' ? 'The search failed' : ''
}
