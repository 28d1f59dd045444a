import { randomBytes } from 'node:crypto'
import { AppError } from '#app/lib/errors.ts'
import { publish } from '#modules/core/events.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { lockRow } from '#modules/core/lock-row.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { assertStorage } from '#tenants/storage.ts'
import { formCreated, formDeleted, formPublished, formRestored, formUpdated } from '../events.ts'
import { limits, newQuestion, type Question } from '../fields.ts'
import { findProblems, type FormEdit, type NewForm, type QuestionForm } from '../forms.ts'
import { getForm } from '../queries/form.ts'
import { form, type FormRecord } from '../records.ts'
import { Form, type FormRow } from '../schema.ts'
import { templates } from '../templates.ts'

/** Adds a form that clients don't see before it is published. Throws plan_limit. */
export async function createForm(
  ctx: WriteCtx,
  { template, questions, name, description }: NewForm,
): Promise<FormRecord> {
  authorize(ctx, 'forms:form:write')
  await assertStorage(ctx)
  const base = template ? templates[template] : null
  const now = ctx.now()
  const row = ctx.em.create(Form, {
    coachId: ctx.coachId,
    name,
    description: description ?? base?.description ?? null,
    questions: questions?.length ? questions : (base?.questions.map((question) => ({ ...question })) ?? []),
    publishedNumber: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  })
  await ctx.em.flush()
  await publish(ctx, formCreated, { formId: row.id })
  return getForm(ctx, row.id)
}

/**
 * Changes only the fields that are sent. What is published stays until it is published again. Throws not_found,
 * plan_limit, and conflict if it was saved after `expectedVersion`.
 */
export async function updateForm(
  ctx: WriteCtx,
  id: number,
  input: FormEdit,
  expectedVersion?: number,
): Promise<FormRecord> {
  await changeForm(ctx, id, input, expectedVersion)
  return getForm(ctx, id)
}

async function changeForm(
  ctx: WriteCtx,
  id: number,
  change: FormEdit | ((row: FormRow) => FormEdit),
  expectedVersion?: number,
): Promise<void> {
  authorize(ctx, 'forms:form:write')
  await assertStorage(ctx)
  const row = await lockRow(ctx, form, Form, { coachId: ctx.coachId, id, deletedAt: null })
  form.assertVersion(row, expectedVersion)
  const input = typeof change === 'function' ? change(row) : change
  if (!Object.keys(input).length) return
  ctx.em.assign(row, { ...input, version: row.version + 1, updatedAt: ctx.now() })
  await ctx.em.flush()
  await publish(ctx, formUpdated, { formId: id })
}

/** Changes the questions of the form as it is now. A condition that no longer fits is an error. */
async function changeQuestions(
  ctx: WriteCtx,
  id: number,
  change: (questions: Question[]) => Question[],
  expectedVersion?: number,
): Promise<void> {
  await changeForm(
    ctx,
    id,
    (row) => {
      const questions = change(row.questions)
      const [problem] = findProblems(questions)
      if (problem) throw new AppError('validation_failed', describeProblem(questions, problem), { field: 'question' })
      return { questions }
    },
    expectedVersion,
  )
}

const describeProblem = (questions: Question[], { index, field, message }: ReturnType<typeof findProblems>[number]) =>
  field === 'condition'
    ? `“${questions[index]!.label}” depends on a question that must come before it. Change its condition first.`
    : message

/** Fields of the builder's dialog by the field of a question. */
const formFieldNames: Partial<Record<keyof Question, string>> = { condition: 'conditionValue' }

/** Adds a question at the end, or changes one. Throws not_found, validation_failed, conflict. */
export async function saveQuestion(ctx: WriteCtx, { id, version, ...input }: QuestionForm): Promise<void> {
  await changeForm(
    ctx,
    id,
    ({ questions }) => {
      const index = questions.findIndex(({ id: one }) => one === input.question)
      if (input.question && index < 0) throw questionNotFound()
      if (index < 0 && questions.length >= limits.questions)
        throw new AppError('validation_failed', `A form has at most ${limits.questions} questions.`)
      const changed = toQuestion(input, questions[index] ?? newQuestion(input.kind, createId()))
      const all = index < 0 ? [...questions, changed] : questions.with(index, changed)
      const problems = findProblems(all)
      const own = problems.filter((problem) => all[problem.index] === changed)
      if (own.length)
        throw new AppError('validation_failed', own[0]!.message, {
          issues: own.map(({ field, message }) => ({ path: formFieldNames[field] ?? field, message })),
        })
      if (problems[0]) throw new AppError('validation_failed', describeProblem(all, problems[0]))
      return { questions: all }
    },
    version,
  )
}

