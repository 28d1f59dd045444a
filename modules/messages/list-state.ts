import { pageParam, textParam, urlState } from '#app/lib/url.ts'

/** Threads on a page. */
export const threadPageSize = 50

export const messagesUrl = urlState('/messages', { q: textParam, page: pageParam })
