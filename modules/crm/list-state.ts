import {
  defaultParam,
  enumParam,
  idParam,
  pageParam,
  patternParam,
  textParam,
  urlState,
  withQuery,
  type Param,
} from '#app/lib/url.ts'
import { clientStatuses } from './fields.ts'

export const sortKeys = ['name', 'joined', 'status', 'progress'] as const
export type SortKey = (typeof sortKeys)[number]
/** A leading minus sorts in descending order. */
export type Sort = SortKey | `-${SortKey}`
export const sorts: Sort[] = sortKeys.flatMap((key): Sort[] => [key, `-${key}`])
export const scopes = ['current', 'archive'] as const
export type Scope = (typeof scopes)[number]
export const views = ['list', 'cards'] as const

export const clientsPerPage = 50
/** Saved views of a coach. */
export const maxViews = 30

/** Filters of other modules, such as `product.7`: each at most once. */
export function parseFilters(text: string): readonly string[] {
  const filters = text.split(',').filter((filter) => /^[a-z]{1,30}\.\w{1,30}$/.test(filter))
  return filters.filter((filter, index) => filters.findIndex((other) => isSameFilter(other, filter)) === index)
}
/** Filters of other modules without anything else. */
export const filtersPattern = /^[a-z]{1,30}\.\w{1,30}(,[a-z]{1,30}\.\w{1,30}){0,9}$/
const filtersParam: Param<readonly string[]> = { parse: parseFilters, empty: [] }
const isSameFilter = (a: string, b: string): boolean => splitFilter(a)[0] === splitFilter(b)[0]

/** The name and the value of a filter. */
export const splitFilter = (filter: string): [name: string, value: string] => {
  const dot = filter.indexOf('.')
  return [filter.slice(0, dot), filter.slice(dot + 1)]
}

export const clientsUrl = urlState('/clients', {
  q: textParam,
  view: defaultParam(views, 'list'),
  show: defaultParam(scopes, 'current'),
  sort: defaultParam(sorts, '-joined'),
  status: enumParam(clientStatuses),
  tag: textParam,
  filters: filtersParam,
  page: pageParam,
  /** Whether clients are being chosen. */
  select: patternParam(/^on$/),
  /** The name of a dialog of this or another module. */
  dialog: patternParam(/^[a-z-]{1,40}$/),
  client: idParam,
})
/** The page that merges another client into this one. `find`: the search for the other one, without JavaScript. */
export const mergeUrl = (id: number) => urlState(`/clients/${id}/merge`, { with: idParam, find: textParam })
export type ListState = Omit<ReturnType<typeof clientsUrl.parse>, 'dialog' | 'client'>

/** The filters in use, without the search. */
export const countFilters = ({ status, tag, filters }: Pick<ListState, 'status' | 'tag' | 'filters'>): number =>
  (status ? 1 : 0) + (tag ? 1 : 0) + filters.length

/** A list state without filters, for the links that remove them. */
export const withoutFilters = { status: null, tag: '', filters: [], page: 1 } as const

/** The CSV file of what the list shows on all its pages, or of `ids` alone. */
export const exportHref = (state: ListState, ids: number[] = []): string =>
  withQuery(
    clientsUrl.href({ ...state, view: 'list', page: 1, select: null }).replace('/clients', '/clients/export'),
    ids.length ? { ids: ids.join(',') } : {},
  )

export function parseSort(sort: Sort): { key: SortKey; descending: boolean } {
  return { key: sort.replace('-', '') as SortKey, descending: sort.startsWith('-') }
}