/** Never one that a former version had: answers to both would count as the same. */
const createId = (): string => randomBytes(6).toString('hex')

const questionNotFound = () => new AppError('not_found', 'Question not found', { subject: 'question' })

function toQuestion(input: Omit<QuestionForm, 'id' | 'version'>, before: Question): Question {
  const { label, help, required, options, multiple, minLabel, maxLabel, clientField } = input
  const { kind } = before
  const { conditionQuestion, conditionTest = 'is', conditionValue = '' } = input
  return {
    ...before,
    label,
    help,
    required: kind !== 'section' && required,
    ...(kind === 'choice' ? { options, multiple } : {}),
    ...(kind === 'scale' ? { min: input.min ?? before.min, max: input.max ?? before.max, minLabel, maxLabel } : {}),
    clientField,
    condition: conditionQuestion ? { question: conditionQuestion, test: conditionTest, value: conditionValue } : null,
  }
}

/** Moves a question to the position `to`, from 0. Throws not_found, validation_failed. */
export async function moveQuestion(
  ctx: WriteCtx,
  id: number,
  { question, to }: { question: string; to: number },
): Promise<FormRecord> {
  await changeQuestions(ctx, id, (questions) => reorder(questions, question, to))
  return getForm(ctx, id)
}

export function reorder(questions: Question[], id: string, to: number): Question[] {
  const moved = questions.find((question) => question.id === id)
  if (!moved) throw questionNotFound()
  return questions.filter((question) => question !== moved).toSpliced(to, 0, moved)
}

/** Throws not_found, and validation_failed while another question depends on it. */
export async function deleteQuestion(ctx: WriteCtx, id: number, question: string): Promise<void> {
  await changeQuestions(ctx, id, (questions) => {
    if (!questions.some((one) => one.id === question)) throw questionNotFound()
    return questions.filter((one) => one.id !== question)
  })
}

/**
 * Makes a version of the form as it is: clients who begin from now on see it; the others finish theirs. Does nothing if
 * nothing has changed. Throws not_found, plan_limit, and validation_failed without questions.
 */
export async function publishForm(ctx: WriteCtx, id: number): Promise<FormRecord> {
  authorize(ctx, 'forms:form:write')
  await assertStorage(ctx)
  const row = await lockRow(ctx, form, Form, { coachId: ctx.coachId, id, deletedAt: null })
  const { hasChanges } = await getForm(ctx, id)
  if (hasChanges) await addVersion(ctx, row)
  return getForm(ctx, id)
}

async function addVersion(ctx: WriteCtx, row: FormRow): Promise<void> {
  const { id, name, description, questions, publishedNumber } = row
  if (!questions.some(({ kind }) => kind !== 'section'))
    throw new AppError('validation_failed', 'Add a question first.', { field: 'questions' })
  const number = (publishedNumber ?? 0) + 1
  await insertRow(ctx, {
    table: 'form_version',
    name: 'forms.insert-version',
    row: { formId: id, number, name, description, questions: JSON.stringify(questions), createdAt: ctx.now() },
  })
  ctx.em.assign(row, { publishedNumber: number })
  await ctx.em.flush()
  await publish(ctx, formPublished, { formId: id })
}

/** Locks a form that is going to be sent, and publishes one that never was. Throws not_found, validation_failed. */
export async function lockPublished(ctx: WriteCtx, id: number): Promise<void> {
  const row = await lockRow(ctx, form, Form, { coachId: ctx.coachId, id, deletedAt: null })
  if (row.publishedNumber === null) await addVersion(ctx, row)
}

/** Moves a form with its answers to the trash. Its links stop. Throws not_found, also the second time. */
export async function deleteForm(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'forms:form:write')
  const current = { coachId: ctx.coachId, id, deletedAt: null }
  if (!(await ctx.em.nativeUpdate(Form, current, { deletedAt: ctx.now() }))) throw form.notFound()
  await publish(ctx, formDeleted, { formId: id })
}

/** Takes a form out of the trash. Does nothing if it isn't there. Throws not_found. */
export async function restoreForm(ctx: WriteCtx, id: number): Promise<FormRecord> {
  authorize(ctx, 'forms:form:write')
  const trashed = { coachId: ctx.coachId, id, deletedAt: { $ne: null } }
  if (await ctx.em.nativeUpdate(Form, trashed, { deletedAt: null })) await publish(ctx, formRestored, { formId: id })
  return getForm(ctx, id)
}
