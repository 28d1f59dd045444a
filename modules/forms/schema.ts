import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { allowedValues, check, columns, lengthChecks, maxLength, sqlIndex, tenantReference } from '#db/columns.ts'
import { currentClient, tenantPolicy } from '#db/policies.ts'
import { searchColumn } from '#db/search-sql.ts'
import { Client } from '#modules/crm/index.ts'
import { Appointment, AppointmentType } from '#modules/scheduling/index.ts'
import { StoredFile } from '#tenants/files/schema.ts'
import {
  clientFields,
  proposalStates,
  submissionSources,
  type Answers,
  type ClientFieldName,
  type ProposalState,
  type Question,
  type SubmissionSource,
} from './fields.ts'

/** A form as the coach builds it. Clients see its versions. */
export const Form = defineEntity({
  name: 'Form',
  tableName: 'form',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    name: p.text(),
    description: p.text().nullable(),
    questions: p.json().$type<Question[]>().default([]),
    /** The number of the newest version; null: never published. */
    publishedNumber: p.integer().nullable(),
    ...columns.trash,
    ...columns.version,
    ...searchColumn('name'),
    ...columns.timestamps,
  },
  indexes: [sqlIndex('form_newest', '(coach_id, created_at desc, id desc) where deleted_at is null')],
  checks: [
    check('form_name_length', `name <> '' and ${maxLength('name', 255)}`),
    ...lengthChecks('form', 2000, ['description']),
    check('form_questions_count', `jsonb_typeof(questions) = 'array' and jsonb_array_length(questions) <= 100`),
    check('form_published_number_range', 'published_number >= 1'),
    check('form_version_range', 'version >= 1'),
  ],
  // Clients see the forms that they have: their own submissions are all that they see.
  ...tenantPolicy('form', {
    clients: {
      rows: `deleted_at is null and exists (
        select 1 from form_submission s where s.coach_id = form.coach_id and s.form_id = form.id)`,
    },
  }),
})
export type FormRow = InferEntity<typeof Form>

/** A form as it was published. Never changes: answers keep theirs. */
export const FormVersion = defineEntity({
  name: 'FormVersion',
  tableName: 'form_version',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    form: () => tenantReference(Form, 'form_id', 'cascade'),
    number: p.integer(),
    name: p.text(),
    description: p.text().nullable(),
    questions: p.json().$type<Question[]>(),
    createdAt: p.datetime(3),
  },
  indexes: [sqlIndex('form_version_number', '(coach_id, form_id, number)', { unique: true })],
  checks: [
    check('form_version_number_range', 'number >= 1'),
    ...lengthChecks('form_version', 255, ['name']),
    ...lengthChecks('form_version', 2000, ['description']),
  ],
  ...tenantPolicy('form_version', {
    clients: {
      rows: `exists (
        select 1 from form_submission s where s.coach_id = form_version.coach_id and s.form_id = form_version.form_id)`,
    },
  }),
})

