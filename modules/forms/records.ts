import { z } from 'zod'
import { isoTimestamp } from '#db/read-pool.ts'
import { defineRecord, timestamp } from '../core/define-record.ts'
import {
  conditionTests,
  formFields,
  proposalStates,
  questionKinds,
  submissionSources,
  submissionStates,
  type Answers,
  type ClientFieldName,
  type ConditionTest,
  type ProposalState,
  type Question,
  type QuestionKind,
  type SubmissionSource,
  type SubmissionState,
} from './fields.ts'

const choiceFrom = <K extends string>(record: Record<K, unknown>) => z.enum(Object.keys(record) as [K, ...K[]])

const QuestionOut: z.ZodType<Question> = z.object({
  id: z.string(),
  kind: choiceFrom<QuestionKind>(questionKinds),
  label: z.string(),
  help: z.string().nullable(),
  required: z.boolean(),
  options: z.array(z.string()).describe('Of a choice'),
  multiple: z.boolean(),
  min: z.int(),
  max: z.int(),
  minLabel: z.string().nullable(),
  maxLabel: z.string().nullable(),
  condition: z
    .object({ question: z.string(), test: choiceFrom<ConditionTest>(conditionTests), value: z.string() })
    .nullable()
    .describe('It is shown only if an earlier question has such an answer'),
  clientField: z
    .string()
    .nullable()
    .describe('The field of the client that its answer is proposed for') as z.ZodType<ClientFieldName | null>,
})

/** SQL: whether the form `f` differs from its newest version, or has none. */
const hasChanges = `coalesce((
  select (v.name, coalesce(v.description, ''), v.questions)
    is distinct from (f.name, coalesce(f.description, ''), f.questions)
  from form_version v where v.coach_id = $1 and v.form_id = f.id and v.number = f.published_number), true)`

export const form = defineRecord({
  kind: 'form',
  label: 'Form',
  alias: 'f',
  fields: formFields,
  computed: {
    questions: { output: z.array(QuestionOut), sql: 'f.questions' },
    publishedNumber: {
      output: z.int().nullable().describe('The number of the newest version; null if it was never published'),
      sql: 'f.published_number',
    },
    hasChanges: { output: z.boolean().describe('Since it was published'), sql: hasChanges },
    updatedAt: timestamp('f.updated_at'),
  },
})
export type FormRecord = z.output<typeof form.output>

export const VersionOut = z.object({
  id: z.int(),
  coachId: z.int(),
  number: z.int().describe('1 is the oldest'),
  name: z.string(),
  description: z.string().nullable(),
  questions: z.array(QuestionOut),
  createdAt: z.iso.datetime(),
})
export type VersionRecord = z.output<typeof VersionOut>

const AnswersOut: z.ZodType<Answers> = z
  .record(z.string(), z.union([z.string(), z.number(), z.array(z.string())]))
  .describe('By the id of the question')

/** SQL over the submission `s`. */
export const stateSql = `case when s.submitted_at is not null then 'submitted'
  when s.started_at is not null then 'started' else 'sent' end`

export const submission = defineRecord({
  kind: 'form_submission',
  label: 'Form submission',
  alias: 's',
  fields: {},
  computed: {
    formId: { output: z.int(), sql: 's.form_id' },
    formName: { output: z.string(), sql: 'coalesce(v.name, f.name)' },
    formVersion: {
      output: z
        .int()
        .nullable()
        .describe('The number of the version that the answers are to; null until there are any'),
      sql: 'v.number',
    },
    clientId: { output: z.int().nullable(), sql: 's.client_id' },
    prospectId: { output: z.int().nullable(), sql: 's.prospect_id' },
    personName: { output: z.string(), sql: 'coalesce(c.name, p.name)' },
    appointmentId: { output: z.int().nullable().describe('The booking that required it'), sql: 's.appointment_id' },
    source: { output: choiceFrom<SubmissionSource>(submissionSources), sql: 's.source' },
    status: { output: choiceFrom<SubmissionState>(submissionStates), sql: stateSql },
    answers: { output: AnswersOut, sql: 's.answers' },
    expiresAt: { output: z.iso.datetime().nullable(), sql: isoTimestamp('s.expires_at') },
    emailedAt: { output: z.iso.datetime().nullable(), sql: isoTimestamp('s.emailed_at') },
    startedAt: { output: z.iso.datetime().nullable(), sql: isoTimestamp('s.started_at') },
    submittedAt: { output: z.iso.datetime().nullable(), sql: isoTimestamp('s.submitted_at') },
    updatedAt: timestamp('s.updated_at'),
  },
})
export type SubmissionRecord = z.output<typeof submission.output>

export const ProposalOut = z.object({
  id: z.int(),
  coachId: z.int(),
  submissionId: z.int(),
  clientId: z.int().nullable().describe('Null while the answers are those of a prospect'),
  question: z.string(),
  field: z.string() as unknown as z.ZodType<ClientFieldName>,
  value: z.string().describe('Markup for a field of several lines'),
  state: choiceFrom<ProposalState>(proposalStates),
  decidedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
})
export type ProposalRecord = z.output<typeof ProposalOut>

export const RequirementOut = z.object({
  id: z.int(),
  coachId: z.int(),
  appointmentTypeId: z.int(),
  formId: z.int(),
  formName: z.string(),
  createdAt: z.iso.datetime(),
})
export type RequirementRecord = z.output<typeof RequirementOut>
