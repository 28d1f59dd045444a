import { useNavigate } from '@remix-run/react'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import type { SearchResult } from '#modules/core/search.ts'
import type { SearchCommand } from './search-commands.ts'
import { canSearch, useSearch } from './use-search.ts'

export type SearchCombobox = ReturnType<typeof useSearchCombobox>
type SearchOption = { key: string; to: string } & ({ command: SearchCommand } | { result: SearchResult })

/**
 * A search field with a list: the first option is preselected, arrows move, Enter opens, Escape closes. Enter while
 * results are loading opens the first one once it has arrived.
 */
export function useSearchCombobox({
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
