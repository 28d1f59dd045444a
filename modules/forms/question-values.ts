import type { Fields } from '#app/lib/fields.ts'
import { clientFields, conditionTests, limits, type Question } from './fields.ts'

/** The inputs of the dialog of a question, of all kinds. */
export const questionFormFields = {
  label: { kind: 'line', label: 'Question', required: 'Enter the question', max: limits.label },
  help: { kind: 'text', label: 'Help text', max: limits.help, optional: true },
  required: {
    kind: 'choice',
    label: 'Answer',
    choices: { no: 'Optional', yes: 'Required' },
    message: 'Choose one',
  },
  options: { kind: 'text', label: 'Choices, one in each line' },
  multiple: {
    kind: 'choice',
    label: 'The client chooses',
    choices: { no: 'One', yes: 'Several' },
    message: 'Choose one',
  },
  min: { kind: 'line', label: 'From', max: 4 },
  max: { kind: 'line', label: 'To', max: 4 },
  minLabel: { kind: 'line', label: 'Meaning of the first', max: limits.scaleLabel, optional: true },
  maxLabel: { kind: 'line', label: 'Meaning of the last', max: limits.scaleLabel, optional: true },
  conditionQuestion: { kind: 'line', label: 'Show it' },
  conditionTest: { kind: 'choice', label: 'Its answer', choices: conditionTests, message: 'Choose a test' },
  conditionValue: { kind: 'line', label: 'This value', max: limits.option },
  clientField: {
    kind: 'choice',
    label: 'Propose the answer for',
    choices: {
      '': 'No field of the client',
      ...Object.fromEntries(Object.entries(clientFields).map(([name, { label }]) => [name, label])),
    },
    message: 'Choose a field of the client',
  },
} as const satisfies Fields

export type QuestionValues = Record<keyof typeof questionFormFields, string>

export function toQuestionValues(question: Question): QuestionValues {
  const { label, help, required, options, multiple, min, max, minLabel, maxLabel, condition, clientField } = question
  return {
    label,
    help: help ?? '',
    required: required ? 'yes' : 'no',
    options: options.join('\n'),
    multiple: multiple ? 'yes' : 'no',
    min: String(min),
    max: String(max),
    minLabel: minLabel ?? '',
    maxLabel: maxLabel ?? '',
    conditionQuestion: condition?.question ?? '',
    conditionTest: condition?.test ?? 'is',
    conditionValue: condition?.value ?? '',
    clientField: clientField ?? '',
  }
}
