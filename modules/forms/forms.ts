import { z } from 'zod'
import { emptyAsNull, formId, id, multiLine, requiredLine, singleLine, version } from '#app/lib/zod-types.ts'
import {
  clientFields,
  conditionTests,
  limits,
  questionKinds,
  submissionStates,
  type ClientFieldName,
  type ConditionTest,
  type Question,
  type QuestionKind,
  type SubmissionState,
} from './fields.ts'
import { form } from './records.ts'
import { templates, type TemplateName } from './templates.ts'

const keys = <K extends string>(record: Record<K, unknown>) => Object.keys(record) as [K, ...K[]]
const optionalLine = (max: number) => emptyAsNull(singleLine(max)).default(null)
const scaleEnd = () => z.int('Enter a whole number').min(-100, 'Enter at least -100').max(100, 'Enter at most 100')

const ConditionInput = z.object({
  question: z.string().max(40),
  test: z.enum(keys<ConditionTest>(conditionTests), 'Choose one of is, contains, above'),
  value: requiredLine('Enter the answer', limits.option),
})

const QuestionInput = z.object({
  // Answers are an object by these ids: none may be a name that every object has.
  id: z.string().regex(/^(?!constructor$)[a-z0-9]{1,40}$/, 'Use at most 40 of a-z and 0-9'),
  kind: z.enum(keys<QuestionKind>(questionKinds), 'Choose a kind'),
  label: requiredLine('Enter the question', limits.label),
  help: emptyAsNull(multiLine(limits.help)).default(null),
  required: z.boolean().default(false),
  options: z
    .array(requiredLine('Enter the choice', limits.option))
    .max(limits.options, `Use at most ${limits.options} choices`)
    .default([]),
  multiple: z.boolean().default(false),
  min: scaleEnd().default(1),
  max: scaleEnd().default(10),
  minLabel: optionalLine(limits.scaleLabel),
  maxLabel: optionalLine(limits.scaleLabel),
  condition: ConditionInput.nullable().default(null),
  clientField: z.enum(keys<ClientFieldName>(clientFields), 'Choose a field of the client').nullable().default(null),
})

/** The questions of a form, in order. */
export const Questions = z
  .array(QuestionInput)
  .max(limits.questions, `Use at most ${limits.questions} questions`)
  .superRefine((questions, ctx) => {
    for (const { index, field, message } of findProblems(questions))
      ctx.addIssue({ code: 'custom', path: [index, field], message })
  })

type Problem = { index: number; field: keyof Question; message: string }

/** Finds what is wrong with questions that are well-formed by themselves. */
export function findProblems(questions: Question[]): Problem[] {
  return questions.flatMap((question, index) => {
    const add = (field: keyof Question, message: string): Problem => ({ index, field, message })
    const earlier = questions.slice(0, index)
    const problems = [...checkKind(question, add), ...checkCondition(question, earlier, add)]
    if (earlier.some(({ id: other }) => other === question.id)) problems.push(add('id', 'Another question has this id'))
    return problems
  })
}

function checkKind(question: Question, add: (field: keyof Question, message: string) => Problem): Problem[] {
  const { kind, options, min, max, clientField } = question
  const problems: Problem[] = []
  if (kind === 'choice' && options.length < 2) problems.push(add('options', 'Enter at least two choices'))
  if (new Set(options).size < options.length) problems.push(add('options', 'Enter each choice once'))
  if (kind === 'scale' && (max <= min || max - min > limits.scale))
    problems.push(add('max', `Use a number above the first, at most ${limits.scale} more`))
  if (clientField && (kind === 'section' || kind === 'file'))
    problems.push(add('clientField', 'This kind of question has no answer for a field'))
  else if (clientField && kind === 'long' && !clientFields[clientField].isLong)
    problems.push(add('clientField', `${clientFields[clientField].label} has one line only`))
  return problems
}

function checkCondition(
  { condition }: Question,
  earlier: Question[],
  add: (field: keyof Question, message: string) => Problem,
): Problem[] {
  if (!condition) return []
  const other = earlier.find(({ id: one }) => one === condition.question)
  if (!other || other.kind === 'section' || other.kind === 'file')
    return [add('condition', 'Choose an earlier question')]
  const { test, value } = condition
  if (test === 'above' && other.kind !== 'scale' && other.kind !== 'date')
    return [add('condition', 'Only a scale or a date can be above a value')]
  if (test === 'above' && other.kind === 'date' && !/^\d{4}-\d\d-\d\d$/.test(value))
    return [add('condition', 'Enter a date such as 2026-03-14')]
  if (test === 'above' && other.kind === 'scale' && !/^-?\d{1,4}$/.test(value))
    return [add('condition', 'Enter a number')]
  if (other.kind === 'choice' && !other.options.includes(value))
    return [add('condition', 'Choose one of the choices of that question')]
  return []
}

