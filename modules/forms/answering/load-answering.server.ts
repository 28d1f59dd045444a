import type { AppLoadContext } from '@remix-run/node'
import { formatDateTime } from '#app/lib/time.ts'
import { formatAnswer, parseAnswers, toSent, type SentAnswers } from '../answers.ts'
import { listFiles } from '../queries/submissions.ts'
import { findAnsweredForm } from '../services/answering.ts'
import { openFormLink } from './answering.server.ts'

/** The page of a signed link. A GET changes nothing. Null for a link that doesn't work. */
export async function loadAnswering(context: AppLoadContext, token: string) {
  const link = await openFormLink(context, token)
  if (!link) return null
  const { ctx, id } = link
  const [form, files] = await Promise.all([findAnsweredForm(ctx, id), listFiles(ctx, id)])
  if (!form) return null
  const { version, formVersionId, name, description, questions, answers, isExpired, startedAt, submittedAt } = form
  const timezone = form.timezone ?? ctx.account.timezone
  // After submitting, only the questions that were shown.
  const shown = submittedAt
    ? questions.filter(
        ({ id: one, kind }) => kind === 'section' || one in answers || files.some((f) => f.question === one),
      )
    : questions
  return {
    path: `/form/${token}`,
    version,
    formVersionId,
    name,
    description,
    questions: shown,
    answers,
    values: toSent(answers),
    files: files.map(({ id: fileId, question, fileName }) => ({ id: fileId, question, fileName })),
    state: submittedAt ? ('submitted' as const) : isExpired ? ('expired' as const) : ('open' as const),
    hasBegun: startedAt !== null,
    submittedAt: submittedAt && formatDateTime(submittedAt, { ...ctx.account, timezone }),
    coach: { name: context.tenant!.name, email: ctx.account.email },
    nonce: context.nonce,
  }
}
export type AnsweringData = NonNullable<Awaited<ReturnType<typeof loadAnswering>>>

/** The stored answers that differ from what was sent, as text. */
export function findDifferences({ questions, answers }: AnsweringData, sent: SentAnswers): Record<string, string> {
  const typed = parseAnswers(questions, sent)
  const unreadable = new Set(typed.issues.map(({ question }) => question))
  return Object.fromEntries(
    questions.flatMap(({ id }) => {
      const stored = formatAnswer(answers[id])
      return unreadable.has(id) || formatAnswer(typed.answers[id]) !== stored ? [[id, stored]] : []
    }),
  )
}
