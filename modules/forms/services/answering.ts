import { AppError } from '#app/lib/errors.ts'
import { escapeMarkup } from '#app/lib/markup.ts'
import { publish } from '#modules/core/events.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { assertNotReadOnly, isClientInTrash, logActivity } from '#modules/crm/index.ts'
import { isProspectInTrash } from '#modules/scheduling/index.ts'
import { isLapsed } from '#tenants/accounts/plans.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { deleteFile, keepFile, type StoredContent } from '#tenants/files/files.ts'
import type { Platform } from '#tenants/platform.ts'
import { assertStorage } from '#tenants/storage.ts'
import {
  completeAnswers,
  formatAnswer,
  inputName,
  parseAnswers,
  type AnswerIssue,
  type SentAnswers,
} from '../answers.ts'
import { findHidden } from '../conditions.ts'
import { formSubmitted } from '../events.ts'
import { clientFields, limits, type Answers, type Question } from '../fields.ts'
import { isVisible, personSql, submissionTables } from '../joins.ts'
import { listFiles } from '../queries/submissions.ts'
import { notifyAfterSeconds, notifyQueue, type NotifyJob } from './notifications.ts'

const permission = 'forms:answer:write'

/** A form as the person who answers it sees it: the version that they began, or the newest one. */
export type AnsweredForm = {
  id: number
  /** Counts the changes of the answers. */
  version: number
  formVersionId: number
  name: string
  description: string | null
  questions: Question[]
  answers: Answers
  personName: string
  clientId: number | null
  /** The client's, if known. */
  timezone: string | null
  isExpired: boolean
  startedAt: Date | null
  submittedAt: Date | null
}

/** Null if it doesn't exist any more: it, its form or its client was deleted. */
export async function findAnsweredForm(ctx: Ctx, id: number): Promise<AnsweredForm | null> {
  authorize(ctx, permission)
  const [row] = await ctx.query<AnsweredForm>({
    name: 'forms.answered-form',
    text: `select s.id, s.version, shown.id as "formVersionId", shown.name, shown.description, shown.questions, s.answers,
        ${personSql} as "personName", s.client_id as "clientId",
        c.timezone, s.submitted_at is null and coalesce(s.expires_at <= $3, false) as "isExpired",
        s.started_at as "startedAt", s.submitted_at as "submittedAt"
      from ${submissionTables}
        join form_version shown on shown.coach_id = $1 and shown.form_id = s.form_id
          and case when s.form_version_id is null then shown.number = f.published_number
            else shown.id = s.form_version_id end
      where s.coach_id = $1 and s.id = $2 and ${isVisible}`,
    values: [ctx.coachId, id, ctx.now()],
  })
  return row ?? null
}

/** Most versions of which a process remembers the questions. */
const maxRemembered = 100
const remembered = new WeakMap<Platform, Map<string, Question[]>>()

/** The questions of a version, which never change. Throws not_found. */
async function getQuestions(ctx: Ctx, formVersionId: number): Promise<Question[]> {
  const known = remembered.get(ctx.platform) ?? new Map<string, Question[]>()
  remembered.set(ctx.platform, known)
  const key = `${ctx.coachId} ${formVersionId}`
  const found = known.get(key) ?? (await readQuestions(ctx, formVersionId))
  known.delete(key)
  known.set(key, found)
  if (known.size > maxRemembered) known.delete(known.keys().next().value!)
  return found
}

async function readQuestions(ctx: Ctx, formVersionId: number): Promise<Question[]> {
  const [row] = await ctx.query<{ questions: Question[] }>({
    name: 'forms.questions',
    text: 'select questions from form_version where coach_id = $1 and id = $2',
    values: [ctx.coachId, formVersionId],
  })
  if (!row) throw linkEnded()
  return row.questions
}

export const linkEnded = (): AppError => new AppError('not_found', "This link doesn't work any more.")

/** `version`: of the answers that were changed; `formVersionId`: of the questions that were shown. */
export type SavedAnswers = { version: number; formVersionId: number; sent: SentAnswers }

/**
 * Keeps answers that need not be complete. Returns the version that they have now. Throws validation_failed with an
 * issue for each input that is wrong; conflict with the subject `answers` if they were changed elsewhere, `submitted`
 * or `expired`; not_found, plan_limit.
 */
