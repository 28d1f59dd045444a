import type { RecordKind } from '#modules/core/manifest.ts'
import { isClientInTrash } from '#modules/crm/index.ts'
import { isProspectInTrash } from '#modules/scheduling/index.ts'
import { submissionSources } from './fields.ts'
import { form, submission } from './records.ts'
import { restoreForm } from './services/form.ts'
import { deleteOrphanedFiles, restoreSubmission } from './services/submissions.ts'

const isFormInTrash = `exists (select 1 from form f
  where f.coach_id = $1 and f.id = r.form_id and f.deleted_at is not null)`

export const recordKinds: RecordKind[] = [
  form.recordKind({
    permission: 'forms:form',
    title: 'r.name',
    to: `'/forms/' || r.id`,
    restore: restoreForm,
    onErase: (ctx) => deleteOrphanedFiles(ctx),
    eraseNote: 'Its versions and all answers to it are deleted.',
    fields: { published_number: 'Published version' },
  }),
  submission.recordKind({
    permission: 'forms:submission',
    title: `(select f.name from form f where f.coach_id = $1 and f.id = r.form_id)`,
    to: `'/forms/submissions/' || r.id`,
    hidden: `${isClientInTrash('r')} or ${isProspectInTrash('r')} or ${isFormInTrash}`,
    restore: restoreSubmission,
    eraseNote: 'The answers and their files are deleted.',
    fields: {
      form_id: { label: 'Form', of: 'form' },
      client_id: { label: 'Client', of: 'client' },
      prospect_id: 'Prospect',
      appointment_id: 'Session',
      source: { label: 'Source', valueLabels: submissionSources },
      expires_at: { label: 'Link works until', as: 'time' },
      emailed_at: { label: 'Emailed', as: 'time' },
      submitted_at: { label: 'Answered', as: 'time' },
    },
  }),
]
