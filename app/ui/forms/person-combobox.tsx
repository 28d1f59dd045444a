import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { Avatar } from '../components/avatar.tsx'
import { useIsomorphicLayoutEffect } from '../use-isomorphic-layout-effect.ts'
import { controlProps, Field, type Choice, type FieldState } from './field.tsx'

/** The option of a person carries the time zone and the note as `data-…`, for listeners of the form. */
export type PersonChoice = Choice & { timezone?: string | null; note?: string | undefined }
export type PersonGroup = { label: string; choices: PersonChoice[] }
/** Searches all people on the server. Rejects if it can't be reached. */
export type PersonSearch = (term: string, signal: AbortSignal) => Promise<PersonGroup[]>

type Props = {
  field: FieldState
  label?: ReactNode
  /** The people to choose from at first, including the selected one. */
  groups: PersonGroup[]
  placeholder: string
  /** For more people than `groups` has. Without it, the combobox filters `groups`. */
  search?: PersonSearch
  hint?: ReactNode
  required?: boolean
}

/**
 * A field for one person: a text input with suggestions. Without JavaScript it is a native select of `groups`, to be
 * used with a `PersonSearchForm`. The select stays the form's control, so that other scripts can read and set its
 * value.
 */
export function PersonCombobox({ field, label, groups, placeholder, search, hint, required }: Props) {
  const select = useRef<HTMLSelectElement>(null)
  const [isHydrated, setHydrated] = useState(false)
  const [value, setValue] = useState(typeof field.initialValue === 'string' ? field.initialValue : '')
  const [found, setFound] = useState<PersonChoice | null>(null)
  // A layout effect: a key pressed before a later effect would go to the select.
  useIsomorphicLayoutEffect(() => {
    // Keep a choice made before hydration.
    if (select.current) setValue(select.current.value)
    setHydrated(true)
  }, [])

  const isListed = groups.some(({ choices }) => choices.some((choice) => choice.value === value))
  const allGroups =
    found && found.value === value && !isListed ? [{ label: 'Found', choices: [found] }, ...groups] : groups
  const selected = allGroups.flatMap(({ choices }) => choices).find((choice) => choice.value === value) ?? null
  const choose = (choice: PersonChoice | null) => {
    setFound(choice)
    setValue(choice?.value ?? '')
    // After React has rendered the option: listeners of the form read the select's new value.
    queueMicrotask(() => select.current?.dispatchEvent(new Event('input', { bubbles: true })))
  }
  const { defaultValue: _, ...control } = controlProps(field, hint)
  const isRequired = required ?? control['aria-required']
  return (
    <Field field={isHydrated ? { ...field, id: `${field.id}-person` } : field} label={label} hint={hint}>
      <select
        ref={select}
        {...control}
        aria-required={isRequired}
        aria-invalid={isHydrated ? undefined : control['aria-invalid']}
        value={value}
        hidden={isHydrated}
        className="input select"
        onChange={(event) => setValue(event.currentTarget.value)}
      >
        <option value="">{placeholder}</option>
        {allGroups.map((group) => (
          <optgroup key={group.label} label={group.label}>
            {group.choices.map((choice) => (
              <option
                key={choice.value}
                value={choice.value}
                data-timezone={choice.timezone ?? undefined}
                data-note={choice.note}
              >
                {choice.label}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      {isHydrated && (
        <SuggestionInput
          id={`${field.id}-person`}
          describedBy={control['aria-describedby']?.replace(field.id, `${field.id}-person`)}
          isInvalid={control['aria-invalid']}
          isRequired={isRequired}
          groups={groups}
          selected={selected}
          placeholder={placeholder}
          search={search}
          replaces={select}
          onChoose={choose}
        />
      )}
    </Field>
  )
}

type SuggestionProps = {
  id: string
  describedBy: string | undefined
  isInvalid: boolean | undefined
  isRequired: boolean | undefined
  groups: PersonGroup[]
  selected: PersonChoice | null
  placeholder: string
  search: PersonSearch | undefined
  /** Takes over the focus of this element. */
  replaces: RefObject<HTMLElement>
  onChoose: (choice: PersonChoice | null) => void
}

/** An ARIA combobox: arrows move, Enter and Tab choose, Escape closes the list, an empty text clears the choice. */
function SuggestionInput({
  id,
  describedBy,
  isInvalid,
  isRequired,
  selected,
  placeholder,
  replaces,
  onChoose,
  ...people
}: SuggestionProps) {
  const input = useRef<HTMLInputElement>(null)
  const listId = useId()
  const label = selected?.label ?? ''
  const [text, setText] = useState(label)
  const [shownLabel, setShownLabel] = useState(label)
  // While the element has the focus: it loses it when it is hidden.
  const [takesFocus] = useState(() => document.activeElement === replaces.current)
  const [isOpen, setOpen] = useState(false)
  const [activeIndex, setActiveIndex] = useState(0)
  const term = text.trim() === label ? '' : text.trim()
  const { groups, status } = useMatches(isOpen, term, people)
  const choices = groups.flatMap((group) => group.choices)
  const active = choices[Math.min(activeIndex, choices.length - 1)]
  const optionId = (value: string) => `${listId}-${value}`

  // Not in an effect, which would run after the first keys and remove them.
  if (shownLabel !== label) {
    setShownLabel(label)
    setText(label)
  }
  useIsomorphicLayoutEffect(() => {
    if (takesFocus) input.current?.focus()
  }, [takesFocus])

  function close(choice: PersonChoice | null) {
    setOpen(false)
    setText(choice?.label ?? '')
    if (choice?.value !== selected?.value) onChoose(choice)
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step) {
      event.preventDefault()
      if (!isOpen) return setOpen(true)
      const next = (activeIndex + step + choices.length) % Math.max(1, choices.length)
      setActiveIndex(next)
      document.getElementById(optionId(choices[next]?.value ?? ''))?.scrollIntoView({ block: 'nearest' })
    } else if (isOpen && event.key === 'Enter') {
      event.preventDefault()
      if (active) close(active)
    } else if (isOpen && event.key === 'Tab') {
      if (term && active) close(active)
    } else if (isOpen && event.key === 'Escape') {
      // Close the list, not the dialog around it.
      event.preventDefault()
      close(selected)
    }
  }

  return (
    <div className="combobox">
      <input
        ref={input}
        id={id}
        role="combobox"
        type="text"
        className="input"
        autoComplete="off"
        spellCheck={false}
        maxLength={255}
        placeholder={placeholder}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-activedescendant={isOpen && active ? optionId(active.value) : undefined}
        aria-required={isRequired}
        aria-invalid={isInvalid}
        aria-describedby={describedBy}
        value={text}
        onFocus={(event) => event.currentTarget.select()}
        onClick={() => setOpen(true)}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setActiveIndex(0)
          setOpen(true)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => close(text.trim() === '' ? null : (term && findByLabel(choices, term)) || selected)}
      />
      <ul
        id={listId}
        role="listbox"
        aria-label="Matches"
        hidden={!isOpen || !choices.length}
        className="combobox-list overflow-y-auto rounded-lg bg-raised p-1.5 shadow-pop"
        // Keep the focus in the input: on blur the list would close before the click.
        onPointerDown={(event) => event.preventDefault()}
      >
        {groups.map((group) => (
          <li key={group.label} role="presentation">
            <ul role="group" aria-label={group.label}>
              {group.choices.map((choice) => (
                <li
                  key={choice.value}
                  id={optionId(choice.value)}
                  role="option"
                  aria-selected={choice === active}
                  className={`flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 pointer-coarse:min-h-11 ${
                    choice === active ? 'bg-hover' : ''
                  }`}
                  onPointerMove={() => setActiveIndex(choices.indexOf(choice))}
                  onClick={() => close(choice)}
                >
                  <Avatar name={choice.label} size="xs" />
                  <span className="min-w-0 flex-1 truncate">{choice.label}</span>
                  {groups.length > 1 && <span className="text-sm text-ink-3">{group.label}</span>}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      <p role="status" className={isOpen && !choices.length ? 'hint mt-1' : 'sr-only'}>
        {isOpen && (choices.length ? `${choices.length} matches` : status)}
      </p>
    </div>
  )
}

/** Undefined if several people have this name: the user has to choose one. */
function findByLabel(choices: PersonChoice[], text: string): PersonChoice | undefined {
  const found = choices.filter(({ label }) => label.toLowerCase() === text.toLowerCase())
  return found.length === 1 ? found[0] : undefined
}

const debounceMs = 150

/** The people that match `term`: those of `groups`, or the server's results once they have arrived. */
function useMatches(
  isOpen: boolean,
  term: string,
  { groups, search }: Pick<SuggestionProps, 'groups' | 'search'>,
): { groups: PersonGroup[]; status: string } {
  const [results, setResults] = useState<{ term: string; groups: PersonGroup[] | null }>({ term: '', groups: null })
  const isSearching = isOpen && search !== undefined && term !== ''
  useEffect(() => {
    if (!isSearching) return
    const controller = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const found = await search(term, controller.signal)
        setResults({
          term,
          groups: found.map((group) => ({ ...group, choices: sortByWordStart(group.choices, term) })),
        })
      } catch {
        if (!controller.signal.aborted) setResults({ term, groups: null })
      }
    }, debounceMs)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [isSearching, term, search])

  if (isSearching && results.term === term)
    return results.groups
      ? { groups: results.groups, status: 'No matches' }
      : { groups: [], status: 'The search failed. Please try again.' }
  const local = groups
    .map(({ label, choices }) => ({ label, choices: choices.filter((choice) => hasWordStart(choice.label, term)) }))
    .filter(({ choices }) => choices.length)
  return { groups: local, status: isSearching ? 'Searching...' : 'No matches' }
}

/** The server also finds a term inside of words and in addresses. */
function sortByWordStart(choices: PersonChoice[], term: string): PersonChoice[] {
  const rank = ({ label }: PersonChoice) => (hasWordStart(label, term) ? 0 : 1)
  return [...choices].sort((a, b) => rank(a) - rank(b))
}

/** Whether each word of `term` starts a word of `name`, ignoring case and accents. */
function hasWordStart(name: string, term: string): boolean {
  const words = normalize(name).split(/\s+/)
  return normalize(term)
    .split(/\s+/)
    .every((part) => words.some((word) => word.startsWith(part)))
}

const normalize = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
