import { Form, useLocation } from '@remix-run/react'
import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { usePrehydrationValue } from '#app/ui/forms/use-prehydration-value.ts'
import { SearchOptions } from './search-options.tsx'
import { useSearchCombobox } from './use-search-combobox.ts'

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
  const search = useSearchCombobox({ term, onClose: clear })
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

/**
 * Shown in an empty field without focus. The server can't know the platform: a Mac gets its own key after hydration.
 */
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
