import { enumParam, idParam, urlState } from '#app/lib/url.ts'

export const pageSize = 20

/** `message`: the only message to show; `prospect`: whose messages; `before`: the message after older ones. */
export const publicPageUrl = urlState('/public-page', {
  dialog: enumParam(['add', 'edit', 'delete']),
  testimonial: idParam,
  message: idParam,
  prospect: idParam,
  before: idParam,
})
