import { setImmediate as breath } from 'node:timers/promises'
import { analyse } from 'chardet'
import { CsvError, parse, type Parser } from 'csv-parse'
import { AppError } from '#app/lib/errors.ts'
import { undefuse } from './formula-escape.ts'

/** The largest file that is read, in bytes: 50,000 people with notes fit. */
export const maxBytes = 10 * 1024 * 1024
export const maxRows = 50_000
const maxColumns = 500
/** No record is longer than this; a quotation mark that is never closed would swallow the rest of the file. */
const maxRecord = 1_000_000

// The first wins a tie: what is rarest in text is the likeliest delimiter.
const delimiters = ['\t', '|', ';', ','] as const
export type Delimiter = (typeof delimiters)[number]

/** What a coach may choose when letters look wrong. */
export const encodings = [
  'utf-8',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'shift_jis',
  'gb18030',
  'big5',
  'euc-kr',
  'utf-16le',
  'utf-16be',
  'macintosh',
] as const

/** A record of the file. `line` counts from 1, as editors and spreadsheets do; `cells` may be fewer or more than the headers. */
export type CsvRow = { line: number; cells: string[]; ragged: 'short' | 'long' | null }
export type CsvFile = { encoding: string; delimiter: Delimiter; headers: string[]; rows: CsvRow[] }

/**
 * Reads a file of comma, semicolon, tab or bar separated values in whatever encoding it has. Cells come without the
 * apostrophe that keeps spreadsheets from running them. `chosen.encoding` overrules the guess: one of `encodings`.
 * Throws validation_failed, or too_large past `maxBytes` and `maxRows`.
 */
export async function readCsv(bytes: Uint8Array, chosen: { encoding?: string } = {}): Promise<CsvFile> {
  if (bytes.length > maxBytes) throw tooLargeFile()
  if (bytes.length === 0) throw refused('This file is empty. Choose a CSV file with one person per line.')
  refuseOtherFormats(bytes)

  const { encoding, text } = decode(bytes, chosen.encoding ?? encodingOf(bytes))
  refuseBinary(text)
  const { delimiter, body, skippedLines } = separator(text)
  const records = await recordsOf(body, delimiter, skippedLines)
  return { encoding, delimiter, ...withHeaders(records) }
}

export const tooLargeFile = (): AppError =>
  new AppError(
    'too_large',
    'This file is larger than 10 MB. Split it into smaller files and import one after the other.',
    { field: 'file' },
  )

const refused = (message: string): AppError => new AppError('validation_failed', message, { field: 'file' })

const otherFormats: [bytes: number[], advice: string][] = [
  [
    [0x50, 0x4b, 0x03, 0x04],
    'This is an Excel workbook or a ZIP archive. In Excel choose Save As, then CSV UTF-8, and import that file.',
  ],
  [
    [0xd0, 0xcf, 0x11, 0xe0],
    'This is an old Excel workbook. In Excel choose Save As, then CSV UTF-8, and import that file.',
  ],
  [[0x25, 0x50, 0x44, 0x46], 'This is a PDF. Choose a CSV file.'],
  [[0x1f, 0x8b], 'This file is compressed. Unpack it and choose the CSV file inside.'],
  [[0x89, 0x50, 0x4e, 0x47], 'This is a picture. Choose a CSV file.'],
  [[0xff, 0xd8, 0xff], 'This is a picture. Choose a CSV file.'],
]

function refuseOtherFormats(bytes: Uint8Array): void {
  for (const [magic, advice] of otherFormats) {
    if (magic.every((byte, at) => bytes[at] === byte)) throw refused(advice)
  }
}

function decode(bytes: Uint8Array, encoding: string): { encoding: string; text: string } {
  return { encoding, text: new TextDecoder(encoding).decode(bytes) }
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (isUtf8(bytes)) return halfZeros(bytes) ?? 'utf-8'
  return halfZeros(bytes) ?? guessed(bytes)
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** UTF-16 without a mark: Western text has a zero in every second byte, and only there. */
function halfZeros(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, 4096)
  if (sample.length < 4 || bytes.length % 2 !== 0) return null
  const zeros = [0, 0]
  sample.forEach((byte, at) => byte === 0 && zeros[at % 2]!++)
  const most = sample.length * 0.3
  if (zeros[0] === 0 && zeros[1]! > most) return 'utf-16le'
  if (zeros[1] === 0 && zeros[0]! > most) return 'utf-16be'
  return null
}

/**
 * Western Windows unless another encoding is clearly likelier: names and addresses are little text for statistics,
 * and a wrong guess turns every umlaut into a letter that looks right.
 */
function guessed(bytes: Uint8Array): string {
  const guesses = analyse(bytes.subarray(0, 65_536))
  const western = guesses.find(({ name }) => name === 'ISO-8859-1' || name === 'windows-1252')?.confidence ?? 0
  const best = guesses[0]
  if (!best || best.confidence < Math.max(20, western * 1.5)) return 'windows-1252'
  try {
    return new TextDecoder(best.name).encoding
  } catch {
    return 'windows-1252'
  }
}

function refuseBinary(text: string): void {
  if (text.trim() === '') throw refused('This file is empty. Choose a CSV file with one person per line.')
  const nul = text.indexOf('\0')
  if (nul !== -1) {
    const line = text.slice(0, nul).split('\n').length
    throw refused(`This is not a text file: line ${line} holds binary data. Choose a CSV file.`)
  }
  if (/^BEGIN:VCARD/i.test(text))
    throw refused('This is a vCard file. Export your contacts as CSV and import that file.')
  if (/^\s*<(!doctype|html|\?xml)/i.test(text))
    throw refused('This is a web page, not a CSV file. Download the file itself and choose that.')
}

