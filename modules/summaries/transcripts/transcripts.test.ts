import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { transcriptLimits as limits } from '../types.ts'
import { formatText, formatVtt } from './export.ts'
import { toLines, type Turn } from './lines.ts'
import { parseTranscript } from './parse.ts'

const read = (content: string | Uint8Array) =>
  parseTranscript(content).lines.map(({ speaker, startMs, endMs, text }) => [speaker, startMs, endMs, text])

describe('WebVTT', () => {
  test('voice tags, settings of cues, notes, styles and markup', () => {
    const lines = read(`\ufeffWEBVTT - Session 4
Kind: captions

NOTE recorded by Zoom
in two lines

STYLE
::cue { color: red }

1
00:00:01.000 --> 00:00:04.500 align:start position:10%
<v Anna Weber>Hello <b>Ben</b>, how <00:00:02.000>are you?

00:04.500 --> 00:06.000
<v.loud Ben>Fine &amp; well,
<i>thank you.</i></v>

00:06.000 --> 00:08.000
<v Anna Weber>Good.</v> <v Ben>Yes.</v>
`)
    expect(lines).toEqual([
      ['Anna Weber', 1000, 4500, 'Hello Ben, how are you?'],
      ['Ben', 4500, 6000, 'Fine & well, thank you.'],
      ['Anna Weber', 6000, 8000, 'Good.'],
      ['Ben', 6000, 8000, 'Yes.'],
    ])
  })

  test('names before the text, as Zoom writes them', () => {
    expect(read('WEBVTT\r\n\r\n1\r\n00:00:01.000 --> 00:00:02.000\r\nAnna Weber: Well: yes.\r\n')).toEqual([
      ['Anna Weber', 1000, 2000, 'Well: yes.'],
    ])
  })

  test('a phrase before a colon is no name unless it begins several captions', () => {
    const content = 'WEBVTT\n\n00:01.000 --> 00:02.000\nso here is the thing: I left\n'
    expect(read(content)[0]).toEqual([null, 1000, 2000, 'so here is the thing: I left'])
    const twice = `${content}\n00:03.000 --> 00:04.000\nmy coach: why\n\n00:05.000 --> 00:06.000\nmy coach: when\n`
    expect(read(twice).slice(1)).toEqual([
      ['my coach', 3000, 4000, 'why'],
      ['my coach', 5000, 6000, 'when'],
    ])
  })

  test('broken times cost no text, and are counted', () => {
    const { lines, unreadableTimes } = parseTranscript(`WEBVTT

00:00:01.000 --> 00:00:02.000
One.

00:75:99.000 --> soon
Two.

00:00:09.000 --> 00:00:03.000
Three.

4
Four, without times.

--> 00:00:05.000
Five.
00:00:06,5 --> 00:00:07
Six.`)
    expect(lines.map(({ startMs, endMs, text }) => [startMs, endMs, text])).toEqual([
      [1000, 2000, 'One.'],
      [null, null, 'Two.'],
      [9000, 9000, 'Three.'],
      [null, null, 'Four, without times.'],
      [null, null, 'Five.'],
      [6500, 7000, 'Six.'],
    ])
    expect(unreadableTimes).toBe(4)
  })

  test('a tag that never ends is text', () => {
    expect(read('WEBVTT\n\n00:01.000 --> 00:02.000\n3 < 4 and <i never closed')[0]![3]).toBe(
      '3 < 4 and <i never closed',
    )
  })
})

describe('SubRip', () => {
  test('numbers, commas, markup and names', () => {
    const lines = read(`1
00:00:01,000 --> 00:00:02,000
<i>Anna:</i> Hello.

2
00:00:02,000 --> 00:00:03,000
BEN: Hello <laugh>
and good morning.
3
00:00:03,000 --> 00:00:04,000
{\\an8}Without an empty line before.
`)
    expect(lines).toEqual([
      [null, 1000, 2000, 'Anna: Hello.'],
      ['BEN', 2000, 3000, 'Hello <laugh> and good morning.'],
      [null, 3000, 4000, 'Without an empty line before.'],
    ])
  })
})

