/** A toast. `action` is an undo form; `link` points at the result. */
export type ToastMessage = {
  tone: 'success' | 'error'
  title: string
  text?: string
  action?: { label: string; to: string; fields?: Record<string, string> }
  link?: { label: string; to: string; newTab?: true }
}

const cookieName = 'toast'

/** The Set-Cookie value that shows `message` once, on the next page. */
export function flash(message: ToastMessage): string {
  return `${cookieName}=${encodeURIComponent(JSON.stringify(message))}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax`
}

/** The Set-Cookie value that deletes the toast. */
export const clearFlash = `${cookieName}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`

/** Reads the toast of this page. Returns null if the cookie is missing or malformed. */
export function readFlash(request: Request): ToastMessage | null {
  const value = readCookie(request, cookieName)
  if (!value) return null
  try {
    return parseToast(JSON.parse(decodeURIComponent(value)))
  } catch {
    return null
  }
}

export type Theme = 'light' | 'dark' | 'system'

/** The theme chosen in this browser, or 'system'. */
export function readTheme(request: Request): Theme {
  const value = readCookie(request, 'theme')
  return value === 'light' || value === 'dark' ? value : 'system'
}

export function themeCookie(theme: Theme): string {
  return theme === 'system'
    ? 'theme=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax'
    : `theme=${theme}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax`
}

function readCookie(request: Request, name: string): string | undefined {
  return request.headers
    .get('cookie')
    ?.split(/;\s*/)
    .find((part) => part.startsWith(`${name}=`))
    ?.slice(name.length + 1)
}

function parseToast(value: unknown): ToastMessage | null {
  if (!isRecord(value) || typeof value.title !== 'string') return null
  const message: ToastMessage = { tone: value.tone === 'error' ? 'error' : 'success', title: value.title }
  if (typeof value.text === 'string') message.text = value.text
  const link = parseLink(value.link)
  if (link) message.link = link
  const action = parseLink(value.action)
  if (action) {
    message.action = action
    const fields = isRecord(value.action) && isRecord(value.action.fields) ? Object.entries(value.action.fields) : []
    message.action.fields = Object.fromEntries(
      fields.filter((field): field is [string, string] => typeof field[1] === 'string'),
    )
  }
  return message
}

/** A label and a path on this host: the cookie isn't signed. */
function parseLink(value: unknown): { label: string; to: string } | null {
  if (!isRecord(value) || typeof value.label !== 'string' || typeof value.to !== 'string') return null
  return /^\/(?!\/)/.test(value.to) ? { label: value.label, to: value.to } : null
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
