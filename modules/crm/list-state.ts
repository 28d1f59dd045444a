import { pageIn } from '#app/lib/pagination.ts'
import { searchLine } from '#app/lib/search-term.ts'

export const sorts = ['name', 'joined', 'status', 'progress'] as const
export type Sort = (typeof sorts)[number]
export const places = ['current', 'archive'] as const
export type PlaceName = (typeof places)[number]

export const pageRows = 50

/** What of the client list is shown: all of it stands in the address. */
export type ListState = {
  q: string
  view: 'list' | 'cards'
  place: PlaceName
  sort: Sort
  down: boolean
  page: number
}

const usual: ListState = { q: '', view: 'list', place: 'current', sort: 'joined', down: true, page: 1 }

/** Reads an address. What isn't known is as usual. */
export function listState(params: URLSearchParams): ListState {
  const sort = params.get('sort') ?? ''
  return {
    q: searchLine(params.get('q') ?? ''),
    view: params.get('view') === 'cards' ? 'cards' : 'list',
    place: places.find((place) => place === params.get('show')) ?? usual.place,
    sort: sorts.find((name) => name === sort.replace(/^-/, '')) ?? usual.sort,
    down: sort ? sort.startsWith('-') : usual.down,
    page: pageIn(params),
  }
}

/** The address of the list in this state; `more` opens a dialog. */
export function listAddress(
  state: ListState,
  changes: Partial<ListState> = {},
  more: Record<string, string> = {},
): string {
  const { q, view, place, sort, down, page } = { ...state, ...changes }
  const params = new URLSearchParams()
  if (q) params.set('q', q)
  if (view !== usual.view) params.set('view', view)
  if (place !== usual.place) params.set('show', place)
  if (sort !== usual.sort || down !== usual.down) params.set('sort', `${down ? '-' : ''}${sort}`)
  if (page > 1) params.set('page', String(page))
  for (const [name, value] of Object.entries(more)) params.set(name, value)
  const query = params.toString()
  return query ? `/clients?${query}` : '/clients'
}