/** POST /api/forms: with questions, or those of a template. */
export const NewForm = form.create.extend({
  template: z.enum(keys<TemplateName>(templates), 'Choose a template').optional(),
  questions: Questions.optional(),
})
export type NewForm = z.output<typeof NewForm>

export const FormEdit = form.update.extend({ questions: Questions.optional() })
export type FormEdit = z.output<typeof FormEdit>

const expiresInDays = () => z.int('Enter a whole number').min(1, 'Enter at least 1').max(365, 'Enter at most 365')

/** Sends a form to a client. */
export const NewSubmission = z.object({
  formId: id('Form not found'),
  clientId: id('Client not found'),
  expiresInDays: expiresInDays().optional().describe('By default the link doesn’t expire'),
  sendEmail: z.boolean().optional().describe('Emails the link. By default false.'),
})
export type NewSubmission = z.output<typeof NewSubmission>

/** Answers that the page of a link keeps: the texts of the inputs of each question. */
export const AnswersInput = z.object({
  token: z.string().max(200).describe('The end of the link'),
  version: z.int().min(1),
  formVersionId: id('Form not found').describe('The id of the version of the form that is shown'),
  answers: z.record(z.string().max(40), z.array(z.string()).max(limits.options)),
})
export type AnswersInput = z.output<typeof AnswersInput>

export const SubmissionFilter = z.object({
  status: z.enum(keys<SubmissionState>(submissionStates)).optional(),
  formId: z.string().optional().describe('Only those of this form.'),
  clientId: z.string().optional().describe('Only those of this client.'),
})

export const NewRequirement = z.object({
  appointmentTypeId: id('Appointment type not found'),
  formId: id('Form not found'),
})
export type NewRequirement = z.output<typeof NewRequirement>

// Forms of the pages.

const incomplete = 'This form is incomplete.'
export const NewFormForm = form.form.extend({
  template: z.preprocess((value) => value || undefined, z.enum(keys<TemplateName>(templates)).optional()),
})
export const EditFormForm = form.editForm

const flag = () =>
  z
    .enum(['yes', 'no', ''])
    .optional()
    .transform((value) => value === 'yes')
const wholeNumber = () =>
  z.preprocess((value) => (value === undefined || value === '' ? undefined : Number(value)), scaleEnd())

/** One question. Without `question`: a new one. Inputs that its kind doesn't have are missing. */
export const QuestionForm = z.object({
  id: formId(incomplete),
  version: version(),
  question: singleLine(40).optional(),
  kind: QuestionInput.shape.kind,
  label: QuestionInput.shape.label,
  help: QuestionInput.shape.help,
  required: flag(),
  options: z.preprocess(
    (text) => (typeof text === 'string' ? text.split('\n').filter((line) => line.trim()) : []),
    QuestionInput.shape.options,
  ),
  multiple: flag(),
  min: wholeNumber().optional(),
  max: wholeNumber().optional(),
  minLabel: QuestionInput.shape.minLabel,
  maxLabel: QuestionInput.shape.maxLabel,
  conditionQuestion: singleLine(40).optional(),
  conditionTest: z.enum(keys<ConditionTest>(conditionTests), 'Choose a test').optional(),
  conditionValue: singleLine(limits.option).optional(),
  clientField: z.preprocess((value) => value || null, QuestionInput.shape.clientField),
})
export type QuestionForm = z.output<typeof QuestionForm>

export const ByQuestion = z.object({ id: formId(incomplete), question: singleLine(40) })
export const MoveQuestionForm = ByQuestion.extend({ to: z.preprocess(Number, z.int().min(0).max(limits.questions)) })
/** PATCH of the order, by drag. */
export const MoveQuestion = z.object({
  question: z.string().max(40),
  to: z
    .int('Enter a whole number')
    .min(0, 'Enter at least 0')
    .max(limits.questions, `Enter at most ${limits.questions}`),
})

export const SendForm = z.object({
  formId: formId('Choose a form'),
  clientId: formId('Choose a client'),
  expiresInDays: z.preprocess(
    (value) => (value === '' || value === undefined ? undefined : Number(value)),
    expiresInDays().optional(),
  ),
  sendEmail: flag(),
})
export const RequireForm = z.object({
  appointmentTypeId: formId(incomplete),
  formId: formId('Choose a form'),
})
