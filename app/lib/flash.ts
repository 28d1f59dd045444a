/** What a toast says. `action` is a write that takes the deed back, sent as a form; `link` leads to what came of the deed. */
export type ToastMessage = {
  tone: 'success' | 'error'
  title: string
  text?: string
  action?: { label: string; to: string; fields?: Record<string, string> }
  link?: { label: string; to: string; newTab?: true }
}

const cookieName = 'toast'

/** The Set-Cookie value that makes the next page show `message`, once. */
export function flash(message: ToastMessage): string {
  return `${cookieName}=${encodeURIComponent(JSON.stringify(message))}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax`
}

/** The Set-Cookie value that forgets the toast after it was shown. */
export const shown = `${cookieName}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`

/** Reads the toast that the last answer left for this page. Anything malformed is no toast. */
export function readFlash(request: Request): ToastMessage | null {
  const value = cookieOf(request, cookieName)
  if (!value) return null
  try {
    return toastOf(JSON.parse(decodeURIComponent(value)))
  } catch {
    return null
  }
}

export type Theme = 'light' | 'dark' | 'system'

/** The theme that this browser chose, or 'system'. */
export function readTheme(request: Request): Theme {
  const value = cookieOf(request, 'theme')
  return value === 'light' || value === 'dark' ? value : 'system'
}

export function themeCookie(theme: Theme): string {
  return theme === 'system'
    ? 'theme=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax'
    : `theme=${theme}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax`
}

function cookieOf(request: Request, name: string): string | undefined {
  return request.headers
    .get('cookie')
    ?.split(/;\s*/)
    .find((part) => part.startsWith(`${name}=`))
    ?.slice(name.length + 1)
}

function toastOf(value: unknown): ToastMessage | null {
  if (!isRecord(value) || typeof value.title !== 'string') return null
  const message: ToastMessage = { tone: value.tone === 'error' ? 'error' : 'success', title: value.title }
  if (typeof value.text === 'string') message.text = value.text
  const link = wayOf(value.link)
  if (link) message.link = link
  const action = wayOf(value.action)
  if (action) {
    message.action = action
    const fields = isRecord(value.action) && isRecord(value.action.fields) ? Object.entries(value.action.fields) : []
    message.action.fields = Object.fromEntries(
      fields.filter((field): field is [string, string] => typeof field[1] === 'string'),
    )
  }
  return message
}

/** A label and an address of this very host. */
function wayOf(value: unknown): { label: string; to: string } | null {
  if (!isRecord(value) || typeof value.label !== 'string' || typeof value.to !== 'string') return null
  return /^\/(?!\/)/.test(value.to) ? { label: value.label, to: value.to } : null
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
