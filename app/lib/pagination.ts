/** The page of a list that an address asks for, from 1 on; what can't be read is the first. */
export function pageIn(params: URLSearchParams): number {
  const page = Number(params.get('page'))
  return Number.isInteger(page) && page > 1 && page < 1_000_000 ? page : 1
}

/** The address of a page of the list at `path`; `more` opens a dialog over it. */
export function pageAddress(path: string, page: number, more: Record<string, string> = {}): string {
  const params = new URLSearchParams({ ...(page > 1 ? { page: String(page) } : {}), ...more })
  return params.size ? `${path}?${params}` : path
}

/** The number of the last page of `count` rows, `size` on each; an empty list has a page too. */
export const lastPageOf = (count: number, size: number): number => Math.max(1, Math.ceil(count / size))