describe('plain text', () => {
  test.each([
    [
      'names',
      'Anna: Hello.\nBen: Hi.\nand more',
      [
        ['Anna', null, null, 'Hello.'],
        ['Ben', null, null, 'Hi.'],
        ['Ben', null, null, 'and more'],
      ],
    ],
    [
      'times in brackets',
      '[00:12:03] Anna: Hello.\n[00:12:05.5] Ben: Hi.',
      [
        ['Anna', 723000, 725500, 'Hello.'],
        ['Ben', 725500, 725500, 'Hi.'],
      ],
    ],
    [
      'times after the name',
      'Anna [12:03]: Hello.\nBen (12:05)\nHi.',
      [
        ['Anna', 723000, 725000, 'Hello.'],
        ['Ben', 725000, 725000, 'Hi.'],
      ],
    ],
    [
      'times before the name',
      '0:03 Anna: Hello.\n0:04 Ben: Hi.',
      [
        ['Anna', 3000, 4000, 'Hello.'],
        ['Ben', 4000, 4000, 'Hi.'],
      ],
    ],
    [
      'columns',
      'Speaker 0    00:00:12    Hello.\nSpeaker 1\t00:00:14\nHi.',
      [
        ['Speaker 0', 12000, 14000, 'Hello.'],
        ['Speaker 1', 14000, 14000, 'Hi.'],
      ],
    ],
    [
      'ranges',
      '[00:00:00.000 --> 00:00:05.000]  Hello.\n[00:00:07 - 00:00:09] Hi.',
      [
        [null, 0, 5000, 'Hello.'],
        [null, 7000, 9000, 'Hi.'],
      ],
    ],
    [
      'a time of day',
      'Anna: When?\n10:30 works for me.',
      [
        ['Anna', null, null, 'When?'],
        ['Anna', null, null, '10:30 works for me.'],
      ],
    ],
    [
      'no names at all',
      'Hello.\n\nHi: there is http://example.com here.',
      [
        [null, null, null, 'Hello.'],
        ['Hi', null, null, 'there is http://example.com here.'],
      ],
    ],
    [
      'other scripts',
      'جمال: مرحبا\n田中：はい\nÄnne Müßig-Łukasiewicz: Ja.',
      [
        ['جمال', null, null, 'مرحبا'],
        ['جمال', null, null, '田中：はい'],
        ['Änne Müßig-Łukasiewicz', null, null, 'Ja.'],
      ],
    ],
  ])('%s', (_name, content, expected) => {
    expect(read(content)).toEqual(expected)
  })

  test('Windows-1252 and UTF-16', () => {
    expect(read(new Uint8Array(Buffer.from('Anna: Caf\xe9', 'latin1')))[0]![3]).toBe('Café')
    expect(read(new Uint8Array(Buffer.from('\ufeffAnna: Café', 'utf16le')))[0]![3]).toBe('Café')
  })
})

test.each([
  ['', 'This transcript is empty.'],
  [' \n ', 'This transcript is empty.'],
  ['WEBVTT\n\nNOTE nothing', 'No text was found in this transcript.'],
  ['%PDF-1.7', 'This is a PDF. Save the transcript as text, VTT or SRT and upload that file.'],
  ['<!DOCTYPE html><p>Anna: Hello', 'This is a web page. Upload the transcript as text, VTT or SRT.'],
  ['{\\rtf1 Anna', 'This is a document of a word processor. Save it as plain text and upload that file.'],
  ['PK\u0003\u0004', 'This is a document of a word processor. Save it as plain text and upload that file.'],
  ['ID3\0\0', 'This file is not text. Upload the transcript as text, VTT or SRT.'],
  ['a'.repeat(limits.bytes + 1), 'This transcript is too large. Upload at most 5 MB of text.'],
  ['a'.repeat(limits.characters + 1), 'This transcript is too long. Upload the transcript of a single session.'],
  ['a\n'.repeat(limits.lines + 1), 'This transcript has too many lines. Upload at most 20,000 lines.'],
])('a message for what is not a transcript (%#)', (content, message) => {
  expect(() => parseTranscript(content)).toThrow(message)
})

test('control characters and marks that turn the direction of writing are removed', () => {
  expect(read('Anna: Bring\u202e txt.exe\u0007 \ud800 along')[0]![3]).toBe('Bring txt.exe \ufffd along')
})

test('a line of 1 MB is divided between sentences, its time in proportion', () => {
  const text = 'We talked about the plan for the coming year. '.repeat(22_000)
  const { lines } = parseTranscript(`WEBVTT\n\n00:00:00.000 --> 08:00:00.000\n<v Anna>${text}`)
  expect(lines.every((line) => line.text.length <= limits.lineCharacters && line.text.endsWith('year.'))).toBe(true)
  expect(lines.map((line) => line.text).join(' ')).toBe(text.trim())
  expect(lines.at(-1)!.endMs).toBe(8 * 3_600_000)
  expect(lines.every(({ startMs }, index) => index === 0 || startMs! >= lines[index - 1]!.endMs!)).toBe(true)
})

test('a transcript of eight hours', () => {
  const cues = Array.from({ length: 14_400 }, (_, index) => {
    const time = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 23)
    return `${index + 1}\n${time(index * 2)} --> ${time(index * 2 + 2)}\n${index % 2 ? 'Anna' : 'Ben'}: Sentence ${index}.\n`
  })
  const { lines } = parseTranscript(`WEBVTT\n\n${cues.join('\n')}`)
  expect([lines.length, lines.at(-1)!.endMs]).toEqual([14_400, 8 * 3_600_000])
})

