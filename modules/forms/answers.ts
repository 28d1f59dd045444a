import { findHidden } from './conditions.ts'
import { limits, type Answers, type Question } from './fields.ts'

export type AnswerIssue = { question: string; message: string }
/** The texts of the inputs of each question. */
export type SentAnswers = Record<string, string[]>

/**
 * Reads answers as a form or the API sends them, and says what is wrong with each. What is empty is no answer.
 */
export function parseAnswers(questions: Question[], sent: SentAnswers): { answers: Answers; issues: AnswerIssue[] } {
  const answers: Answers = {}
  const issues: AnswerIssue[] = []
  for (const question of questions) {
    const texts = (sent[question.id] ?? []).map((text) => text.replaceAll('\r\n', '\n')).filter((text) => text.trim())
    if (!texts.length || question.kind === 'section' || question.kind === 'file') continue
    const result = parseAnswer(question, texts)
    if ('message' in result) issues.push({ question: question.id, message: result.message })
    else answers[question.id] = result.value
  }
  return { answers, issues }
}

type Parsed = { value: Answers[string] } | { message: string }

// Control characters, except tab and line feed.
const controlCharacter = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/

function parseAnswer(question: Question, [first = '', ...others]: string[]): Parsed {
  const all = [first, ...others]
  if (all.some((text) => !text.isWellFormed() || controlCharacter.test(text)))
    return { message: 'This text contains an unsupported character' }
  switch (question.kind) {
    case 'choice':
      return parseChoice(question, all)
    case 'scale':
      return parseScale(question, first)
    case 'date':
      return isDate(first) ? { value: first } : { message: 'Use a date from 1900 to 2200' }
    case 'long':
      return parseText(first, limits.long)
    default:
      return first.includes('\n') ? { message: 'Use a single line' } : parseText(first.trim(), limits.short)
  }
}

function parseText(value: string, max: number): Parsed {
  const length = [...value].length
  if (length <= max) return { value }
  const format = (count: number) => count.toLocaleString('en-US')
  return { message: `Use at most ${format(max)} characters. These are ${format(length)}.` }
}

function parseChoice({ options, multiple }: Question, texts: string[]): Parsed {
  const chosen = options.filter((option) => texts.includes(option))
  if (texts.some((text) => !options.includes(text))) return { message: 'Choose from the list' }
  if (multiple) return { value: chosen }
  return chosen.length === 1 ? { value: chosen[0]! } : { message: 'Choose one' }
}

function parseScale({ min, max }: Question, text: string): Parsed {
  const value = /^-?\d{1,3}$/.test(text.trim()) ? Number(text) : Number.NaN
  return value >= min && value <= max ? { value } : { message: `Choose a number from ${min} to ${max}` }
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text < '1900-01-01' || text > '2200-12-31') return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/**
 * The answers without those of hidden questions, and the required ones that are missing. `files`: the questions that
 * have a file.
 */
export function completeAnswers(
  questions: Question[],
  answers: Answers,
  files: ReadonlySet<string>,
): { answers: Answers; issues: AnswerIssue[] } {
  const hidden = new Set(findHidden(questions, answers))
  const shown = questions.filter(({ id }) => !hidden.has(id))
  const missing = shown.filter(
    ({ id, kind, required }) => required && kind !== 'section' && !(kind === 'file' ? files.has(id) : id in answers),
  )
  return {
    answers: Object.fromEntries(shown.flatMap(({ id }) => (id in answers ? [[id, answers[id]!]] : []))),
    issues: missing.map(({ id, kind }) => ({
      question: id,
      message: kind === 'file' ? 'Upload a file' : 'Please answer this question',
    })),
  }
}

/** An answer as people read it. */
export const formatAnswer = (value: Answers[string] | undefined): string =>
  value === undefined ? '' : Array.isArray(value) ? value.join(', ') : String(value)

/** The name of a question's input. */
export const inputName = (id: string): string => `q-${id}`

/** The answers of a form, by question. */
export function readSent(questions: { id: string }[], form: { getAll: (name: string) => unknown[] }): SentAnswers {
  return Object.fromEntries(
    questions.map(({ id }) => [
      id,
      form.getAll(inputName(id)).filter((value): value is string => typeof value === 'string'),
    ]),
  )
}

/** Stored answers as `parseAnswers` takes them. */
export const toSent = (answers: Answers): SentAnswers =>
  Object.fromEntries(Object.entries(answers).map(([id, value]) => [id, Array.isArray(value) ? value : [String(value)]]))
