import type { ToastMessage } from '#app/lib/flash.ts'

let speaker: ((toast: ToastMessage) => void) | null = null

/** Shows a toast from outside of the page's components: from what sends its forms. */
export function say(toast: ToastMessage): void {
  speaker?.(toast)
}

/** Who shows what is said. Answers how to end it. */
export function speaks(show: (toast: ToastMessage) => void): () => void {
  speaker = show
  return () => {
    if (speaker === show) speaker = null
  }
}
