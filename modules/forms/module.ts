import { clientErased, reassignClient, reassignProspect } from '#modules/crm/index.ts'
import { appointmentCreated } from '#modules/scheduling/index.ts'
import { subscribe } from '../core/events.ts'
import { implementHook } from '../core/hooks.ts'
import { defineModule } from '../core/manifest.ts'
import { automationTriggers } from './automations.ts'
import { operations } from './api.ts'
import { contributions } from './contributions.ts'
import { formSubmitted } from './events.ts'
import { migrations } from './migrations.ts'
import { permissions } from './permissions.ts'
import { practiceExport } from './practice-export.ts'
import { programPart } from './program-part.ts'
import { Form, FormFile, FormProposal, FormRequirement, FormSubmission, FormVersion } from './schema.ts'
import { search } from './search.ts'
import { seed } from './seed.ts'
import { notify, notifyQueue, type NotifyJob } from './services/notifications.ts'
import { sendRequired } from './services/requirements.ts'
import {
  deleteAllOrphanedFiles,
  deleteOrphanedFiles,
  emailQueue,
  reassignToClient,
  reassignToProspect,
  sendLinkEmail,
} from './services/submissions.ts'
import { recordKinds } from './trash.ts'

export default defineModule({
  id: 'forms',
  dependsOn: ['crm', 'scheduling'],
  entities: [Form, FormVersion, FormSubmission, FormFile, FormProposal, FormRequirement],
  publishedEvents: [{ event: formSubmitted, label: 'Form answered' }],
  notifications: [
    {
      kind: 'forms.answered',
      label: 'A form is answered',
      description: 'One email about all forms that were answered within five minutes, without the answers.',
    },
  ],
  automationTriggers,
  migrations,
  permissions,
  operations,
  routes: [
    { path: 'portal/forms', file: 'routes/portal-forms.tsx', layout: 'portal' },
    { path: 'forms', file: 'routes/forms.tsx' },
    { path: 'forms/:id', file: 'routes/form.tsx' },
    { path: 'forms/:id/answers', file: 'routes/answers.tsx' },
    { path: 'forms/:id/export', file: 'routes/export.ts', layout: 'resource', isPrivate: true },
    { path: 'forms/submissions/:id', file: 'routes/submission.tsx' },
    { path: 'forms/submissions/:id/files/:file', file: 'routes/submission-file.ts', layout: 'resource' },
    { path: 'form/:token', file: 'routes/answer.tsx', layout: 'public' },
    { path: 'form/:token/file', file: 'routes/answer-file.ts', layout: 'resource', uploads: true },
  ],
  nav: [
    {
      label: 'Forms',
      to: '/forms',
      otherPaths: ['/history/form', '/history/form_submission'],
      icon: 'clipboard-list',
      section: 'main',
      order: 66,
      permission: 'forms:form:read',
    },
  ],
  clientRecords: [{ table: 'form_submission', label: ['form', 'forms'], parents: { appointment_id: 'appointment' } }],
  recordKinds,
  search,
  contributions,
  jobs: [
    {
      name: emailQueue,
      kind: 'email',
      // The mail server may be away for eight hours.
      retryLimit: 40,
      run: (platform, { coachId, submissionId }) =>
        sendLinkEmail(platform, { coachId: Number(coachId), submissionId: Number(submissionId) }),
    },
    { name: notifyQueue, kind: 'email', retryLimit: 40, run: (platform, data) => notify(platform, data as NotifyJob) },
    { name: 'forms.delete-orphaned-files', every: '19 4 * * *', keepsData: true, run: deleteAllOrphanedFiles },
  ],
  seed,
  hooks: [
    implementHook('forms', reassignProspect, reassignToClient),
    implementHook('forms', reassignClient, reassignToProspect),
  ],
  subscribers: [
    subscribe('forms', appointmentCreated, sendRequired),
    subscribe('forms', clientErased, (ctx) => deleteOrphanedFiles(ctx), { keepsData: true }),
  ],
  programPart,
  practiceExport,
})