export async function saveAnswers(ctx: Ctx, id: number, saved: SavedAnswers): Promise<number> {
  authorize(ctx, permission)
  const { answers, issues } = parseAnswers(await getQuestions(ctx, saved.formVersionId), saved.sent)
  if (issues.length) throw toError(issues)
  return ctx.write(async (tx) => {
    // In the write of a visitor, which hides the plan from them.
    await assertStorage(tx)
    return writeAnswers(tx, id, { ...saved, answers })
  })
}

const toError = (issues: AnswerIssue[]): AppError =>
  new AppError('validation_failed', issues[0]!.message, {
    issues: issues.map(({ question, message }) => ({ path: inputName(question), message })),
  })

/** One statement, because it runs while somebody types. The same answers sent twice, as by a reload, are kept once. */
async function writeAnswers(
  tx: WriteCtx,
  id: number,
  { version, formVersionId, answers }: { version: number; formVersionId: number; answers: Answers },
): Promise<number> {
  const [row] = await tx.query<{ version: number; clientId: number | null }>({
    name: 'forms.save-answers',
    text: `update form_submission s set answers = $4, form_version_id = $3,
        version = s.version + case when s.version = $6 then 1 else 0 end,
        started_at = coalesce(s.started_at, $5), updated_at = $5
      where s.coach_id = $1 and s.id = $2 and (s.version = $6 or s.answers = $4)
        and s.submitted_at is null and s.deleted_at is null
        and (s.expires_at is null or s.expires_at > $5)
        and (s.form_version_id is null or s.form_version_id = $3)
        and exists (select 1 from form_version v join form f on f.coach_id = $1 and f.id = v.form_id
          where v.coach_id = $1 and v.id = $3 and v.form_id = s.form_id and f.deleted_at is null)
        and not ${isClientInTrash('s')} and not ${isProspectInTrash('s')}
      returning s.version, s.client_id as "clientId"`,
    values: [tx.coachId, id, formVersionId, JSON.stringify(answers), tx.now(), version],
  })
  if (!row) throw await explainRefusal(tx, id)
  // An archived client may become read-only later; the answers that they have begun can be finished.
  const isFirst = version === 1 || row.version === 1
  if (row.clientId !== null && (isFirst || isLapsed(tx))) await assertNotReadOnly(tx, row.clientId)
  return row.version
}

async function explainRefusal(ctx: Ctx, id: number): Promise<AppError> {
  const found = await findAnsweredForm(ctx, id)
  if (!found) return linkEnded()
  if (found.submittedAt) return new AppError('conflict', 'This form is answered already.', { subject: 'submitted' })
  if (found.isExpired) return new AppError('conflict', 'This link has expired.', { subject: 'expired' })
  return new AppError('conflict', 'These answers were changed on another device.', { subject: 'answers' })
}

/**
 * Submits the answers, once. They are kept first, so that nothing is lost if one is missing. Throws as `saveAnswers`
 * does, and validation_failed for required questions without an answer.
 */
export async function submitAnswers(ctx: Ctx, id: number, saved: SavedAnswers): Promise<void> {
  const version = await saveAnswers(ctx, id, saved)
  await ctx.write((tx) => submitSaved(tx, id, version))
}

async function submitSaved(tx: WriteCtx, id: number, version: number): Promise<void> {
  await lockSubmission(tx, id)
  const found = await findAnsweredForm(tx, id)
  if (!found || found.submittedAt || found.isExpired || found.version !== version) throw await explainRefusal(tx, id)
  if (found.clientId !== null) await assertNotReadOnly(tx, found.clientId)
  const files = await listFiles(tx, id)
  const { questions } = found
  const { answers, issues } = completeAnswers(questions, found.answers, new Set(files.map(({ question }) => question)))
  if (issues.length) throw toError(issues)
  for (const question of findHidden(questions, found.answers)) await dropFiles(tx, id, question)
  await tx.query({
    name: 'forms.submit',
    text: `update form_submission set answers = $3, content = $4, submitted_at = $5, updated_at = $5,
        version = version + 1
      where coach_id = $1 and id = $2`,
    values: [tx.coachId, id, JSON.stringify(answers), toContent(questions, answers), tx.now()],
  })
  await proposeChanges(tx, id, { questions, answers })
  await logActivity(tx, {
    type: 'form_answered',
    title: 'Form answered',
    description: `${found.personName}: ${found.name}`,
    clientId: found.clientId,
  })
  await publish(tx, formSubmitted, { submissionId: id })
  const job: NotifyJob = { coachId: tx.coachId, submissionId: id }
  await tx.enqueue(notifyQueue, job, { startAfter: notifyAfterSeconds })
}

