import type { ReactNode } from 'react'
import { CircleAlert } from '#app/ui/components/icons.tsx'
import { inputName } from '../answers.ts'
import type { Question } from '../fields.ts'
import { describeCondition } from '../format.ts'

type Values = Record<string, string[]>
type Props = {
  questions: Question[]
  values?: Values
  errors?: Record<string, string>
  /** The answers that another device has saved in the meantime, as far as they differ. */
  others?: Record<string, string>
  hidden?: string[]
  /** Says when a question is shown, for pages without scripts. */
  showsConditions?: boolean
  /** The control of a question for a file. */
  renderFile: (question: Question) => ReactNode
}

/** The questions of a form with their inputs, for the page of a client and the preview. */
export function FormQuestions({ questions, ...props }: Props) {
  return questions.map((question) => <QuestionField key={question.id} question={question} all={questions} {...props} />)
}

function QuestionField({
  question,
  all,
  values = {},
  errors = {},
  others = {},
  hidden = [],
  showsConditions = false,
  renderFile,
}: Omit<Props, 'questions'> & { question: Question; all: Question[] }) {
  const { id, kind, label, help, condition } = question
  const name = inputName(id)
  const isGroup = kind === 'choice' || kind === 'scale' || kind === 'file'
  const note = showsConditions && condition && (
    <p className="hint" data-condition-note>
      {describeCondition(condition, all)}
    </p>
  )
  if (kind === 'section')
    return (
      <div
        data-question={id}
        hidden={hidden.includes(id)}
        className="border-t border-line pt-6 first:border-0 first:pt-0"
      >
        <h2 className="h2 wrap-anywhere">{label}</h2>
        {help && <p className="mt-1 text-ink-2 whitespace-pre-line wrap-anywhere">{help}</p>}
        {note}
      </div>
    )
  const error = errors[id]
  const describedBy = [error && `${name}-error`, help && `${name}-help`].filter(Boolean).join(' ') || undefined
  const parts = (
    <>
      {help && (
        <p id={`${name}-help`} className="hint whitespace-pre-line wrap-anywhere">
          {help}
        </p>
      )}
      {note}
      {kind === 'file' ? (
        renderFile(question)
      ) : (
        <Control question={question} chosen={values[id] ?? []} isInvalid={Boolean(error)} describedBy={describedBy} />
      )}
      <p className="error" id={`${name}-error`} hidden={!error}>
        <CircleAlert className="i size-3.5" />
        <span data-error-text>{error}</span>
      </p>
      {others[id] !== undefined && (
        <p className="note mt-2 whitespace-pre-line wrap-anywhere">
          On the other device: {others[id] === '' ? 'no answer' : others[id]}
        </p>
      )}
    </>
  )
  const text = (
    <>
      {label}
      {question.required && <span className="font-normal text-ink-3"> (required)</span>}
    </>
  )
  return isGroup ? (
    <fieldset data-question={id} hidden={hidden.includes(id)} className="field min-w-0" aria-describedby={describedBy}>
      <legend className="label wrap-anywhere">{text}</legend>
      {parts}
    </fieldset>
  ) : (
    <div data-question={id} hidden={hidden.includes(id)} className="field min-w-0">
      <label className="label wrap-anywhere" htmlFor={name}>
        {text}
      </label>
      {parts}
    </div>
  )
}

type ControlProps = { question: Question; chosen: string[]; isInvalid: boolean; describedBy: string | undefined }

function Control({ question, chosen, isInvalid, describedBy }: ControlProps) {
  const { id, kind, required } = question
  const [value = ''] = chosen
  const name = inputName(id)
  const shared = {
    id: name,
    name,
    defaultValue: value,
    className: 'input',
    'aria-required': required || undefined,
    'aria-invalid': isInvalid || undefined,
    'aria-describedby': describedBy,
  }
  switch (kind) {
    case 'long':
      return <textarea {...shared} rows={5} />
    case 'date':
      return <input {...shared} type="date" className="input max-w-56" />
    case 'choice':
      return <Choices question={question} chosen={chosen} />
    case 'scale':
      return <Scale question={question} chosen={value} />
    default:
      return <input {...shared} autoComplete="off" />
  }
}

function Choices({ question: { id, options, multiple, required }, chosen }: { question: Question; chosen: string[] }) {
  const name = inputName(id)
  const all = multiple || required ? options : [...options, '']
  return (
    <div className="grid gap-1">
      {all.map((option) => (
        <label key={option} className="flex min-h-9 items-center gap-2.5 py-1">
          <input
            type={multiple ? 'checkbox' : 'radio'}
            name={name}
            value={option}
            className={multiple ? 'check' : 'accent-[var(--brand)] size-4 shrink-0'}
            defaultChecked={option === '' ? false : chosen.includes(option)}
          />
          <span className="min-w-0 wrap-anywhere">{option === '' ? 'No answer' : option}</span>
        </label>
      ))}
    </div>
  )
}

function Scale({ question, chosen }: { question: Question; chosen: string }) {
  const { id, min, max, minLabel, maxLabel } = question
  const name = inputName(id)
  return (
    <div>
      <div className="flex flex-wrap gap-1.5">
        {Array.from({ length: max - min + 1 }, (_, index) => String(min + index)).map((step) => (
          <label key={step} className="grid min-w-9 justify-items-center gap-1 py-1">
            <input
              type="radio"
              name={name}
              value={step}
              className="size-5 accent-[var(--brand)]"
              defaultChecked={chosen === step}
            />
            <span className="num text-sm">{step}</span>
          </label>
        ))}
      </div>
      {(minLabel || maxLabel) && (
        <p className="hint flex flex-wrap justify-between gap-x-4">
          <span className="min-w-0 wrap-anywhere">{minLabel && `${min}: ${minLabel}`}</span>
          <span className="min-w-0 wrap-anywhere">{maxLabel && `${max}: ${maxLabel}`}</span>
        </p>
      )}
    </div>
  )
}
