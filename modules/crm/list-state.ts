import { parsePage, parseFilterText } from '#app/lib/url.ts'

export const sorts = ['name', 'joined', 'status', 'progress'] as const
export type Sort = (typeof sorts)[number]
export const scopes = ['current', 'archive'] as const
export type Scope = (typeof scopes)[number]

export const clientsPerPage = 50

/** The state of the client list; all of it is in the URL. */
export type ListState = {
  q: string
  view: 'list' | 'cards'
  scope: Scope
  sort: Sort
  descending: boolean
  page: number
}

const defaults: ListState = { q: '', view: 'list', scope: 'current', sort: 'joined', descending: true, page: 1 }

/** Anything unreadable gets its default. */
export function parseListState(params: URLSearchParams): ListState {
  const sort = params.get('sort') ?? ''
  return {
    q: parseFilterText(params.get('q') ?? ''),
    view: params.get('view') === 'cards' ? 'cards' : 'list',
    scope: scopes.find((scope) => scope === params.get('show')) ?? defaults.scope,
    sort: sorts.find((name) => name === sort.replace(/^-/, '')) ?? defaults.sort,
    descending: sort ? sort.startsWith('-') : defaults.descending,
    page: parsePage(params),
  }
}

/** The URL of the list in this state. `dialogParams` open a dialog. */
export function listHref(
  state: ListState,
  changes: Partial<ListState> = {},
  dialogParams: Record<string, string> = {},
): string {
  const { q, view, scope, sort, descending, page } = { ...state, ...changes }
  const params = new URLSearchParams()
  if (q) params.set('q', q)
  if (view !== defaults.view) params.set('view', view)
  if (scope !== defaults.scope) params.set('show', scope)
  if (sort !== defaults.sort || descending !== defaults.descending)
    params.set('sort', `${descending ? '-' : ''}${sort}`)
  if (page > 1) params.set('page', String(page))
  for (const [name, value] of Object.entries(dialogParams)) params.set(name, value)
  const query = params.toString()
  return query ? `/clients?${query}` : '/clients'
}