/** Excel writes `sep=;` as a first line. Else the delimiter that cuts the most records into as many cells as the first. */
function separator(text: string): { delimiter: Delimiter; body: string; skippedLines: number } {
  const declared = /^"?sep=([,;\t|])"?\r?\n/i.exec(text)
  if (declared) return { delimiter: declared[1] as Delimiter, body: text.slice(declared[0].length), skippedLines: 1 }

  const sample = text.slice(0, 200_000)
  const scores = delimiters.map((delimiter) => ({ delimiter, score: fit(sample, delimiter) }))
  const best = scores.reduce((a, b) => (b.score > a.score ? b : a))
  return { delimiter: best.score ? best.delimiter : ',', body: text, skippedLines: 0 }
}

/** Cells of the first record times the share of the first 50 that have as many; 0 when it has only one. */
function fit(sample: string, delimiter: Delimiter): number {
  const widths: number[] = []
  let cells = 1
  let quoted = false
  let fresh = true
  for (let at = 0; at < sample.length && widths.length < 50; at++) {
    const char = sample[at]
    if (quoted) {
      if (char === '"') quoted = false
    } else if (char === '"') {
      // A quotation mark opens a cell at its beginning, or goes on after a doubled one.
      quoted = fresh || sample[at - 1] === '"'
      fresh = false
    } else if (char === delimiter) {
      cells++
      fresh = true
    } else if (char === '\n') {
      if (cells > 1 || !fresh) widths.push(cells)
      cells = 1
      fresh = true
    } else if (char !== '\r') {
      fresh = false
    }
  }
  if (cells > 1 || !fresh) widths.push(cells)
  const first = widths[0] ?? 1
  return first === 1 ? 0 : (first * widths.filter((width) => width === first).length) / widths.length
}

/** Parsed piece by piece: a large file must not keep others waiting. */
async function recordsOf(body: string, delimiter: Delimiter, skippedLines: number): Promise<CsvRow[]> {
  const rows: CsvRow[] = []
  let lines = 0
  let empty = 0
  const parser = parse({
    delimiter,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: maxRecord,
    on_record(record: string[], info) {
      // The parser counts to a record's end: it began after the one before it and the empty lines between.
      const line = lines + (info.empty_lines - empty) + 1 + skippedLines
      lines = info.lines
      empty = info.empty_lines
      if (record.every((cell) => cell.trim() === '')) return null
      if (record.length > maxColumns)
        throw refused(`Line ${line} has more than ${maxColumns} columns. This doesn't look like a list of people.`)
      // One for the headers.
      if (rows.length > maxRows) throw tooManyRows()
      rows.push({ line, cells: record.map(undefuse), ragged: null })
      return null
    },
  })
  await feed(parser, body)
  return rows
}

const tooManyRows = (): AppError =>
  new AppError(
    'too_large',
    'This file has more than 50,000 rows. Split it into smaller files and import one after the other.',
    { field: 'file' },
  )

async function feed(parser: Parser, body: string): Promise<void> {
  const ended = new Promise<void>((resolve, reject) => parser.on('end', resolve).on('error', reject))
  // A parser that fails destroys itself; the reason is in `ended`.
  ended.catch(() => {})
  parser.resume()
  for (let at = 0; at < body.length && !parser.destroyed; ) {
    const to = wholeCharacters(body, at + 65_536)
    parser.write(body.slice(at, to))
    at = to
    await breath()
  }
  parser.end()
  await ended.catch((error: unknown) => {
    throw readable(error)
  })
}

/** Never between the two halves of a character outside the basic plane. */
function wholeCharacters(body: string, at: number): number {
  const code = body.charCodeAt(at - 1)
  return code >= 0xd800 && code <= 0xdbff ? at + 1 : at
}

function readable(error: unknown): unknown {
  if (!(error instanceof CsvError)) return error
  if (error.code === 'CSV_QUOTE_NOT_CLOSED')
    return refused('A quotation mark is opened and never closed. Look for a single " and remove it.')
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    return refused(
      `The row near line ${error.lines} is too long. Look for a quotation mark that is opened and never closed.`,
    )
  }
  return error
}

function withHeaders(records: CsvRow[]): Pick<CsvFile, 'headers' | 'rows'> {
  const [first, ...others] = records
  if (!first) throw refused('This file is empty. Choose a CSV file with one person per line.')
  // A list that begins with a person has no headers.
  const named = !first.cells.some((cell) => /^\S+@\S+\.\S+$/.test(cell.trim()))
  const headers = named ? withoutBlankEnd(first.cells) : first.cells.map((_cell, at) => `Column ${at + 1}`)
  const rows = named ? others : records
  if (rows.length === 0) throw refused('This file has column names but no people.')
  if (rows.length > maxRows) throw tooManyRows()
  for (const row of rows) row.ragged = raggedness(row.cells, headers.length)
  return { headers, rows }
}

function withoutBlankEnd(cells: string[]): string[] {
  const last = cells.findLastIndex((cell) => cell.trim() !== '')
  return cells.slice(0, last + 1)
}

/** Blank cells past the last header are what spreadsheets leave behind, and mean nothing. */
function raggedness(cells: string[], columns: number): CsvRow['ragged'] {
  if (cells.length < columns) return 'short'
  return cells.slice(columns).some((cell) => cell.trim() !== '') ? 'long' : null
}
