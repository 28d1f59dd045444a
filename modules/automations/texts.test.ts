import { describe, expect, test } from 'vitest'
import { fillLine, fillText, findPlaceholderProblem, toParagraphs } from './texts.ts'

const values = new Map([
  ['client name', 'Mara\r\nBcc: x@example.com'],
  ['session place', ''],
  ['stage', '{{client name}}'],
])

describe('a text with placeholders', () => {
  test('has each value once, in any case and with spaces; a value that looks like a placeholder stays as it is', () => {
    expect(fillText('{{ Client   NAME }} {{stage}}', values)).toBe('Mara\r\nBcc: x@example.com {{client name}}')
  })

  test('can add no header: a subject is one line', () => {
    expect(fillLine('Hello {{client name}}', values)).toBe('Hello Mara Bcc: x@example.com')
  })

  test('leaves out lines whose placeholder has no value, and paragraphs that become empty', () => {
    expect(toParagraphs(fillText('One\nWhere: {{session place}}\n\n{{session place}}\n\nTwo', values))).toEqual([
      'One',
      'Two',
    ])
  })

  test.each([
    ['Hello {{client nam}}', 'There is no placeholder {{client nam}} here'],
    ['{{constructor}}', 'There is no placeholder {{constructor}} here'],
    ['Hello {{client name', 'Write placeholders as {{client name}}'],
    ['Hello {{ client name }}', null],
  ])('%s: %s', (text, problem) => expect(findPlaceholderProblem(text, [...values.keys()])).toBe(problem))
})
