/**
 * Parses the id of a record from a URL or a form: a positive integer. Returns 0, which no record has, for anything
 * else.
 */
export function parseId(value: unknown): number {
  const id = typeof value === 'string' && /^[1-9]\d{0,15}$/.test(value) ? Number(value) : 0
  return Number.isSafeInteger(id) ? id : 0
}

/** Parses the page number of a list, from 1. Anything unreadable is the first page. */
export function parsePage(params: URLSearchParams): number {
  const page = Number(params.get('page'))
  return Number.isInteger(page) && page > 1 && page < 1_000_000 ? page : 1
}

/** The URL of a page of the list at `path`. `params` are added, for example to open a dialog. */
export function pageHref(path: string, page: number, params: Record<string, string> = {}): string {
  return withQuery(path, { ...(page > 1 ? { page: String(page) } : {}), ...params })
}

/** The number of pages for `count` rows. An empty list has one page. */
export const countPages = (count: number, pageSize: number): number => Math.max(1, Math.ceil(count / pageSize))

const origin = 'http://localhost.invalid'

/**
 * Returns `url` as a path on this host that is safe in a Location header, or null if it leads to another host. Parses
 * it like a browser, which removes tabs and line feeds and treats `\` as `/`, and checks the result.
 */
export function safeRedirectPath(url: unknown): string | null {
  if (typeof url !== 'string' || !url.startsWith('/') || !URL.canParse(url, origin)) return null
  const parsed = new URL(url, origin)
  return parsed.origin === origin && !parsed.pathname.startsWith('//') ? parsed.pathname + parsed.search : null
}

/** Parses the text that a list is filtered by: one line of at most 255 code points, without control characters. */
export function parseFilterText(text: string): string {
  const line = text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
  return [...line].slice(0, 255).join('')
}

type ParamValue = string | number | null | readonly string[]
/** A search param. An unreadable value counts as `empty`, and an empty one is left out of URLs. */
export type Param<T extends ParamValue = ParamValue> = {
  parse: (text: string) => T | undefined
  empty: T
}

export const textParam: Param<string> = { parse: parseFilterText, empty: '' }
export const pageParam: Param<number> = {
  parse: (text) => (/^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined),
  empty: 1,
}
export const idParam: Param<number | null> = { parse: (text) => parseId(text) || undefined, empty: null }
export const enumParam = <const V extends string>(values: readonly V[]): Param<V | null> => ({
  parse: (text) => values.find((value) => value === text),
  empty: null,
})
/** As `enumParam`, with a value for a missing param. */
export const defaultParam = <const V extends string>(values: readonly V[], empty: V): Param<V> => ({
  parse: (text) => values.find((value) => value === text),
  empty,
})
/** Values separated by commas. A form may also send the param several times. */
export const listParam = <const V extends string>(values: readonly V[]): Param<readonly V[]> => ({
  parse: (text) => values.filter((value) => text.split(',').includes(value)),
  empty: [],
})
export const patternParam = (pattern: RegExp): Param<string | null> => ({
  parse: (text) => (pattern.test(text) ? text : undefined),
  empty: null,
})

/** A calendar date from 1900 to 2199, such as '2026-03-14'. */
export const dayParam: Param<string | null> = {
  parse: (day) => (/^(19|20|21)\d\d-\d\d-\d\d$/.test(day) && isCalendarDate(day) ? day : undefined),
  empty: null,
}
const isCalendarDate = (day: string): boolean => {
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}

type State<P> = { [N in keyof P]: P[N] extends Param<infer T> ? T : never }

/** The state of a page that lives in its URL: `parse` reads it, `href` writes it. */
export function urlState<P extends Record<string, Param>>(path: string, params: P) {
  return {
    parse(url: string | URL): State<P> {
      const { searchParams } = new URL(url, origin)
      return Object.fromEntries(
        Object.entries(params).map(([name, { parse, empty }]) => {
          const text = Array.isArray(empty) ? searchParams.getAll(name).join(',') : (searchParams.get(name) ?? '')
          return [name, parse(text) ?? empty]
        }),
      ) as State<P>
    },
    /** The URL of `state` with `change` applied. Params that neither sets are empty. */
    href(state: Partial<State<P>> = {}, change: Partial<State<P>> = {}): string {
      const values: Record<string, ParamValue | undefined> = { ...state, ...change }
      const query = Object.entries(params).flatMap(([name, { empty }]) => {
        const text = String(values[name] ?? empty)
        return text === String(empty) ? [] : [[name, text]]
      })
      return withQuery(path, Object.fromEntries(query))
    },
  }
}

/** Sets params in a URL, or removes them (null). */
export function withQuery(url: string, change: Record<string, string | null>): string {
  const [path = '/', query = ''] = url.split('?')
  const params = new URLSearchParams(query)
  for (const [name, value] of Object.entries(change))
    if (value === null) params.delete(name)
    else params.set(name, value)
  return params.size ? `${path}?${params}` : path
}
