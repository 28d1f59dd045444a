import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { completeAnswers, parseAnswers, toSent } from './answers.ts'
import { findHidden } from './conditions.ts'
import { limits, newQuestion, type Answers, type Question } from './fields.ts'
import { findProblems, Questions } from './forms.ts'
import { templates } from './templates.ts'

const options = ['Yes', 'No', 'A little']
const kinds = ['short', 'long', 'choice', 'scale', 'date', 'section'] as const

/** A form whose questions depend on earlier ones. */
const questionsArbitrary: fc.Arbitrary<Question[]> = fc
  .array(
    fc.record({
      kind: fc.constantFrom(...kinds),
      required: fc.boolean(),
      multiple: fc.boolean(),
      depends: fc.option(fc.record({ on: fc.nat(), test: fc.constantFrom('is', 'contains', 'above'), pick: fc.nat() })),
    }),
    { maxLength: 25 },
  )
  .map((parts) => {
    const questions: Question[] = []
    for (const [index, { kind, required, multiple, depends }] of parts.entries()) {
      const earlier = questions.filter((one) => one.kind !== 'section')
      const other = depends && earlier.length ? earlier[depends.on % earlier.length]! : null
      const question = {
        ...newQuestion(kind, `q${index}`),
        label: `Question ${index}`,
        required: required && kind !== 'section',
        multiple,
        options: kind === 'choice' ? options : [],
      }
      questions.push({ ...question, condition: other && toCondition(other, depends!) })
    }
    return questions
  })

function toCondition(other: Question, { test: wanted, pick }: { test: string; pick: number }) {
  const isOrdered = other.kind === 'scale' || other.kind === 'date'
  const chosen = (wanted === 'above' && !isOrdered ? 'is' : wanted) as 'is' | 'contains' | 'above'
  const value =
    other.kind === 'choice' ? options[pick % 3]! : other.kind === 'scale' ? String((pick % 10) + 1) : '2026-03-14'
  return { question: other.id, test: chosen, value }
}

const toAnswer = (question: Question, pick: number): Answers[string] => {
  if (question.kind === 'choice') return question.multiple ? options.slice(pick % 3) : options[pick % 3]!
  if (question.kind === 'scale') return (pick % 10) + 1
  if (question.kind === 'date') return `2026-03-${String((pick % 28) + 1).padStart(2, '0')}`
  return pick % 2 ? '2026-03-14' : 'text'
}
const withAnswers = questionsArbitrary.chain((questions) =>
  fc.array(fc.option(fc.nat()), { minLength: questions.length, maxLength: questions.length }).map((picks) => ({
    questions,
    answers: Object.fromEntries(
      questions.flatMap((question, index) =>
        question.kind === 'section' || picks[index] === null ? [] : [[question.id, toAnswer(question, picks[index]!)]],
      ),
    ) as Answers,
  })),
)