// Each takes a second or less. Time that grew with the square of the length would be minutes, on any machine.
test.each([
  ['spaces', (n: number) => `Anna${' '.repeat(n)}x`],
  ['open tags', (n: number) => `WEBVTT\n\n00:01.000 --> 00:02.000\n${'<v '.repeat(n / 3)}`],
  ['tags', (n: number) => `WEBVTT\n\n00:01.000 --> 00:02.000\n${'<v A>b'.repeat(n / 6)}`],
  ['entities', (n: number) => `WEBVTT\n\n00:01.000 --> 00:02.000\n${'&amp;&'.repeat(n / 6)}`],
  ['arrows', (n: number) => '-->\n'.repeat(n / 80)],
  ['digits', (n: number) => `1\n00:01,000 --> 00:02,000\n${'1'.repeat(n)}`],
  ['colons', (n: number) => ':'.repeat(n)],
  ['brackets', (n: number) => '[00:00:01 - '.repeat(n / 12)],
  ['braces', (n: number) => `1\n00:01,000 --> 00:02,000\n${'{\\<font '.repeat(n / 8)}`],
  ['letters without a space', (n: number) => 'a'.repeat(n)],
])('reading takes linear time: %s', (_name, make) => {
  const content = make(4_000_000)
  const before = process.cpuUsage()
  try {
    parseTranscript(content)
  } catch {}
  expect(process.cpuUsage(before).user / 1e6).toBeLessThan(20)
})

const times = fc
  .tuple(fc.nat(90_000_000), fc.nat(60_000))
  .map(([startMs, length]) => ({ startMs, endMs: startMs + length }))
const anyTurn: fc.Arbitrary<Turn> = fc
  .record({
    speaker: fc.option(
      fc.oneof(fc.constantFrom('Anna Weber', 'Ben', 'Speaker 1', 'anna'), fc.string({ unit: 'binary' })),
    ),
    times: fc.option(times),
    text: fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.lorem(),
      fc.constantFrom('Ben: no', '1', 'a --> b', '<v Ben>', '&amp;', '[00:01] x', 'NOTE', 'WEBVTT', 'a'.repeat(10_500)),
    ),
  })
  .map(({ times: known, ...turn }) => ({ ...turn, startMs: known?.startMs ?? null, endMs: known?.endMs ?? null }))

test('WebVTT that was exported reads back the same', () => {
  fc.assert(
    fc.property(fc.array(anyTurn), (turns) => {
      const lines = toLines(turns)
      fc.pre(lines.length > 0)
      expect(parseTranscript(formatVtt(lines))).toEqual({ format: 'vtt', lines, unreadableTimes: 0 })
    }),
  )
})

test('text that was exported reads back the same, with times in seconds', () => {
  const speaker = fc.option(fc.constantFrom('Anna Weber', 'Ben', 'Speaker 1', 'anna', 'Ludwig van der Rohe', '田中'))
  const text = fc.oneof(
    fc.lorem(),
    fc.constantFrom(
      'Ben: no',
      '1',
      '<v Ben>',
      '[00:01] x',
      '00:12',
      '10:30 works',
      '00:05 Ben: x',
      'this one here: yes',
    ),
  )
  const turn = fc.record({ speaker, startSeconds: fc.option(fc.nat(80_000)), text })
  fc.assert(
    fc.property(fc.array(turn, { minLength: 1 }), (turns) => {
      const lines = toLines(
        turns.map(({ startSeconds, ...rest }) => {
          const startMs = startSeconds === null ? null : startSeconds * 1000
          return { ...rest, startMs, endMs: startMs }
        }),
      )
      const again = parseTranscript(formatText(lines)).lines
      expect(again.map(({ endMs: _end, ...line }) => line)).toEqual(lines.map(({ endMs: _end, ...line }) => line))
    }),
  )
})

test('reading anything gives numbered, clean lines or a message', () => {
  const pieces = fc.constantFrom(
    'WEBVTT\n',
    '\n\n',
    '00:01.000 --> 00:02.000\n',
    '99:99 --> 1\n',
    'Anna: ',
    '<v ',
    '>',
    '1\n',
    '[0:01] ',
    'text ',
    '\u0000',
    '\ud83d',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string({ unit: 'binary' }))), (parts) => {
      try {
        for (const [index, line] of parseTranscript(parts.join('')).lines.entries()) {
          expect(line.n).toBe(index + 1)
          expect(line.text.length).toBeGreaterThan(0)
          expect(line.text).toBe(line.text.trim())
          expect(line.startMs === null).toBe(line.endMs === null)
          if (line.startMs !== null) expect(line.endMs).toBeGreaterThanOrEqual(line.startMs)
        }
      } catch (error) {
        expect(error).toMatchObject({ code: 'validation_failed' })
      }
    }),
  )
})
