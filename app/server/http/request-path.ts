import type { Context } from 'hono'

/** The undecoded path: an invalid percent-encoding must not throw. */
export function rawPath(c: Context): string {
  const { url } = c.req
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const end = url.slice(start).search(/[?#]/)
  return end < 0 ? url.slice(start) : url.slice(start, start + end)
}

/** Whether an error is for scripts. */
export const wantsJson = (c: Context): boolean =>
  c.req.path.endsWith('.data') || (c.req.header('accept') ?? '').startsWith('application/json')
