import type { ReactNode } from 'react'
import { formatAnswer } from '../answers.ts'
import type { Answers, Question } from '../fields.ts'

/** Questions with their answers, to read. */
export function AnswerList({
  questions,
  answers,
  files,
  renderFile = ({ fileName }) => fileName,
}: {
  questions: Question[]
  answers: Answers
  files: { id: number; question: string; fileName: string }[]
  renderFile?: (file: { id: number; fileName: string }) => ReactNode
}) {
  return (
    <dl className="grid gap-5">
      {questions.map((question) => {
        const { id, kind, label, max } = question
        if (kind === 'section')
          return (
            <div key={id} className="border-t border-line-soft pt-4 first:border-0 first:pt-0">
              <dt className="h2 wrap-anywhere">{label}</dt>
              <dd hidden />
            </div>
          )
        const file = files.find((one) => one.question === id)
        const text = formatAnswer(answers[id])
        return (
          <div key={id}>
            <dt className="text-sm text-ink-3 wrap-anywhere">{label}</dt>
            <dd className="mt-0.5 whitespace-pre-line wrap-anywhere">
              {file ? renderFile(file) : kind === 'scale' && text ? `${text} of ${max}` : text || 'No answer'}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
