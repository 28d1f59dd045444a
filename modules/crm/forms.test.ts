import { describe, expect, test } from 'vitest'
import { ClientEdit, NewClient } from './forms.ts'

const ada = { name: 'Ada', email: 'ada@example.com' }
const wrong = (input: object): string[] =>
  NewClient.safeParse(input).error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? []

describe('a new client', () => {
  test('needs only a name and an email address', () => {
    expect(NewClient.parse(ada)).toEqual({
      ...ada,
      phone: null,
      location: null,
      profession: null,
      timezone: null,
      program: null,
      status: 'active',
      progress: 0,
      tags: [],
      goals: null,
      notes: null,
      futureGoals: null,
      frustrations: null,
      fears: null,
      failures: null,
      productId: null,
    })
    expect(wrong({})).toEqual(['name: Name is required', 'email: Email is required'])
    expect(wrong({ name: ' ', email: ' ' })).toEqual(['name: Name is required', 'email: Email is required'])
  })

  test('is trimmed in single lines and unchanged in free text', () => {
    expect(NewClient.parse({ name: ' Ada ', email: ' Ada@Example.com ', goals: ' a\n b ' })).toMatchObject({
      name: 'Ada',
      email: 'Ada@Example.com',
      goals: ' a\n b ',
    })
  })

  test('has names of up to 255 code points, not UTF-16 units', () => {
    expect(wrong({ ...ada, name: '😀'.repeat(255) })).toEqual([])
    expect(wrong({ ...ada, name: '😀'.repeat(256) })).toEqual(['name: Use at most 255 characters'])
    expect(wrong({ ...ada, goals: 'é'.repeat(50_000) })).toEqual([])
    expect(wrong({ ...ada, goals: 'é'.repeat(50_001) })).toEqual(['goals: Use at most 50,000 characters'])
  })

  test.each(['a', 'a@', '@b.co', 'a b@c.co', 'a@b', 'a@@b.co', 'a@b.co, c@d.co', `${'a'.repeat(250)}@b.co`])(
    'rejects the email address %s',
    (email) => {
      expect(wrong({ ...ada, email })).toHaveLength(1)
    },
  )

  test.each([
    ['NUL', 'a\0b'],
    ['a lone surrogate', 'a\ud800b'],
    ['a control character', 'a\u0007b'],
    ['a carriage return', 'a\rb'],
    ['C1', 'a\u0085b'],
  ])('rejects %s in every text', (_what, value) => {
    for (const field of ['name', 'phone', 'goals', 'failures'])
      expect(wrong({ ...ada, [field]: value })).toHaveLength(1)
  })

  test.each(['50', 1.5, -1, 101, null, NaN, Infinity, true])('rejects the progress %s', (progress) => {
    expect(wrong({ ...ada, progress })).toEqual(['progress: Enter a whole number from 0 to 100'])
  })

  test('rejects an unknown status, an unknown time zone, and a text that is not one', () => {
    expect(wrong({ ...ada, status: 'Active' })).toEqual(['status: Choose one of active, inactive, completed, pending'])
    expect(wrong({ ...ada, timezone: '+02:00' })).toHaveLength(1)
    expect(wrong({ ...ada, timezone: 'Mars/Olympus' })).toHaveLength(1)
    expect(wrong({ ...ada, timezone: 'Asia/Kolkata' })).toEqual([])
    expect(wrong({ ...ada, name: 5 })).toHaveLength(1)
    expect(wrong({ ...ada, phone: ['1'] })).toHaveLength(1)
  })

  test('drops unknown fields', () => {
    expect(NewClient.parse({ ...ada, id: 7, coachId: 9, totalSpent: 100, createdAt: 'x' })).not.toHaveProperty('id')
  })
})

describe('an edit', () => {
  test('has the given fields only', () => {
    expect(ClientEdit.parse({})).toEqual({})
    expect(ClientEdit.parse({ phone: '' })).toEqual({ phone: null })
    expect(ClientEdit.parse({ progress: 40, productId: 3 })).toEqual({ progress: 40 })
  })

  test('cannot empty a required field', () => {
    expect(ClientEdit.safeParse({ name: ' ' }).success).toBe(false)
    expect(ClientEdit.safeParse({ email: null }).success).toBe(false)
    expect(ClientEdit.safeParse({ status: null }).success).toBe(false)
  })
})
