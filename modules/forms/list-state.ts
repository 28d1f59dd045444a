import { enumParam, idParam, pageParam, patternParam, textParam, urlState } from '#app/lib/url.ts'
import { questionKinds, submissionStates, type QuestionKind, type SubmissionState } from './fields.ts'

export const pageSize = 50

export const formsUrl = urlState('/forms', {
  q: textParam,
  page: pageParam,
  dialog: enumParam(['add', 'delete', 'send']),
  form: idParam,
  client: idParam,
})
export type FormListState = { q: string; page: number }

/** The builder of a form. `question`: the one whose dialog is open. */
export const formUrl = (id: number) =>
  urlState(`/forms/${id}`, {
    view: enumParam(['preview']),
    dialog: enumParam(['details', 'question', 'delete-question']),
    question: patternParam(/^[a-z0-9]{1,40}$/),
    kind: enumParam(Object.keys(questionKinds) as QuestionKind[]),
  })

/** The answers to a form. */
export const answersUrl = (id: number) =>
  urlState(`/forms/${id}/answers`, {
    status: enumParam(Object.keys(submissionStates) as SubmissionState[]),
    page: pageParam,
  })

export const submissionUrl = (id: number) => urlState(`/forms/submissions/${id}`, { dialog: enumParam(['delete']) })

export const exportUrl = (id: number): string => `/forms/${id}/export`
export const fileUrl = (submissionId: number, fileId: number): string =>
  `/forms/submissions/${submissionId}/files/${fileId}`
