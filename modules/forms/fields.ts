import type { Fields } from '#app/lib/fields.ts'

/** Kinds of questions. A section is a heading, with the questions up to the next one. */
export const questionKinds = {
  short: 'Short answer',
  long: 'Long answer',
  choice: 'Choice',
  scale: 'Scale',
  date: 'Date',
  file: 'File',
  section: 'Section',
} as const
export type QuestionKind = keyof typeof questionKinds

/** `is`: has this answer. `contains`: the answer or one of its choices. `above`: a number or a date that is greater. */
export const conditionTests = { is: 'is', contains: 'contains', above: 'is above' } as const
export type ConditionTest = keyof typeof conditionTests

/** The question is shown only if an earlier one has such an answer. */
export type Condition = { question: string; test: ConditionTest; value: string }

/** A question of a form. Its `id` stays the same in all versions, so that answers can be compared. */
export type Question = {
  id: string
  kind: QuestionKind
  label: string
  help: string | null
  required: boolean
  /** The choices of a choice. */
  options: string[]
  /** Several of them may be chosen. */
  multiple: boolean
  /** The ends of a scale, and what they mean. */
  min: number
  max: number
  minLabel: string | null
  maxLabel: string | null
  condition: Condition | null
  /** The field of the client that an answer is proposed for. */
  clientField: ClientFieldName | null
}

export const limits = {
  questions: 100,
  options: 50,
  option: 200,
  label: 300,
  help: 1000,
  scaleLabel: 60,
  /** The steps of a scale. */
  scale: 20,
  /** Characters of an answer. */
  short: 200,
  long: 10_000,
  /** Files of one form, and their size. */
  files: 20,
  fileBytes: 25 * 1024 ** 2,
} as const

/** The fields of a client that an answer may be proposed for; `isLong`: of several lines. */
export const clientFields = {
  phone: { label: 'Phone', isLong: false },
  location: { label: 'Location', isLong: false },
  profession: { label: 'Profession', isLong: false },
  program: { label: 'Program type', isLong: false },
  goals: { label: 'Client Goals', isLong: true },
  notes: { label: 'Session Notes & Observations', isLong: true },
  futureGoals: { label: 'Future Goals', isLong: true },
  frustrations: { label: 'Frustrations', isLong: true },
  fears: { label: 'Fears', isLong: true },
  failures: { label: 'Past Failures', isLong: true },
} as const
export type ClientFieldName = keyof typeof clientFields

export const formFields = {
  name: { kind: 'line', label: 'Name', required: 'Name is required' },
  description: { kind: 'text', label: 'Introduction', max: 2000, optional: true },
} as const satisfies Fields

export const submissionStates = { sent: 'Sent', started: 'Begun', submitted: 'Answered' } as const
export type SubmissionState = keyof typeof submissionStates

/** The reason why somebody has a form. */
export const submissionSources = { coach: 'Sent by you', booking: 'Sent with a booking' } as const
export type SubmissionSource = keyof typeof submissionSources

export const proposalStates = { open: 'Open', approved: 'Approved', dismissed: 'Dismissed' } as const
export type ProposalState = keyof typeof proposalStates

/** By the id of the question: a text, a number of a scale, or several choices. */
export type Answers = Record<string, string | number | string[]>

/** A new question of a kind. */
export const newQuestion = (kind: QuestionKind, id: string): Question => ({
  id,
  kind,
  label: '',
  help: null,
  required: false,
  options: [],
  multiple: false,
  min: 1,
  max: 10,
  minLabel: null,
  maxLabel: null,
  condition: null,
  clientField: null,
})
