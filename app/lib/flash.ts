/** A toast. `action` is an undo form; `link` points at the result. */
export type ToastMessage = {
  tone: 'success' | 'error'
  title: string
  text?: string
  action?: { label: string; to: string; fields?: Record<string, string> }
  link?: { label: string; to: string; newTab?: true }
}

export type Theme = 'light' | 'dark' | 'system'
