import { localDate } from '#app/lib/time.ts'
import { byteOrderMark, formatCsv, type Cell } from '#modules/core/csv/write.ts'
import type { Ctx } from '#tenants/context.ts'
import { formatAnswer } from './answers.ts'
import type { Question } from './fields.ts'
import { listForms, listVersions } from './queries/form.ts'
import { listSubmissionsForExport, type ExportedSubmission } from './queries/submissions.ts'

const batchSize = 500

/**
 * A CSV file of the answers to a form, oldest first, one piece per batch. It has a column for each question that any
 * version has, with the newest label.
 */
export async function* exportAnswers(ctx: Ctx, formId: number): AsyncGenerator<string> {
  const versions = await listVersions(ctx, formId)
  const questions = new Map<string, Question>()
  // The newest comes first, and its order counts.
  for (const version of versions)
    for (const question of version.questions)
      if (question.kind !== 'section' && !questions.has(question.id)) questions.set(question.id, question)
  const columns = [...questions.values()]
  yield byteOrderMark + formatCsv([['Name', 'Answered', 'Version', ...columns.map(({ label }) => label)]])
  for (let after = 0; ; ) {
    const rows = await listSubmissionsForExport(ctx, formId, after, batchSize)
    if (rows.length) yield formatCsv(rows.map((row) => toCells(row, columns, ctx.account.timezone)))
    const last = rows.at(-1)
    if (!last || rows.length < batchSize) return
    after = last.id
  }
}

function toCells(row: ExportedSubmission, columns: Question[], timezone: string): Cell[] {
  return [
    row.personName,
    localDate(row.submittedAt, timezone),
    String(row.number),
    ...columns.map(({ id, kind }): Cell => {
      const value = row.answers[id]
      if (typeof value === 'number') return { decimal: String(value) }
      return kind === 'file' ? (row.files[id] ?? '') : formatAnswer(value)
    }),
  ]
}

/** The answers to all forms, for the export of a practice. */
export async function* exportAllAnswers(ctx: Ctx): AsyncGenerator<string> {
  yield byteOrderMark + formatCsv([['Form', 'Name', 'Answered', 'Question', 'Answer']])
  for (const { id } of (await listForms(ctx)).toReversed()) {
    const versions = await listVersions(ctx, id)
    for (let after = 0; ; ) {
      const rows = await listSubmissionsForExport(ctx, id, after, batchSize)
      const records = rows.flatMap((row) => {
        const version = versions.find(({ number }) => number === row.number)!
        return toRecords(row, version, ctx.account.timezone)
      })
      if (records.length) yield formatCsv(records)
      const last = rows.at(-1)
      if (!last || rows.length < batchSize) break
      after = last.id
    }
  }
}

function toRecords(
  row: ExportedSubmission,
  { name, questions }: { name: string; questions: Question[] },
  timezone: string,
): Cell[][] {
  return questions.flatMap(({ id, kind, label }) => {
    const answer = kind === 'file' ? (row.files[id] ?? '') : formatAnswer(row.answers[id])
    return answer ? [[name, row.personName, localDate(row.submittedAt, timezone), label, answer]] : []
  })
}
