import type { Fields } from '#app/lib/fields.ts'
import type { Question } from '../booking-fields.ts'
import { placeLabels } from './places.ts'

/** The form of a visitor. Plain data: the page uses it too. */
export const visitorFields = {
  name: { kind: 'line', label: 'Name', required: 'Enter your name' },
  email: { kind: 'email', label: 'Email', required: 'Enter your email address' },
  place: { kind: 'choice', label: 'Where', choices: placeLabels, message: 'Choose where you want to meet' },
  phone: { kind: 'line', label: 'Phone number', max: 40, optional: true },
  notes: { kind: 'text', label: 'Notes', max: 2000, optional: true },
  start: { kind: 'line', label: 'Another time', required: 'Choose a time' },
} as const satisfies Fields

export const answerName = (index: number): string => `answer-${index}`
/** A field for each question, by `answerName`. */
export const answerFields = (questions: Question[]): Fields =>
  Object.fromEntries(
    questions.map(({ label, required }, index) => [
      answerName(index),
      { kind: 'text', label, ...(required ? { required: requiredAnswer } : {}) },
    ]),
  )
export const requiredAnswer = 'Please answer this question'
