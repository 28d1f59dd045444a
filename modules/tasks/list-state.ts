import { defaultParam, enumParam, idParam, pageParam, textParam, urlState } from '#app/lib/url.ts'

export const pageSize = 50

/** The tabs of the page, and what the file has. */
export const views = { mine: 'Mine', clients: 'Clients’', overdue: 'Overdue', done: 'Done' } as const
export type View = keyof typeof views
const viewNames = Object.keys(views) as View[]

const filters = { view: defaultParam(viewNames, 'mine'), q: textParam, client: idParam }

export const tasksUrl = urlState('/tasks', {
  ...filters,
  page: pageParam,
  dialog: enumParam(['add', 'edit', 'delete']),
  task: idParam,
})
export type TaskFilters = { view: View; q: string; client: number | null }

export const tasksExportUrl = urlState('/tasks/export', filters)
