import { describe, expect, test } from 'vitest'
import { formatLeads, parseLeads } from './leads.ts'
import { fillBody, fillSubject, findPlaceholderProblem, placeholders, standardTexts } from './texts.ts'

const values = {
  'client name': 'Mara Winter',
  'client first name': 'Mara',
  'coach name': 'Winter Coaching',
  session: 'Career talk',
  date: 'Thursday, March 12',
  time: '3:00 – 4:00 PM',
  'time zone': 'Central European Standard Time',
  place: '',
  'sessions left': '',
  link: 'https://example.com/booking/1',
  sessions: 'Thursday, March 12, 3:00 – 4:00 PM',
  'number of sessions': '1',
}

describe('a text with placeholders', () => {
  test('has each value once, in any case and with spaces', () => {
    expect(fillSubject('{{ Client   FIRST name }}: {{session}}', values)).toBe('Mara: Career talk')
  })

  test('is filled once: a value that looks like a placeholder stays as it is', () => {
    expect(fillSubject('{{session}}', { ...values, session: '{{client name}}' })).toBe('{{client name}}')
  })

  test('leaves out lines whose placeholder has no value, and paragraphs that become empty', () => {
    expect(fillBody('One\nWhere: {{place}}\nTwo\n\nWhere: {{place}}\n\n\n{{session}}', values)).toEqual([
      'One\nTwo',
      'Career talk',
    ])
  })

  test('can add no header: a subject is one line, and never empty', () => {
    const session = 'A\r\nBcc: x@example.com\u0000\tB'
    expect(fillSubject('{{session}}', { ...values, session })).toBe('A Bcc: x@example.com B')
    expect(fillSubject('{{place}}', values)).toBe('Career talk')
  })

  test.each([
    ['Hello {{client nam}}', 'There is no placeholder {{client nam}}'],
    ['{{}}', 'There is no placeholder {{}}'],
    ['{{constructor}}', 'There is no placeholder {{constructor}}'],
    ['Hello {{client name', 'Write placeholders as {{place}}'],
    ['Hello client name}}', 'Write placeholders as {{place}}'],
    ['Hello {client name}', null],
  ])('%s: %s', (text, problem) => expect(findPlaceholderProblem(text)).toBe(problem))

  test('is allowed for each placeholder and each standard text', () => {
    for (const name of Object.keys(placeholders)) expect(findPlaceholderProblem(`{{${name}}}`)).toBeNull()
    for (const { subject, body } of Object.values(standardTexts))
      expect([findPlaceholderProblem(subject), findPlaceholderProblem(body)]).toEqual([null, null])
  })
})

describe('times before a session', () => {
  test.each([
    ['1 h, 24 h', [1440, 60]],
    ['2 days; 90min, 90 min', [2880, 90]],
    ['', []],
    ['24', null],
    ['1 min', null],
    ['31 days', null],
    ['soon', null],
  ])('%s: %j', (text, leads) => expect(parseLeads(text)).toEqual(leads))

  test('are shown as they are read', () => {
    const leads = [43_200, 4000, 1440, 90, 60, 5]
    expect(formatLeads(leads)).toBe('30 days, 4000 min, 24 h, 90 min, 1 h, 5 min')
    expect(parseLeads(formatLeads(leads))).toEqual(leads)
  })
})
