import { enumParam, idParam, pageParam, textParam, urlState } from '#app/lib/url.ts'

export const listUrl = urlState('/session-summaries', { q: textParam, page: pageParam })

/** Sessions on one page of Session Management. */
export const sessionRows = 20

/** A session's page. `line`: the line of the transcript that is marked; `q`: searched in it. */
export const sessionUrl = (id: number) =>
  urlState(`/session-summaries/${id}`, {
    q: textParam,
    line: idParam,
    page: pageParam,
    dialog: enumParam([
      'consent',
      'withdraw',
      'unapprove',
      'delete-summary',
      'delete-transcript',
      'delete-recording',
      'discard-upload',
    ]),
    upload: idParam,
  })

export const linesPerPage = 200
