import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { AppError } from '#app/lib/errors.ts'
import { encodings, maxBytes, maxRows, readCsv } from './read-csv.ts'

const bytes = (text: string, encoding: BufferEncoding = 'utf8'): Buffer => Buffer.from(text, encoding)
const fixture = (name: string): Promise<Buffer> => readFile(new URL(`./fixtures/${name}`, import.meta.url))
const cells = async (text: string): Promise<string[][]> => {
  const { headers, rows } = await readCsv(bytes(text))
  return [headers, ...rows.map((row) => row.cells)]
}
async function refusal(content: Uint8Array): Promise<string> {
  const error = await readCsv(content).then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof AppError)) throw new Error(`not refused: ${String(error)}`)
  return `${error.code}: ${error.message}`
}

describe('encodings', () => {
  test.each([
    ['google.csv', 'utf-8', ',', 4, 'José'],
    ['google-old.csv', 'utf-8', ',', 2, 'Raman & Co, Ltd'],
    ['outlook.csv', 'utf-8', ',', 2, 'Line one\r\nLine two\r\n'],
    ['apple.csv', 'utf-8', ';', 2, 'Torstr. 5, 10119 Berlin'],
    ['hubspot.csv', 'utf-8', ',', 2, 'Amara'],
    ['honeybook-booked.csv', 'utf-8', ',', 3, 'Leadership, six months'],
    ['honeybook-leads.csv', 'utf-8', ',', 3, '$1,800.00'],
    ['excel-german.csv', 'windows-1252', ';', 2, 'Größe: klein; mag „Ruhe“ – und Kaffee für 3 €'],
    ['excel-sep.csv', 'utf-8', ';', 1, 'Ada; Countess'],
    ['excel-unicode.txt', 'utf-16le', '\t', 2, 'Анна Кузнецова'],
  ])('%s is decoded as %s, split at %j', async (name, encoding, delimiter, people, somewhere) => {
    const file = await readCsv(await fixture(name))
    expect(file).toMatchObject({ encoding, delimiter })
    expect(file.rows).toHaveLength(people)
    expect(file.rows.flatMap((row) => row.cells)).toContain(somewhere)
    expect(file.rows.every((row) => row.ragged === null)).toBe(true)
  })

  test('a byte order mark is not part of the first header', async () => {
    for (const content of [
      bytes('\ufeffName,Email\nA,a@b.co'),
      bytes('\ufeffName,Email\nA,a@b.co', 'utf16le'),
      bytes('\ufeffName,Email\nA,a@b.co', 'utf16le').swap16(),
    ]) {
      expect((await readCsv(content)).headers).toEqual(['Name', 'Email'])
    }
  })

  test('UTF-16 without a byte order mark is detected', async () => {
    const plain = 'Name,Email\nJosé,jose@example.com\n'
    expect(await readCsv(bytes(plain, 'utf16le'))).toMatchObject({ encoding: 'utf-16le', headers: ['Name', 'Email'] })
    expect(await readCsv(bytes(plain, 'utf16le').swap16())).toMatchObject({
      encoding: 'utf-16be',
      headers: ['Name', 'Email'],
    })
  })

  test('another Windows encoding is detected or chosen', async () => {
    const cp1251 = Buffer.from(
      [...'Имя;Фамилия\nАнна;Кузнецова\nИван;Петров\n'].map((char) => {
        const code = char.charCodeAt(0)
        return code >= 0x410 && code <= 0x44f ? code - 0x410 + 0xc0 : code
      }),
    )
    expect(await readCsv(cp1251)).toMatchObject({ encoding: 'windows-1251', headers: ['Имя', 'Фамилия'] })
    expect(await readCsv(cp1251, { encoding: 'windows-1252' })).toMatchObject({
      encoding: 'windows-1252',
      headers: ['Èìÿ', 'Ôàìèëèÿ'],
    })
  })

  test('every offered encoding can be read', () => {
    expect(encodings.map((name) => new TextDecoder(name).encoding)).toEqual([...encodings])
  })
})

