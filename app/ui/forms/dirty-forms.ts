/** The URL of the page that a form is on. */
export type FormLocation = { pathname: string; search: string }

/** The forms with changes: their URL, and whether they were submitted since. */
const trackedForms = new WeakMap<HTMLFormElement, { location: FormLocation; isSubmitted: boolean }>()

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

/** Marks all forms as saved, before a navigation that discards their changes. */
export function markAllClean(): void {
  for (const form of document.forms) markClean(form)
}

/** For a form that replaces `former` with the same values. */
export function trackReplacement(form: HTMLFormElement, former: HTMLFormElement): void {
  const tracked = trackedForms.get(former)
  if (tracked) trackedForms.set(form, { ...tracked })
}

/** Marks a form as changed on the current page. */
export function trackForm(form: HTMLFormElement): void {
  const { pathname, search } = window.location
  trackedForms.set(form, { location: { pathname, search }, isSubmitted: false })
}

/** The form around `target` if it is guarded, which `noValidate` means. */
export function findGuardedForm(target: EventTarget | null): HTMLFormElement | null {
  const form = target instanceof Element && !target.matches('[type="file"]') ? target.closest('form') : null
  return form?.noValidate ? form : null
}

function setSubmitted(form: HTMLFormElement, isSubmitted: boolean): void {
  const tracked = trackedForms.get(form)
  if (tracked) tracked.isSubmitted = isSubmitted
}

/** The locations of the page's unsaved forms. */
export function unsavedLocations(): FormLocation[] {
  return [...document.forms]
    .flatMap((form) => trackedForms.get(form) ?? [])
    .filter(({ isSubmitted }) => !isSubmitted)
    .map(({ location }) => location)
}

/** Search params of pages that show another form for each of their values. */
const formParams = ['step', 'view', 'message', 'schedule']

/** Filters, and dialogs opened over the form's page, don't leave the form; the next step of a wizard does. */
export function leavesForm(from: FormLocation, to: FormLocation): boolean {
  const [fromParams, toParams] = [new URLSearchParams(from.search), new URLSearchParams(to.search)]
  return (
    from.pathname !== to.pathname ||
    formParams.some((name) => fromParams.get(name) !== toParams.get(name)) ||
    ['dialog', 'edit'].some((name) => fromParams.has(name) && fromParams.get(name) !== toParams.get(name))
  )
}
