import { Search } from 'lucide-react'
import { useState } from 'react'
import { Dialog } from '#app/ui/components/dialog.tsx'
import { SearchOptions } from './search-options.tsx'
import { useSearchCombobox } from './use-search-combobox.ts'
import { filterCommands, type SearchCommand } from './search-commands.ts'

/** The dialog behind Ctrl/Cmd+K: the sidebar's search, and commands. */
export default function CommandPalette({ commands, onClose }: { commands: SearchCommand[]; onClose: () => void }) {
  const [term, setTerm] = useState('')
  const search = useSearchCombobox({ term, commands: filterCommands(commands, term), onClose })
  const { state, options } = search
  return (
    <Dialog title="Search" position="top" hideTitle onClose={onClose} className="!overflow-hidden">
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search className="i text-ink-3" />
        <input
          {...search.inputProps}
          aria-expanded={options.length > 0}
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
        {state.status === 'done' && options.length > 0 && (
          <span className="num text-sm text-ink-3" aria-hidden="true">
            {options.length === 1 ? '1 result' : `${options.length} results`}
          </span>
        )}
      </div>
      <SearchOptions search={search} />
      {state.status === 'idle' && !options.length && (
        <p className="px-4 py-5 text-center text-ink-3">Search names, emails and notes (3+ characters)</p>
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
