import { enumParam, idParam, pageParam, textParam, urlState } from '#app/lib/url.ts'
import { resourceTypes, type ResourceType } from './fields.ts'

export const pageSize = 50

const filters = {
  q: textParam,
  type: enumParam(Object.keys(resourceTypes) as ResourceType[]),
  folder: idParam,
  client: idParam,
  tag: textParam,
}
export type ResourceFilters = ReturnType<typeof resourcesExportUrl.parse>

export const resourcesUrl = urlState('/resources', {
  ...filters,
  page: pageParam,
  dialog: enumParam(['upload', 'discard', 'link', 'folders', 'delete']),
  resource: idParam,
  upload: idParam,
})
export type ResourceListState = ResourceFilters & { page: number }

export const resourcesExportUrl = urlState('/resources/export', filters)

/** The page of one resource. */
export const resourceUrl = (id: number) => urlState(`/resources/${id}`, { dialog: enumParam(['delete', 'version']) })
