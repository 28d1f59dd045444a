import type { ToastMessage } from '#app/lib/flash.ts'

let toaster: ((toast: ToastMessage) => void) | null = null

/** Shows a toast from outside React, for example from a client action. */
export function showToast(toast: ToastMessage): void {
  toaster?.(toast)
}

/** Registers the toaster. Returns a function that unregisters it. */
export function registerToaster(show: (toast: ToastMessage) => void): () => void {
  toaster = show
  return () => {
    if (toaster === show) toaster = null
  }
}