describe('conditions', () => {
  test('the forms of this test and the templates are valid', () => {
    fc.assert(fc.property(questionsArbitrary, (questions) => void expect(findProblems(questions)).toEqual([])))
    for (const { questions } of Object.values(templates))
      expect(Questions.safeParse(questions).error?.issues ?? []).toEqual([])
  })

  test('a question is hidden exactly if its condition is unmet, its section is hidden or what it depends on is', () => {
    fc.assert(
      fc.property(withAnswers, ({ questions, answers }) => {
        const hidden = new Set(findHidden(questions, answers))
        let section: string | null = null
        for (const { id, kind, condition } of questions) {
          if (kind === 'section') section = id
          const isIn = section !== null && section !== id && hidden.has(section)
          const other = condition && answers[condition.question]
          const isUnmet = condition !== null && (hidden.has(condition.question) || other === undefined)
          if (isIn || isUnmet) expect(hidden).toContain(id)
          if (!condition && !isIn) expect(hidden).not.toContain(id)
        }
      }),
    )
  })

  test('the answers of hidden questions change nothing, and are not submitted', () => {
    fc.assert(
      fc.property(withAnswers, ({ questions, answers }) => {
        const hidden = findHidden(questions, answers)
        const shown = Object.fromEntries(Object.entries(answers).filter(([id]) => !hidden.includes(id)))
        expect(findHidden(questions, shown)).toEqual(hidden)
        const complete = completeAnswers(questions, answers, new Set())
        expect(complete.answers).toEqual(shown)
        const missing = questions.filter(({ id, required }) => required && !hidden.includes(id) && !(id in answers))
        expect(complete.issues.map(({ question }) => question)).toEqual(missing.map(({ id }) => id))
      }),
    )
  })

  test('the text of the function alone gives the same result, as in the browser', () => {
    // In a context without anything of this module.
    const inBrowser = runInNewContext(`(${findHidden.toString()})`) as typeof findHidden
    fc.assert(
      fc.property(withAnswers, ({ questions, answers }) => {
        expect([...inBrowser(questions, answers)]).toEqual(findHidden(questions, answers))
      }),
    )
  })

  test.each([
    ['is', 'Yes', 'yes ', true],
    ['is', 'Yes', 'Yes, often', false],
    ['contains', 'often', 'Yes, OFTEN', true],
    ['above', '7', 8, true],
    ['above', '7', 7, false],
    ['above', '2026-03-14', '2026-03-15', true],
    ['above', '2026-03-14', '2026-03-14', false],
    ['contains', 'Yes', ['No', 'Yes'], true],
    ['is', 'Yes', ['No', 'Yes'], false],
  ] as const)('"%s %s" with the answer %j is %j', (wanted, value, answer, isMet) => {
    const questions = [
      { id: 'a', kind: 'short' as const, condition: null },
      { id: 'b', kind: 'short' as const, condition: { question: 'a', test: wanted, value } },
    ]
    const given: Answers = { a: typeof answer === 'object' ? [...answer] : answer }
    expect(findHidden(questions, given)).toEqual(isMet ? [] : ['b'])
    expect(findHidden(questions, {})).toEqual(['b'])
  })
})

describe('answers', () => {
  test('what was stored is read the same again', () => {
    fc.assert(
      fc.property(withAnswers, ({ questions, answers }) => {
        const filled = Object.fromEntries(
          Object.entries(answers).filter(([, value]) => !Array.isArray(value) || value.length),
        )
        expect(parseAnswers(questions, toSent(filled))).toEqual({ answers: filled, issues: [] })
      }),
    )
  })

  test('any texts give answers within the limits, or a message', () => {
    fc.assert(
      fc.property(questionsArbitrary, fc.array(fc.string({ unit: 'binary', maxLength: 300 })), (questions, texts) => {
        const sent = Object.fromEntries(questions.map(({ id }, index) => [id, texts.slice(index, index + 2)]))
        const { answers, issues } = parseAnswers(questions, sent)
        for (const { question } of issues) expect(answers).not.toHaveProperty(question)
        for (const { id, kind } of questions)
          if (kind === 'short' && id in answers)
            expect([...String(answers[id])].length).toBeLessThanOrEqual(limits.short)
      }),
      { numRuns: 20 },
    )
  })

  test.each([
    ['short', 'x'.repeat(10_000), 'Use at most 200 characters. These are 10,000.'],
    ['short', 'two\nlines', 'Use a single line'],
    ['short', 'a\u0000b', 'This text contains an unsupported character'],
    ['date', '2026-02-30', 'Use a date from 1900 to 2200'],
    ['scale', '11', 'Choose a number from 1 to 10'],
    ['choice', 'Maybe', 'Choose from the list'],
  ] as const)('a wrong answer is refused: %s, %#', (kind, text, message) => {
    const question = { ...newQuestion(kind, 'q'), options }
    expect(parseAnswers([question], { q: [text] }).issues).toEqual([{ question: 'q', message }])
  })
})
