import { contextFor, getClients, inTenant } from '#tests/e2e/support/test-app.ts'
import type { Screen, World } from '#tests/e2e/support/screens/screen.ts'
import { newQuestion, type Question } from '../fields.ts'
import { NewForm } from '../forms.ts'
import { formLink } from '../link.ts'
import { findAnsweredForm, saveAnswers, submitAnswers } from '../services/answering.ts'
import { createForm, publishForm, updateForm } from '../services/form.ts'
import { sendForm } from '../services/submissions.ts'

declare module '#tests/e2e/support/screens/screen.ts' {
  interface World {
    /** Has a question of each kind with long texts. */
    form: number
    formQuestion: string
    /** Its answers, which propose a change. */
    formSubmission: number
    /** Paths of pages of links: to answer, and answered. */
    formPage: string
    answeredFormPage: string
    expiredFormPage: string
  }
}

const form = (name: string, suffix: string, more: Partial<Screen> = {}): Screen => ({
  name,
  route: '/forms/:id',
  path: ({ form: id, formQuestion }) => `/forms/${id}${suffix.replace('{question}', formQuestion)}`,
  as: 'full',
  ...more,
})

export const screens: Screen[] = [
  { name: 'portal-forms', route: '/portal/forms', path: '/portal/forms', as: 'client', host: 'full' },
  { name: 'forms', route: '/forms', path: '/forms', as: 'full' },
  { name: 'forms-empty', route: '/forms', path: '/forms', as: 'newcomer' },
  { name: 'forms-none-found', route: '/forms', path: '/forms?q=zzz', as: 'full' },
  { name: 'forms-add', route: '/forms', path: '/forms?dialog=add', as: 'full' },
  { name: 'forms-send', route: '/forms', path: ({ form: id }) => `/forms?dialog=send&form=${id}`, as: 'full' },
  { name: 'forms-delete', route: '/forms', path: ({ form: id }) => `/forms?dialog=delete&form=${id}`, as: 'full' },
  form('form', ''),
  form('form-preview', '?view=preview'),
  form('form-details', '?dialog=details'),
  form('form-add-question', '?dialog=question&kind=choice'),
  form('form-question', '?dialog=question&question={question}'),
  form('form-delete-question', '?dialog=delete-question&question={question}'),
  { name: 'form-answers', route: '/forms/:id/answers', path: ({ form: id }) => `/forms/${id}/answers`, as: 'full' },
  {
    name: 'form-submission',
    route: '/forms/submissions/:id',
    path: ({ formSubmission }) => `/forms/submissions/${formSubmission}`,
    as: 'full',
  },
  {
    name: 'form-submission-delete',
    route: '/forms/submissions/:id',
    path: ({ formSubmission }) => `/forms/submissions/${formSubmission}?dialog=delete`,
    as: 'full',
  },
  { name: 'answer', route: '/form/:token', path: ({ formPage }) => formPage, as: 'visitor', host: 'full' },
  {
    name: 'answered',
    route: '/form/:token',
    path: ({ answeredFormPage }) => answeredFormPage,
    as: 'visitor',
    host: 'full',
  },
  {
    name: 'answer-expired',
    route: '/form/:token',
    path: ({ expiredFormPage }) => expiredFormPage,
    as: 'visitor',
    host: 'full',
  },
  { name: 'answer-ended', route: '/form/:token', path: '/form/x', as: 'visitor', host: 'full', status: 404 },
  {
    name: 'form-history',
    route: '/history/form/:id',
    path: ({ form: id }) => `/history/form/${id}`,
    as: 'full',
  },
  {
    name: 'form-submission-history',
    route: '/history/form_submission/:id',
    path: ({ formSubmission }) => `/history/form_submission/${formSubmission}`,
    as: 'full',
  },
]

/** Creates the records that the screens show. */
export async function world({ full, longText }: World): Promise<Partial<World>> {
  const ctx = await contextFor(full)
  const clients = await getClients(full)
  const { id } = await inTenant(full, async (tx) => {
    const added = await createForm(
      tx,
      NewForm.parse({ name: longText.slice(0, 255), description: longText, questions: listQuestions(longText) }),
    )
    await publishForm(tx, added.id)
    return updateForm(tx, added.id, { description: longText.slice(0, 100) })
  })
  const send = (clientId: number, expiresInDays = 30) =>
    inTenant(full, (tx) => sendForm(tx, { formId: id, clientId, expiresInDays }))
  const answer = async (submissionId: number, save: typeof saveAnswers | typeof submitAnswers) => {
    const { version, formVersionId } = (await findAnsweredForm(ctx, submissionId))!
    const sent = { scale: ['7'], short: [longText.slice(0, 200)], long: [longText], one: ['Yes'] }
    await save(ctx, submissionId, { version, formVersionId, sent })
  }
  for (const _ of [1, 2]) await answer((await send(clients[0]!.id)).id, submitAnswers)
  const answered = await send(clients[0]!.id)
  await answer(answered.id, submitAnswers)
  const begun = await send(clients[0]!.id)
  await answer(begun.id, saveAnswers)
  const expired = await send(clients[1]!.id)
  await inTenant(full, (tx) =>
    tx.query({
      name: 'test.expire-form',
      text: 'update form_submission set expires_at = $3 where coach_id = $1 and id = $2',
      values: [tx.coachId, expired.id, tx.now()],
    }),
  )
  return {
    form: id,
    formQuestion: 'long',
    formSubmission: answered.id,
    formPage: formLink.getPath(ctx, begun.id),
    answeredFormPage: formLink.getPath(ctx, answered.id),
    expiredFormPage: formLink.getPath(ctx, expired.id),
  }
}

function listQuestions(longText: string): Question[] {
  const label = longText.slice(0, 300)
  const ask = (kind: Question['kind'], questionId: string, more: Partial<Question> = {}): Question => ({
    ...newQuestion(kind, questionId),
    label,
    help: longText.slice(0, 500),
    ...more,
  })
  return [
    ask('section', 'section'),
    ask('short', 'short', { required: true, clientField: 'profession' }),
    ask('choice', 'one', { options: ['Yes', 'No', longText.slice(0, 200)] }),
    ask('long', 'long', { condition: { question: 'one', test: 'is', value: 'Yes' }, clientField: 'goals' }),
    ask('choice', 'several', { options: ['Yes', 'No', longText.slice(0, 200)], multiple: true }),
    ask('scale', 'scale', { minLabel: longText.slice(0, 60), maxLabel: longText.slice(0, 60) }),
    ask('date', 'date'),
    ask('file', 'file'),
  ]
}