async function lockSubmission(tx: WriteCtx, id: number): Promise<void> {
  await tx.query({
    name: 'forms.lock-submission',
    text: 'select 1 from form_submission where coach_id = $1 and id = $2 for update',
    values: [tx.coachId, id],
  })
}

/** For the search: each answer in a line of its own. */
const toContent = (questions: Question[], answers: Answers): string =>
  questions.flatMap(({ id }) => (id in answers ? [escapeMarkup(formatAnswer(answers[id]))] : [])).join('\n')

async function proposeChanges(
  tx: WriteCtx,
  submissionId: number,
  { questions, answers }: { questions: Question[]; answers: Answers },
): Promise<void> {
  for (const { id, clientField } of questions) {
    if (!clientField || !(id in answers)) continue
    const text = formatAnswer(answers[id])
    await insertRow(tx, {
      table: 'form_proposal',
      name: 'forms.insert-proposal',
      row: {
        submissionId,
        question: id,
        field: clientField,
        value: clientFields[clientField].isLong ? escapeMarkup(text) : text,
        createdAt: tx.now(),
      },
    })
  }
}

/** Keeps the file that answers a question, instead of the one before. Throws as `saveAnswers` does. */
export async function addAnswerFile(
  tx: WriteCtx,
  id: number,
  { question, formVersionId, name, content }: AddedFile,
): Promise<void> {
  authorize(tx, permission)
  const found = await lockOpen(tx, id)
  if (found.startedAt && found.formVersionId !== formVersionId) throw await explainRefusal(tx, id)
  const questions = await getQuestions(tx, formVersionId)
  if (!questions.some((one) => one.id === question && one.kind === 'file'))
    throw new AppError('validation_failed', 'This question takes no file.', { field: 'file' })
  if (found.clientId !== null) await assertNotReadOnly(tx, found.clientId)
  await begin(tx, id, formVersionId)
  await dropFiles(tx, id, question)
  const { length } = await listFiles(tx, id)
  if (length >= limits.files)
    throw new AppError('validation_failed', `Send at most ${limits.files} files.`, { field: 'file' })
  const storedFileId = await keepFile(tx, content, { kind: 'form_submission', recordId: id })
  const { size, contentType } = content
  await insertRow(tx, {
    table: 'form_file',
    name: 'forms.insert-file',
    row: { submissionId: id, question, storedFileId, fileName: name, size, contentType, createdAt: tx.now() },
  })
}
type AddedFile = { question: string; formVersionId: number; name: string; content: StoredContent }

/** Takes the file of a question back. Throws not_found, conflict. */
export async function removeAnswerFile(tx: WriteCtx, id: number, question: string): Promise<void> {
  authorize(tx, permission)
  await lockOpen(tx, id)
  await dropFiles(tx, id, question)
}

async function lockOpen(tx: WriteCtx, id: number): Promise<AnsweredForm> {
  await lockSubmission(tx, id)
  const found = await findAnsweredForm(tx, id)
  if (!found || found.submittedAt || found.isExpired) throw await explainRefusal(tx, id)
  return found
}

/** Leaves the version of the answers: the page that is open elsewhere still has all of them. */
async function begin(tx: WriteCtx, id: number, formVersionId: number): Promise<void> {
  const begun = await tx.query({
    name: 'forms.begin',
    text: `update form_submission s set form_version_id = $3, started_at = coalesce(s.started_at, $4), updated_at = $4
      where s.coach_id = $1 and s.id = $2 and exists (
        select 1 from form_version v where v.coach_id = $1 and v.id = $3 and v.form_id = s.form_id)
      returning s.id`,
    values: [tx.coachId, id, formVersionId, tx.now()],
  })
  if (!begun.length) throw linkEnded()
}

async function dropFiles(tx: WriteCtx, submissionId: number, question: string): Promise<void> {
  const dropped = await tx.query<{ storedFileId: number }>({
    name: 'forms.drop-files',
    text: `delete from form_file where coach_id = $1 and submission_id = $2 and question = $3
      returning stored_file_id as "storedFileId"`,
    values: [tx.coachId, submissionId, question],
  })
  for (const { storedFileId } of dropped) await deleteFile(tx, storedFileId)
}