describe('rows', () => {
  test('quoted cells hold delimiters, line breaks and quotation marks', async () => {
    expect(await cells('a,b\n"1,2","x\ny"\n"say ""hi""",3')).toEqual([
      ['a', 'b'],
      ['1,2', 'x\ny'],
      ['say "hi"', '3'],
    ])
  })

  test('stray quotation marks are kept', async () => {
    expect(await cells('a,b\n6" pipe,x\n"u" v,"w"\n')).toEqual([
      ['a', 'b'],
      ['6" pipe', 'x'],
      ['"u" v', 'w'],
    ])
  })

  test('line ends can be mixed', async () => {
    expect(await cells('a,b\r\n1,2\n3,4\r5,6')).toEqual([
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
      ['5', '6'],
    ])
  })

  test('each has the number of its first line', async () => {
    const { rows } = await readCsv(bytes('sep=,\na,b\n"1\n\n2",x\n\n\n,\n3,4\n5'))
    expect(rows.map(({ line, cells: [first] }) => [line, first])).toEqual([
      [3, '1\n\n2'],
      [9, '3'],
      [10, '5'],
    ])
  })

  test('ragged rows are kept and flagged; blank cells at the end and blank rows are ignored', async () => {
    const { rows } = await readCsv(bytes('a,b,,\n1\n1,2\n1,2,,\n1,2,3\n,,\n'))
    expect(rows.map((row) => row.ragged)).toEqual(['short', null, null, 'long'])
  })

  test('a list without headers has numbered columns', async () => {
    expect(await cells('Ada,ada@example.com\nBob,bob@example.com')).toEqual([
      ['Column 1', 'Column 2'],
      ['Ada', 'ada@example.com'],
      ['Bob', 'bob@example.com'],
    ])
  })

  test('one column is enough', async () => {
    expect(await cells('Email\na@b.co\n')).toEqual([['Email'], ['a@b.co']])
  })

  test('the delimiter is the one that splits all rows evenly', async () => {
    expect((await readCsv(bytes('Name;Email\n"Lee, Ann";a@b.co\nFox, Bo, Jr.;b@b.co'))).delimiter).toBe(';')
    expect((await readCsv(bytes('Name|Email\nA, B|a@b.co'))).delimiter).toBe('|')
    expect((await readCsv(bytes('Name\tEmail; private\nAx\ta@b.co'))).delimiter).toBe('\t')
  })

  test('escaped formulas are unescaped', async () => {
    expect(await cells("a\n'+44 20\n''=1\n'tis")).toEqual([['a'], ['+44 20'], ["'=1"], ["'tis"]])
  })

  test('characters at chunk boundaries of a long file are whole', async () => {
    const { rows } = await readCsv(bytes(`a,b\n${'😀é,x\n'.repeat(40_000)}`))
    expect(rows).toHaveLength(40_000)
    expect(new Set(rows.map((row) => row.cells[0]))).toEqual(new Set(['😀é']))
  })
})

describe('a file that is not a contact list is rejected with a message', () => {
  test.each<[string, Uint8Array, RegExp]>([
    ['an empty file', bytes(''), /^validation_failed: This file is empty/],
    ['blank lines', bytes('\ufeff \r\n\n'), /^validation_failed: This file is empty/],
    ['delimiters alone', bytes(',,,\n,,,\n'), /^validation_failed: This file is empty/],
    ['headers alone', bytes('Name,Email\n'), /no people/],
    ['a workbook', Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), Buffer.alloc(100)]), /Excel workbook or a ZIP/],
    ['an old workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0]), /old Excel workbook/],
    ['a PDF', bytes('%PDF-1.7'), /PDF/],
    ['NUL', bytes('Name,Email\nA\0,a@b.co'), /line 2 holds binary data/],
    [
      'random bytes',
      Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 7919) % 256)),
      /^validation_failed: /,
    ],
    ['a vCard', bytes('BEGIN:VCARD\nFN:Ada\nEND:VCARD'), /vCard/],
    ['a web page', bytes('<!DOCTYPE html><html>'), /web page/],
    ['a quotation mark without an end', bytes('a,b\n"1,2\n3,4\n'), /never closed/],
    ['a quotation mark without an end in a long file', bytes(`a,b\n"1,2\n${'3,4\n'.repeat(400_000)}`), /never closed/],
    ['endless columns', bytes(`${'a,'.repeat(600)}b\n`), /more than 500 columns/],
    ['11 MB', Buffer.alloc(maxBytes + 1, 97), /^too_large: .*larger than 10 MB/],
    ['50,001 rows', bytes(`a,b\n${'1,2\n'.repeat(maxRows + 1)}`), /^too_large: .*more than 50,000 rows/],
    [
      '50,001 rows without headers',
      bytes(`a@b.co,b\n${'1,2\n'.repeat(maxRows)}`),
      /^too_large: .*more than 50,000 rows/,
    ],
    ['20,001 blank rows', bytes(`a,b\n${' \n'.repeat(20_001)}1,2\n`), /^too_large: .*more than 20,000 blank rows/],
  ])('%s', async (_what, content, sentence) => {
    expect(await refusal(content)).toMatch(sentence)
  })

  test('50,000 rows are read', async () => {
    expect((await readCsv(bytes(`a,b\n${'1,2\n'.repeat(maxRows)}`))).rows).toHaveLength(maxRows)
  })
})
