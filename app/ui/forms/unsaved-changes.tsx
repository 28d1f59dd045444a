import { useBlocker, useLocation } from '@remix-run/react'
import { useEffect, useState } from 'react'

type FormLocation = { pathname: string; search: string }

/** The forms with changes: their URL, and whether they were submitted since. */
const trackedForms = new WeakMap<HTMLFormElement, { location: FormLocation; isSubmitted: boolean }>()

/**
 * Asks for confirmation before the user leaves a form with unsaved changes. Covers every form that has `noValidate`.
 */
export function UnsavedChangesGuard() {
  // Register the blocker only on pages with such a form: an idle blocker breaks native navigations.
  const [isBlocking, setBlocking] = useState(false)
  const location = useLocation()
  useEffect(() => setBlocking([...document.forms].some(({ noValidate }) => noValidate)), [location])

  useEffect(() => {
    const onFocus = ({ target }: Event) => {
      if (findGuardedForm(target)) setBlocking(true)
    }
    const onInput = ({ target }: Event) => {
      const form = findGuardedForm(target)
      if (!form) return
      trackForm(form)
      setBlocking(true)
    }
    // Changes made before hydration fired no listener.
    for (const form of document.forms) if (form.noValidate && isDirty(form)) trackForm(form)
    // Capture, to run before React submits the form, which is a navigation too.
    const onSubmit = (event: SubmitEvent) => {
      if (!event.defaultPrevented) setSubmitted(event.target as HTMLFormElement, true)
    }
    const onBeforeUnload = (event: BeforeUnloadEvent) => {
      if (unsavedLocations().length) event.preventDefault()
    }
    document.addEventListener('focusin', onFocus)
    document.addEventListener('input', onInput)
    document.addEventListener('submit', onSubmit, true)
    window.addEventListener('beforeunload', onBeforeUnload)
    return () => {
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('input', onInput)
      document.removeEventListener('submit', onSubmit, true)
      window.removeEventListener('beforeunload', onBeforeUnload)
    }
  }, [])
  return isBlocking ? <LeavePrompt /> : null
}

function LeavePrompt() {
  const { state, proceed, reset } = useBlocker(({ nextLocation }) =>
    unsavedLocations().some((location) => leavesForm(location, nextLocation)),
  )
  useEffect(() => {
    if (state !== 'blocked') return
    if (window.confirm('Discard unsaved changes?')) proceed()
    else reset()
  }, [state, proceed, reset])
  return null
}

/** Whether any field in `container` differs from its initial value. */
export function isDirty(container: HTMLElement): boolean {
  const fields = container.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    'input:not([type="hidden"], [type="search"], [type="checkbox"], [type="radio"]), textarea',
  )
  return [...fields].some(
    // Browsers convert colors to lower case.
    ({ type, value, defaultValue }) => value !== (type === 'color' ? defaultValue.toLowerCase() : defaultValue),
  )
}

/** Marks a form as unsaved again, after a failed submission. */
export function markDirty(form: HTMLFormElement): void {
  setSubmitted(form, false)
}

/** Marks a form as saved, for a navigation that discards its changes on purpose. */
export function markClean(form: HTMLFormElement): void {
  setSubmitted(form, true)
}

function trackForm(form: HTMLFormElement): void {
  const { pathname, search } = window.location
  trackedForms.set(form, { location: { pathname, search }, isSubmitted: false })
}

function findGuardedForm(target: EventTarget | null): HTMLFormElement | null {
  const form = target instanceof Element && !target.matches('[type="file"]') ? target.closest('form') : null
  return form?.noValidate ? form : null
}

function setSubmitted(form: HTMLFormElement, isSubmitted: boolean): void {
  const tracked = trackedForms.get(form)
  if (tracked) tracked.isSubmitted = isSubmitted
}

function unsavedLocations(): FormLocation[] {
  return [...document.forms]
    .flatMap((form) => trackedForms.get(form) ?? [])
    .filter(({ isSubmitted }) => !isSubmitted)
    .map(({ location }) => location)
}

/** Filters, and dialogs opened over the form's page, don't leave the form. */
function leavesForm(from: FormLocation, to: FormLocation): boolean {
  const [fromParams, toParams] = [new URLSearchParams(from.search), new URLSearchParams(to.search)]
  return (
    from.pathname !== to.pathname ||
    ['dialog', 'edit'].some((name) => fromParams.has(name) && fromParams.get(name) !== toParams.get(name))
  )
}
