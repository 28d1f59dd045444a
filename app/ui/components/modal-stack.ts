// A modal dialog makes everything outside it inert, so toasts must be rendered inside the topmost one.
const stack: HTMLElement[] = []
const listeners = new Set<() => void>()

export function pushModal(dialog: HTMLElement): void {
  stack.push(dialog)
  lockScroll()
  notify()
}

export function removeModal(dialog: HTMLElement): void {
  const index = stack.lastIndexOf(dialog)
  if (index >= 0) stack.splice(index, 1)
  lockScroll()
  notify()
}

export function topModal(): HTMLElement | null {
  return stack.at(-1) ?? null
}

export function subscribeToModals(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Stops the page behind from scrolling, and reserves the space of its scroll bar to avoid a layout shift. */
function lockScroll() {
  const page = document.documentElement
  const locked = stack.length > 0
  if (locked === page.classList.contains('is-scroll-locked')) return
  page.classList.toggle('is-scroll-locked-gutter', locked && innerWidth > page.clientWidth)
  page.classList.toggle('is-scroll-locked', locked)
}

function notify() {
  for (const listener of listeners) listener()
}
