import { Search } from 'lucide-react'
import { useState } from 'react'
import { Dialog } from '#app/ui/components/dialog.tsx'
import { SearchResults, useCombobox } from './search-box.tsx'

/** The same search as the sidebar's, over everything, on Ctrl/Cmd+K. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const [term, setTerm] = useState('')
  const search = useCombobox({ term, onDone: onClose, onEscape: onClose })
  const { state, results } = search
  return (
    <Dialog title="Search" place="top" bare onClose={onClose} className="!overflow-hidden">
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search className="i text-ink-3" />
        <input
          {...search.input}
          aria-expanded={state.status !== 'idle'}
          aria-label="Search"
          data-autofocus
          type="search"
          autoComplete="off"
          maxLength={200}
          className="h-12 min-w-0 flex-1 bg-transparent text-md outline-none max-sm:text-base"
          placeholder="Search clients, appointments..."
          value={term}
          onChange={(event) => setTerm(event.currentTarget.value)}
        />
        {state.status === 'done' && results.length > 0 && (
          <span className="num text-sm text-ink-3" aria-hidden="true">
            {results.length === 1 ? '1 result' : `${results.length} results`}
          </span>
        )}
      </div>
      {state.status === 'idle' ? (
        <p className="px-4 py-5 text-center text-ink-3">
          Type at least 3 characters of a name, an email or your notes.
        </p>
      ) : (
        <SearchResults search={search} />
      )}
      <div
        className="flex gap-4 border-t border-line-soft px-4 py-2 text-xs text-ink-3 max-sm:hidden"
        aria-hidden="true"
      >
        <span className="flex items-center gap-1.5">
          <kbd className="kbd">↑</kbd>
          <kbd className="kbd">↓</kbd>move
        </span>
        <span className="flex items-center gap-1.5">
          <kbd className="kbd">↵</kbd>open
        </span>
        <span className="flex items-center gap-1.5">
          <kbd className="kbd">Esc</kbd>close
        </span>
      </div>
    </Dialog>
  )
}
