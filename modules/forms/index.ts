// The public interface for other modules.
export * from './events.ts'
export { NewForm, NewSubmission } from './forms.ts'
export { getForm, listForms } from './queries/form.ts'
export { getSubmission, listSubmissions } from './queries/submissions.ts'
export type { FormRecord, SubmissionRecord } from './records.ts'
export { createForm, publishForm } from './services/form.ts'
export { sendForm } from './services/submissions.ts'
