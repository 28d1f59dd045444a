import { useBlocker, useLocation } from '@remix-run/react'
import { useEffect, useState } from 'react'

type Address = { pathname: string; search: string }

const question = 'Leave without saving? What you changed here is not saved yet.'

/** The forms that were typed into: at which address, and whether that was sent since. */
const typed = new WeakMap<HTMLFormElement, { at: Address; sent: boolean }>()

/** For the whole of the house: asks before one leaves a form that the server checks and that was typed into. */
export function Unsaved() {
  // Where there is no such form the router holds up nothing: of the ways that the browser goes by itself it knows too little.
  const [asking, setAsking] = useState(false)
  const location = useLocation()
  useEffect(() => setAsking([...document.forms].some(({ noValidate }) => noValidate)), [location])

  useEffect(() => {
    const onFocus = ({ target }: Event) => {
      if (formOf(target)) setAsking(true)
    }
    const onInput = ({ target }: Event) => {
      const form = formOf(target)
      if (!form) return
      note(form)
      setAsking(true)
    }
    // Before scripts had loaded, nobody listened.
    for (const form of document.forms) if (form.noValidate && hasTyping(form)) note(form)
    // Before React sends it, which is a way to leave as well.
    const onSubmit = (event: SubmitEvent) => {
      if (!event.defaultPrevented) mark(event.target as HTMLFormElement, true)
    }
    const onLeave = (event: BeforeUnloadEvent) => {
      if (unsaved().length) event.preventDefault()
    }
    document.addEventListener('focusin', onFocus)
    document.addEventListener('input', onInput)
    document.addEventListener('submit', onSubmit, true)
    window.addEventListener('beforeunload', onLeave)
    return () => {
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('input', onInput)
      document.removeEventListener('submit', onSubmit, true)
      window.removeEventListener('beforeunload', onLeave)
    }
  }, [])
  return asking ? <Question /> : null
}

function Question() {
  const { state, proceed, reset } = useBlocker(({ nextLocation }) => unsaved().some((at) => leaves(at, nextLocation)))
  useEffect(() => {
    if (state !== 'blocked') return
    if (window.confirm(question)) proceed()
    else reset()
  }, [state, proceed, reset])
  return null
}

/** A field in it holds something else than the page came with. */
export function hasTyping(place: HTMLElement): boolean {
  return [
    ...place.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
      'input:not([type="hidden"], [type="search"]), textarea',
    ),
  ].some(
    // A browser writes colors in small letters.
    ({ type, value, defaultValue }) =>
      !['checkbox', 'radio'].includes(type) && value !== (type === 'color' ? defaultValue.toLowerCase() : defaultValue),
  )
}

function note(form: HTMLFormElement): void {
  const { pathname, search } = window.location
  typed.set(form, { at: { pathname, search }, sent: false })
}

/** The form that the server checks in which something may be typed at `target`. */
function formOf(target: EventTarget | null): HTMLFormElement | null {
  const form = target instanceof Element && !target.matches('[type="file"]') ? target.closest('form') : null
  return form?.noValidate ? form : null
}

/** The form was refused: what was typed there is unsaved again. */
export function stillUnsaved(form: HTMLFormElement): void {
  mark(form, false)
}

function mark(form: HTMLFormElement, sent: boolean): void {
  const one = typed.get(form)
  if (one) one.sent = sent
}

function unsaved(): Address[] {
  return [...document.forms]
    .flatMap((form) => typed.get(form) ?? [])
    .filter(({ sent }) => !sent)
    .map(({ at }) => at)
}

/** A filter, or a dialog over the page, leaves nothing. */
function leaves(at: Address, next: Address): boolean {
  const [was, will] = [new URLSearchParams(at.search), new URLSearchParams(next.search)]
  return (
    at.pathname !== next.pathname ||
    ['dialog', 'edit'].some((name) => was.has(name) && was.get(name) !== will.get(name))
  )
}
