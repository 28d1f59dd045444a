import { enumParam, idParam, pageParam, textParam, urlState } from '#app/lib/url.ts'

/** Threads on a page. */
export const threadPageSize = 50

/** `client`: the one chosen in the dialog. `find`: the search for them without JavaScript. */
export const messagesUrl = urlState('/messages', {
  q: textParam,
  page: pageParam,
  dialog: enumParam(['new']),
  client: idParam,
  find: textParam,
})
