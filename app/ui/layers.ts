// Modal dialogs make everything outside them inert. What must stay usable (a toast) asks here which one is on top.
const stack: HTMLElement[] = []
const listeners = new Set<() => void>()

export function opened(dialog: HTMLElement): void {
  stack.push(dialog)
  tell()
}

export function closed(dialog: HTMLElement): void {
  const at = stack.lastIndexOf(dialog)
  if (at >= 0) stack.splice(at, 1)
  tell()
}

export function topLayer(): HTMLElement | null {
  return stack.at(-1) ?? null
}

export function onLayers(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function tell() {
  for (const listener of listeners) listener()
}