/** A form that a client or prospect got, and their answers. */
export const FormSubmission = defineEntity({
  name: 'FormSubmission',
  tableName: 'form_submission',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    form: () => tenantReference(Form, 'form_id', 'cascade'),
    /** Null until the first answer: then the version that was shown. */
    formVersion: () => tenantReference(FormVersion, 'form_version_id', 'cascade').nullable(),
    client: () => tenantReference(Client, 'client_id', 'cascade').nullable(),
    /** Its module may be missing: only the migrations have its foreign key. */
    prospectId: p.bigint('number').nullable(),
    /** The booking that required it. */
    appointment: () => tenantReference(Appointment, 'appointment_id', 'no action').nullable(),
    source: p.text().$type<SubmissionSource>(),
    answers: p.json().$type<Answers>(),
    /** The answers as text, for the search; null until they are submitted. */
    content: p.text().nullable(),
    expiresAt: p.datetime(3).nullable(),
    emailedAt: p.datetime(3).nullable(),
    startedAt: p.datetime(3).nullable(),
    submittedAt: p.datetime(3).nullable(),
    /** Set before the email to the coach about it is given to the mail server, so that none is sent twice. */
    notifiedAt: p.datetime(3).nullable(),
    ...columns.trash,
    ...columns.version,
    ...columns.timestamps,
  },
  indexes: [
    sqlIndex('form_submission_newest', '(coach_id, created_at desc, id desc) where deleted_at is null'),
    sqlIndex('form_submission_form', '(coach_id, form_id, created_at desc, id desc)'),
    sqlIndex('form_submission_client', '(coach_id, client_id, created_at desc) where client_id is not null'),
    sqlIndex('form_submission_prospect', '(coach_id, prospect_id) where prospect_id is not null'),
    sqlIndex('form_submission_version', '(coach_id, form_version_id) where form_version_id is not null'),
    sqlIndex('form_submission_submitted', '(coach_id, submitted_at desc) where submitted_at is not null'),
    sqlIndex('form_submission_to_notify', '(coach_id) where submitted_at is not null and notified_at is null'),
    sqlIndex('form_submission_appointment', '(coach_id, appointment_id, form_id) where appointment_id is not null', {
      unique: true,
    }),
  ],
  checks: [
    check('form_submission_client_or_prospect', 'num_nonnulls(client_id, prospect_id) = 1'),
    check('form_submission_source_allowed', allowedValues('source', Object.keys(submissionSources))),
    check('form_submission_started', '(started_at is null) = (form_version_id is null)'),
    check('form_submission_submitted', 'submitted_at is null or started_at is not null'),
    check('form_submission_version_range', 'version >= 1'),
  ],
  ...tenantPolicy('form_submission', { clients: { rows: `client_id = ${currentClient} and deleted_at is null` } }),
})
export type SubmissionRow = InferEntity<typeof FormSubmission>

/** A file that answers a question. */
export const FormFile = defineEntity({
  name: 'FormFile',
  tableName: 'form_file',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    submission: () => tenantReference(FormSubmission, 'submission_id', 'cascade'),
    question: p.text(),
    storedFile: () => tenantReference(StoredFile, 'stored_file_id', 'no action'),
    fileName: p.text(),
    size: p.bigint('number'),
    contentType: p.text(),
    createdAt: p.datetime(3),
  },
  indexes: [
    sqlIndex('form_file_submission', '(coach_id, submission_id)'),
    sqlIndex('form_file_stored_file', '(coach_id, stored_file_id)'),
  ],
  checks: [
    ...lengthChecks('form_file', 40, ['question']),
    ...lengthChecks('form_file', 255, ['file_name', 'content_type']),
  ],
  ...tenantPolicy('form_file'),
})

/** An answer that may become a field of the client, once the coach approves it. */
export const FormProposal = defineEntity({
  name: 'FormProposal',
  tableName: 'form_proposal',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    submission: () => tenantReference(FormSubmission, 'submission_id', 'cascade'),
    question: p.text(),
    field: p.text().$type<ClientFieldName>(),
    value: p.text(),
    state: p.text().$type<ProposalState>().default('open'),
    decidedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
  indexes: [
    sqlIndex('form_proposal_question', '(coach_id, submission_id, question)', { unique: true }),
    sqlIndex('form_proposal_open', `(coach_id, created_at desc, id desc) where state = 'open'`),
  ],
  checks: [
    ...lengthChecks('form_proposal', 40, ['question']),
    check('form_proposal_field_allowed', allowedValues('field', Object.keys(clientFields))),
    check('form_proposal_state_allowed', allowedValues('state', Object.keys(proposalStates))),
    check('form_proposal_decided', `(state = 'open') = (decided_at is null)`),
    ...lengthChecks('form_proposal', 50_000, ['value']),
  ],
  ...tenantPolicy('form_proposal'),
})

/** A booking of the appointment type sends the form. */
export const FormRequirement = defineEntity({
  name: 'FormRequirement',
  tableName: 'form_requirement',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    appointmentType: () => tenantReference(AppointmentType, 'appointment_type_id', 'cascade'),
    form: () => tenantReference(Form, 'form_id', 'cascade'),
    createdAt: p.datetime(3),
  },
  indexes: [
    sqlIndex('form_requirement_type', '(coach_id, appointment_type_id, form_id)', { unique: true }),
    sqlIndex('form_requirement_form', '(coach_id, form_id)'),
  ],
  ...tenantPolicy('form_requirement'),
})
