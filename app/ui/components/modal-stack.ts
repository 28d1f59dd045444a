// Modal dialogs make everything outside them inert. What must stay usable (a toast) asks here which one is on top.
const stack: HTMLElement[] = []
const listeners = new Set<() => void>()

export function opened(dialog: HTMLElement): void {
  stack.push(dialog)
  lock()
  tell()
}

export function closed(dialog: HTMLElement): void {
  const at = stack.lastIndexOf(dialog)
  if (at >= 0) stack.splice(at, 1)
  lock()
  tell()
}

export function topLayer(): HTMLElement | null {
  return stack.at(-1) ?? null
}

export function onLayers(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The page behind doesn't scroll; where its scroll bar was, its room is kept, so nothing moves. */
function lock() {
  const page = document.documentElement
  const locked = stack.length > 0
  if (locked === page.classList.contains('is-locked')) return
  page.classList.toggle('is-locked-beside-bar', locked && innerWidth > page.clientWidth)
  page.classList.toggle('is-locked', locked)
}

function tell() {
  for (const listener of listeners) listener()
}
