import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { documents, letters, words } from '#tests/support/markup.ts'
import {
  around,
  asMarkup,
  excerpt,
  excerptRead,
  parseMarkup,
  plainText,
  printMarkup,
  type Document,
  type Line,
  type Mark,
} from './markup.ts'

describe('the light markup', () => {
  test('reads every printed document back the same', () => {
    fc.assert(
      fc.property(documents, (document) => {
        expect(parseMarkup(printMarkup(document))).toEqual(document)
      }),
      { numRuns: 1000 },
    )
  })

  test('reads every string, and printing what was read is read the same', () => {
    fc.assert(
      fc.property(
        fc.array(letters).map((parts) => parts.join('')),
        (source) => {
          const document = parseMarkup(source)
          expect(parseMarkup(printMarkup(document))).toEqual(document)
        },
      ),
      { numRuns: 3000 },
    )
  })

  test('keeps every letter of a plain text', () => {
    fc.assert(
      fc.property(words, (text) => {
        const document: Document = [{ kind: 'paragraph', runs: [{ text, marks: [] }] }]
        expect(plainText(printMarkup(document))).toBe(text)
      }),
      { numRuns: 2000 },
    )
  })

  const bold: Mark[] = ['bold']
  test.each<[string, Line]>([
    [
      '**a** b',
      {
        kind: 'paragraph',
        runs: [
          { text: 'a', marks: bold },
          { text: ' b', marks: [] },
        ],
      },
    ],
    ['***a***', { kind: 'paragraph', runs: [{ text: 'a', marks: ['bold', 'italic'] }] }],
    [
      '**a*b**c*',
      {
        kind: 'paragraph',
        runs: [
          { text: 'a', marks: bold },
          { text: 'b', marks: ['bold', 'italic'] },
          { text: 'c', marks: ['italic'] },
        ],
      },
    ],
    ['## Plan', { kind: 'heading2', runs: [{ text: 'Plan', marks: [] }] }],
    ['• rest', { kind: 'bullet', runs: [{ text: 'rest', marks: [] }] }],
    ['#### four', { kind: 'paragraph', runs: [{ text: '#### four', marks: [] }] }],
    ['\\# no', { kind: 'paragraph', runs: [{ text: '# no', marks: [] }] }],
    ['5 * 3', { kind: 'paragraph', runs: [{ text: '5 * 3', marks: [] }] }],
    ['snake_case a=b', { kind: 'paragraph', runs: [{ text: 'snake_case a=b', marks: [] }] }],
    ['C:\\dir', { kind: 'paragraph', runs: [{ text: 'C:\\dir', marks: [] }] }],
  ])('%s', (source, expected) => {
    expect(parseMarkup(source)).toEqual([expected])
  })

  test('leaves ordinary underscores and equals signs as they were typed', () => {
    expect(printMarkup([{ kind: 'paragraph', runs: [{ text: 'snake_case a=b', marks: [] }] }])).toBe('snake_case a=b')
  })

  test('reads and prints 50,000 characters in well under a second', () => {
    const source = '**a** _b_ \\* == '.repeat(3125)
    const began = performance.now()
    expect(parseMarkup(printMarkup(parseMarkup(source)))).toEqual(parseMarkup(source))
    expect(performance.now() - began).toBeLessThan(1000)
  })

  test('plain text made markup reads as it was typed, and is left alone where it does already', () => {
    fc.assert(
      fc.property(
        fc.array(letters).map((parts) => parts.join('')),
        (text) => {
          expect(plainText(asMarkup(text))).toBe(text)
          expect(asMarkup(plainText(asMarkup(text)))).toBe(asMarkup(text))
        },
      ),
      { numRuns: 2000 },
    )
    expect(asMarkup('=SUM(A1) costs 5 * 3\n• one')).toBe('=SUM(A1) costs 5 * 3\n• one')
    expect(asMarkup('# no *heading*')).toBe('\\# no \\*heading\\*')
  })

  test.each([
    ['fifty thousand asterisks', '*'.repeat(50_000)],
    ['fifty thousand asterisks, each on a line', '*\n'.repeat(25_000)],
    ['signs that open and never close', '**__==*'.repeat(7_000)],
    ['marks that begin in each other', '**a__b==c*d'.repeat(4_500)],
    ['backslashes', '\\'.repeat(50_000)],
    ['escaped signs', '\\*'.repeat(25_000)],
    ['hashes', '#'.repeat(50_000)],
    ['bullets', '• '.repeat(25_000)],
    ['lines', '\n'.repeat(50_000)],
    ['emoji and right-to-left', '👩‍👩‍👧שלום**'.repeat(3_500)],
  ])('%s are read, printed and shortened in well under a second, and come back the same', (_name, source) => {
    const began = performance.now()
    const document = parseMarkup(source)
    expect(parseMarkup(printMarkup(document))).toEqual(document)
    expect(plainText(asMarkup(source))).toBe(source)
    expect([...excerpt(source, 280)].length).toBeLessThanOrEqual(280)
    expect(performance.now() - began).toBeLessThan(2000)
  })

  test('an excerpt of what was cut off shows no sign of a mark that goes on', () => {
    const long = `first\n**${'bold words '.repeat(400)}and ==more==**`
    expect(excerpt(long.slice(0, excerptRead), 60)).toBe(excerpt(long, 60))
    expect(excerpt(long, 60)).toMatch(/^first · bold words/)
  })

  test('an excerpt has the words alone, in one line', () => {
    expect(excerpt('# Next\n• **call** Ada\n• rest', 100)).toBe('Next • call Ada • rest')
    expect(excerpt('# Session 5\nCame in tired.\nBut clear.\n• anger\n• plans\n\nWe kept it', 100)).toBe(
      'Session 5 · Came in tired. But clear. • anger • plans · We kept it',
    )
    expect(excerpt('abcdefgh', 5)).toBe('abcd…')
  })

  test('a stretch around what was searched for begins shortly before it, and is not cut where there is nothing more', () => {
    expect(around('She **loves** hiking', 'LÖVES')).toBe('She loves hiking')
    expect(around(`${'a '.repeat(50)}*hik*ing`, 'hiking')).toBe(`…${'a '.repeat(8)}hiking`)
    expect(around(`hiking${' b'.repeat(200)}`, 'hiking')).toBe(`hiking${' b'.repeat(57)}…`)
    expect(around('👩‍👩‍👧 İstanbul, then home', 'istanbul')).toBe('👩‍👩‍👧 İstanbul, then home')
    expect(around('elsewhere', 'hiking')).toBe('elsewhere')
  })
})
