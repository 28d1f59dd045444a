import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { documents, markupPieces, markupTexts } from '#tests/support/markup.ts'
import {
  snippetAround,
  escapeMarkup,
  excerpt,
  maxExcerptSource,
  parseMarkup,
  plainText,
  printMarkup,
  type MarkupDocument,
  type Line,
  type Mark,
} from './markup.ts'

describe('the markup', () => {
  test('parses every printed document back to the same document', () => {
    fc.assert(
      fc.property(documents, (document) => {
        expect(parseMarkup(printMarkup(document))).toEqual(document)
      }),
      { numRuns: 1000 },
    )
  })

  test('parses every string, and parsing its printed form gives the same document', () => {
    fc.assert(
      fc.property(
        fc.array(markupPieces).map((parts) => parts.join('')),
        (source) => {
          const document = parseMarkup(source)
          expect(parseMarkup(printMarkup(document))).toEqual(document)
        },
      ),
      { numRuns: 3000 },
    )
  })

  test('keeps every character of a plain text', () => {
    fc.assert(
      fc.property(markupTexts, (text) => {
        const document: MarkupDocument = [{ kind: 'paragraph', runs: [{ text, marks: [] }] }]
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

  test('leaves ordinary underscores and equals signs unchanged', () => {
    expect(printMarkup([{ kind: 'paragraph', runs: [{ text: 'snake_case a=b', marks: [] }] }])).toBe('snake_case a=b')
  })

  test('parses and prints 50,000 characters in well under a second', () => {
    const source = '**a** _b_ \\* == '.repeat(3125)
    const began = performance.now()
    expect(parseMarkup(printMarkup(parseMarkup(source)))).toEqual(parseMarkup(source))
    expect(performance.now() - began).toBeLessThan(1000)
  })

  test('escaped plain text shows as typed, and text without markup is not escaped', () => {
    fc.assert(
      fc.property(
        fc.array(markupPieces).map((parts) => parts.join('')),
        (text) => {
          expect(plainText(escapeMarkup(text))).toBe(text)
          expect(escapeMarkup(plainText(escapeMarkup(text)))).toBe(escapeMarkup(text))
        },
      ),
      { numRuns: 2000 },
    )
    expect(escapeMarkup('=SUM(A1) costs 5 * 3\n• one')).toBe('=SUM(A1) costs 5 * 3\n• one')
    expect(escapeMarkup('# no *heading*')).toBe('\\# no \\*heading\\*')
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
  ])('%s are parsed, printed and excerpted in well under a second without changes', (_name, source) => {
    const began = performance.now()
    const document = parseMarkup(source)
    expect(parseMarkup(printMarkup(document))).toEqual(document)
    expect(plainText(escapeMarkup(source))).toBe(source)
    expect([...excerpt(source, 280)].length).toBeLessThanOrEqual(280)
    expect(performance.now() - began).toBeLessThan(2000)
  })

  test('an excerpt that is cut inside a mark shows no markup', () => {
    const long = `first\n**${'bold words '.repeat(400)}and ==more==**`
    expect(excerpt(long.slice(0, maxExcerptSource), 60)).toBe(excerpt(long, 60))
    expect(excerpt(long, 60)).toMatch(/^first · bold words/)
  })

  test('an excerpt is plain text in one line', () => {
    expect(excerpt('# Next\n• **call** Ada\n• rest', 100)).toBe('Next • call Ada • rest')
    expect(excerpt('# Session 5\nCame in tired.\nBut clear.\n• anger\n• plans\n\nWe kept it', 100)).toBe(
      'Session 5 · Came in tired. But clear. • anger • plans · We kept it',
    )
    expect(excerpt('abcdefgh', 5)).toBe('abcd…')
  })

  test('a snippet begins shortly before the match and has no ellipsis at the ends of the text', () => {
    expect(snippetAround('She **loves** hiking', 'LÖVES')).toBe('She loves hiking')
    expect(snippetAround(`${'a '.repeat(50)}*hik*ing`, 'hiking')).toBe(`…${'a '.repeat(8)}hiking`)
    expect(snippetAround(`hiking${' b'.repeat(200)}`, 'hiking')).toBe(`hiking${' b'.repeat(57)}…`)
    expect(snippetAround('👩‍👩‍👧 İstanbul, then home', 'istanbul')).toBe('👩‍👩‍👧 İstanbul, then home')
    expect(snippetAround('elsewhere', 'hiking')).toBe('elsewhere')
  })
})
