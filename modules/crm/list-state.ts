import { defaultParam, idParam, pageParam, patternParam, textParam, urlState } from '#app/lib/url.ts'

export const sortKeys = ['name', 'joined', 'status', 'progress'] as const
export type SortKey = (typeof sortKeys)[number]
/** A leading minus sorts in descending order. */
export type Sort = SortKey | `-${SortKey}`
export const sorts: Sort[] = sortKeys.flatMap((key): Sort[] => [key, `-${key}`])
export const scopes = ['current', 'archive'] as const
export type Scope = (typeof scopes)[number]
export const views = ['list', 'cards'] as const

export const clientsPerPage = 50

export const clientsUrl = urlState('/clients', {
  q: textParam,
  view: defaultParam(views, 'list'),
  show: defaultParam(scopes, 'current'),
  sort: defaultParam(sorts, '-joined'),
  page: pageParam,
  /** The name of a dialog of this or another module. */
  dialog: patternParam(/^[a-z-]{1,40}$/),
  client: idParam,
})
export type ListState = Omit<ReturnType<typeof clientsUrl.parse>, 'dialog' | 'client'>

export function parseSort(sort: Sort): { key: SortKey; descending: boolean } {
  return { key: sort.replace('-', '') as SortKey, descending: sort.startsWith('-') }
}
