import { parseId } from '#app/lib/url.ts'
import { getClient } from '#modules/crm/index.ts'
import { operation, publicOperation } from '#tenants/api/operation.ts'
import { listOperation, resource } from '#tenants/api/resource.ts'
import {
  AnswersInput,
  FormEdit,
  MoveQuestion,
  NewForm,
  NewRequirement,
  NewSubmission,
  SubmissionFilter,
} from './forms.ts'
import { SavedOut, saveByLink } from './answering/save.ts'
import { getForm, listForms, listVersions } from './queries/form.ts'
import { getSubmission, listProposals, listRequirements, listSubmissions } from './queries/submissions.ts'
import { form, ProposalOut, RequirementOut, submission, VersionOut } from './records.ts'
import { createForm, deleteForm, moveQuestion, publishForm, restoreForm, updateForm } from './services/form.ts'
import { approveProposal, dismissProposal } from './services/proposals.ts'
import { removeRequirement, requireForm } from './services/requirements.ts'
import { deleteSubmission, resendForm, restoreSubmission, sendForm } from './services/submissions.ts'

const toCursor = ({ createdAt, id }: { createdAt: string; id: number }) => ({ at: createdAt, id })

export const operations = [
  ...resource({
    path: '/forms',
    noun: 'form',
    output: form.output,
    get: getForm,
    list: { description: 'Newest first.', run: listForms },
    create: {
      description: 'With `questions`, or those of a `template`. Clients see a form once it is published.',
      body: NewForm,
      run: createForm,
    },
    update: { description: 'What is published stays until it is published again.', body: FormEdit, run: updateForm },
    delete: { run: deleteForm },
    restore: restoreForm,
    actions: {
      publish: {
        summary: 'Publish a form',
        description: 'Makes a version of it, unless nothing has changed. Who has begun to answer keeps the version.',
        run: publishForm,
      },
    },
  }),
  listOperation({
    tags: ['Forms'],
    path: '/forms/{id}/versions',
    summary: 'List the versions of a form',
    output: VersionOut,
    find: (ctx, { id }) => getForm(ctx, id!),
    run: (ctx, page, _query, { id }) => listVersions(ctx, id!, page),
    toCursor,
  }),
  operation({
    tags: ['Forms'],
    method: 'post',
    path: '/forms/{id}/move-question',
    summary: 'Move a question of a form',
    description: '`to` is the position among the others, from 0.',
    body: MoveQuestion,
    answers: { 200: form.output },
    refusals: [404],
    find: (ctx, { id }) => getForm(ctx, id!),
    handle: (ctx, { params, body }) => moveQuestion(ctx, params.id!, body),
  }),
  ...resource({
    path: '/form-submissions',
    tag: 'Forms',
    noun: 'form submission',
    output: submission.output,
    get: getSubmission,
    list: {
      description: 'Newest first.',
      query: SubmissionFilter,
      run: async (ctx, page, { formId, clientId, status }) => {
        const [chosen, client] = await Promise.all([
          formId === undefined ? null : getForm(ctx, parseId(formId)),
          clientId === undefined ? null : getClient(ctx, parseId(clientId)),
        ])
        return listSubmissions(ctx, { ...page, status, formId: chosen?.id, clientId: client?.id })
      },
    },
    create: {
      summary: 'Send a form to a client',
      description: 'One that the client has and didn’t answer yet is sent again.',
      body: NewSubmission,
      run: sendForm,
    },
    delete: { run: deleteSubmission },
    restore: restoreSubmission,
    actions: { resend: { summary: 'Email the link again', run: resendForm } },
  }),
  publicOperation({
    tags: ['Forms'],
    method: 'post',
    path: '/form-answers',
    summary: 'Keep the answers of the page of a link',
    description:
      'For that page, on the coach’s host, while somebody types. `version` counts the changes of the answers: one that ' +
      'is older than theirs is a 409, and changes nothing, unless the answers are the same.',
    body: AnswersInput,
    answers: { 200: SavedOut },
    refusals: [404, 409],
    handle: saveByLink,
  }),
  listOperation({
    tags: ['Forms'],
    path: '/form-proposals',
    summary: 'List what answers would change',
    description: 'Answers that may become fields of clients and wait for a decision, newest first.',
    output: ProposalOut,
    run: (ctx, page) => listProposals(ctx, page),
    toCursor,
  }),
  ...(['approve', 'dismiss'] as const).map((verb) =>
    operation({
      tags: ['Forms'],
      method: 'post',
      path: `/form-proposals/{id}/${verb}`,
      summary: verb === 'approve' ? 'Take an answer over into the client' : 'Leave the client as it is',
      answers: { 200: ProposalOut },
      refusals: [409],
      handle: (ctx, { params }) => (verb === 'approve' ? approveProposal : dismissProposal)(ctx, params.id!),
    }),
  ),
  listOperation({
    tags: ['Forms'],
    path: '/form-requirements',
    summary: 'List the forms that appointment types require',
    output: RequirementOut,
    run: (ctx, page) => listRequirements(ctx, page),
    toCursor,
  }),
  operation({
    tags: ['Forms'],
    method: 'post',
    path: '/form-requirements',
    summary: 'Send a form with each session of an appointment type',
    body: NewRequirement,
    answers: { 201: RequirementOut },
    handle: (ctx, { body }) => requireForm(ctx, body),
  }),
  operation({
    tags: ['Forms'],
    method: 'delete',
    path: '/form-requirements/{id}',
    summary: 'Stop sending a form with sessions',
    answers: { 204: null },
    handle: (ctx, { params }) => removeRequirement(ctx, params.id!),
  }),
]
