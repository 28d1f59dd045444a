import { enumParam, idParam, urlState } from '#app/lib/url.ts'

export const webhooksPath = '/settings/webhooks'
export const pageSize = 25

/** The page of an endpoint. `after`: the last entry of the previous page of its log. */
export const endpointUrl = (id: number) =>
  urlState(`${webhooksPath}/${id}`, { after: idParam, dialog: enumParam(['delete', 'secret']) })
