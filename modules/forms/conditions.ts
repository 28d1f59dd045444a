import type { Answers, Question } from './fields.ts'

export type ConditionalQuestion = Pick<Question, 'id' | 'kind' | 'condition'>

/**
 * The ids of the questions that these answers hide. A question that is hidden has no answer for others; a section hides
 * its questions. The page for clients runs the text of this function in the browser: it uses nothing outside of it.
 */
export function findHidden(questions: ConditionalQuestion[], answers: Answers): string[] {
  const hidden: string[] = []
  const meets = (value: Answers[string] | undefined, test: string, expected: string): boolean => {
    if (value === undefined || value === '') return false
    const normalize = (text: string | number): string => String(text).trim().toLowerCase()
    const wanted = normalize(expected)
    const given = Array.isArray(value) ? value.map(normalize) : [normalize(value)]
    if (test === 'is') return given.length === 1 && given[0] === wanted
    if (test === 'contains')
      return Array.isArray(value) ? given.includes(wanted) : wanted !== '' && given[0]!.includes(wanted)
    // Dates are compared as texts, such as '2026-03-14'.
    const isDate = /^\d{4}-\d\d-\d\d$/
    if (isDate.test(wanted)) return given.some((one) => isDate.test(one) && one > wanted)
    return given.some((one) => one !== '' && Number(one) > Number(wanted))
  }
  let isSectionHidden = false
  for (const { id, kind, condition } of questions) {
    const isUnmet =
      condition !== null &&
      (hidden.includes(condition.question) || !meets(answers[condition.question], condition.test, condition.value))
    if (kind === 'section') isSectionHidden = isUnmet
    if (isUnmet || isSectionHidden) hidden.push(id)
  }
  return hidden
}
