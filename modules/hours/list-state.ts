import { dayParam, enumParam, idParam, pageParam, urlState } from '#app/lib/url.ts'

export const pageSize = 50
/** Entries that the page shows; the export has all. */
export const maxEntries = 200

/** `from` and `to`: days of the coach's calendar, both included. */
export const hoursUrl = urlState('/hours', {
  page: pageParam,
  from: dayParam,
  to: dayParam,
  dialog: enumParam(['add', 'edit', 'delete']),
  entry: idParam,
})

export const hoursExportUrl = urlState('/hours/export', { from: dayParam, to: dayParam })
