import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { analyse } from 'chardet'
import { CsvError, parse, type Parser } from 'csv-parse'
import { AppError } from '#app/lib/errors.ts'
import { unescapeFormula } from '#modules/core/csv/formula-escape.ts'

/** In bytes: enough for 50,000 people with notes. */
export const maxBytes = 10 * 1024 * 1024
export const maxRows = 50_000
/** Each takes csv-parse some 20 microseconds where its number of cells differs. */
const maxBlankRows = 20_000
const maxColumns = 500
/** In characters. Without a limit, an unclosed quotation mark swallows the rest of the file. */
const maxRecordSize = 1_000_000

// The first wins a tie: the rarer a character is in text, the likelier it is a delimiter.
const delimiters = ['\t', '|', ';', ','] as const
export type Delimiter = (typeof delimiters)[number]

/** The choices when letters look wrong. */
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

/** `line` is where the record starts, from 1. `ragged`: fewer or more cells than there are headers. */
export type CsvRow = { line: number; cells: string[]; ragged: 'short' | 'long' | null }
export type CsvFile = { encoding: string; delimiter: Delimiter; headers: string[]; rows: CsvRow[] }

/**
 * Reads comma, semicolon, tab or bar separated values and unescapes formulas. Detects the encoding unless
 * `options.encoding`, one of `encodings`, is set. Throws validation_failed, too_large past `maxBytes` and `maxRows`.
 */
export async function readCsv(bytes: Uint8Array, options: { encoding?: string } = {}): Promise<CsvFile> {
  if (bytes.length > maxBytes) throw fileTooLargeError()
  if (bytes.length === 0) throw invalidFile('This file is empty. Choose a CSV file with one person per line.')
  assertNotOtherFormat(bytes)

  const { encoding, text } = decode(bytes, options.encoding ?? detectEncoding(bytes))
  assertText(text)
  const { delimiter, body, skippedLines } = detectDelimiter(text)
  const records = await parseRecords(body, delimiter, skippedLines)
  return { encoding, delimiter, ...splitHeaders(records) }
}

export const fileTooLargeError = (): AppError =>
  new AppError(
    'too_large',
    'This file is larger than 10 MB. Split it into smaller files and import one after the other.',
    { field: 'file' },
  )

const invalidFile = (message: string): AppError => new AppError('validation_failed', message, { field: 'file' })

const fileSignatures: [bytes: number[], message: string][] = [
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

function assertNotOtherFormat(bytes: Uint8Array): void {
  for (const [signature, message] of fileSignatures) {
    if (signature.every((byte, offset) => bytes[offset] === byte)) throw invalidFile(message)
  }
}

function decode(bytes: Uint8Array, encoding: string): { encoding: string; text: string } {
  return { encoding, text: new TextDecoder(encoding).decode(bytes) }
}

function detectEncoding(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (isUtf8(bytes)) return detectUtf16(bytes) ?? 'utf-8'
  return detectUtf16(bytes) ?? guessLegacyEncoding(bytes)
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** Detects UTF-16 without a byte order mark: in Western text every second byte is zero. */
function detectUtf16(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, 4096)
  if (sample.length < 4 || bytes.length % 2 !== 0) return null
  const zeros = [0, 0]
  sample.forEach((byte, offset) => byte === 0 && zeros[offset % 2]!++)
  const threshold = sample.length * 0.3
  if (zeros[0] === 0 && zeros[1]! > threshold) return 'utf-16le'
  if (zeros[1] === 0 && zeros[0]! > threshold) return 'utf-16be'
  return null
}

/** Windows-1252 unless another encoding is clearly likelier: names and addresses are little text for statistics. */
function guessLegacyEncoding(bytes: Uint8Array): string {
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

function assertText(text: string): void {
  if (text.trim() === '') throw invalidFile('This file is empty. Choose a CSV file with one person per line.')
  const nul = text.indexOf('\0')
  if (nul !== -1) {
    const line = text.slice(0, nul).split('\n').length
    throw invalidFile(`This is not a text file: line ${line} holds binary data. Choose a CSV file.`)
  }
  if (/^BEGIN:VCARD/i.test(text))
    throw invalidFile('This is a vCard file. Export your contacts as CSV and import that file.')
  if (/^\s*<(!doctype|html|\?xml)/i.test(text))
    throw invalidFile('This is a web page, not a CSV file. Download the file itself and choose that.')
}

/** Excel may declare the delimiter in a first line, `sep=;`. */
function detectDelimiter(text: string): { delimiter: Delimiter; body: string; skippedLines: number } {
  const declared = /^"?sep=([,;\t|])"?\r?\n/i.exec(text)
  if (declared) return { delimiter: declared[1] as Delimiter, body: text.slice(declared[0].length), skippedLines: 1 }

  const sample = text.slice(0, 200_000)
  const scores = delimiters.map((delimiter) => ({ delimiter, score: delimiterScore(sample, delimiter) }))
  const best = scores.reduce((a, b) => (b.score > a.score ? b : a))
  return { delimiter: best.score ? best.delimiter : ',', body: text, skippedLines: 0 }
}

/** The cell count of the first record times the share of the first 50 that have the same; 0 for a single cell. */
function delimiterScore(sample: string, delimiter: Delimiter): number {
  const widths: number[] = []
  let cells = 1
  let quoted = false
  let cellStart = true
  for (let index = 0; index < sample.length && widths.length < 50; index++) {
    const char = sample[index]
    if (quoted) {
      if (char === '"') quoted = false
    } else if (char === '"') {
      // A quotation mark opens a quoted cell at its start, or continues one after a doubled mark.
      quoted = cellStart || sample[index - 1] === '"'
      cellStart = false
    } else if (char === delimiter) {
      cells++
      cellStart = true
    } else if (char === '\n') {
      if (cells > 1 || !cellStart) widths.push(cells)
      cells = 1
      cellStart = true
    } else if (char !== '\r') {
      cellStart = false
    }
  }
  if (cells > 1 || !cellStart) widths.push(cells)
  const first = widths[0] ?? 1
  return first === 1 ? 0 : (first * widths.filter((width) => width === first).length) / widths.length
}

async function parseRecords(body: string, delimiter: Delimiter, skippedLines: number): Promise<CsvRow[]> {
  const rows: CsvRow[] = []
  let lines = 0
  let empty = 0
  let blankRows = 0
  const parser = parse({
    delimiter,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: maxRecordSize,
    on_record(record: string[], info) {
      // `info.lines` is where the record ends: it starts after the previous record and the empty lines between them.
      const line = lines + (info.empty_lines - empty) + 1 + skippedLines
      lines = info.lines
      empty = info.empty_lines
      if (record.every((cell) => cell.trim() === '')) {
        blankRows++
        if (blankRows > maxBlankRows) throw tooManyBlankRowsError()
        return null
      }
      if (record.length > maxColumns)
        throw invalidFile(`Line ${line} has more than ${maxColumns} columns. This doesn't look like a list of people.`)
      // One more row for the headers.
      if (rows.length > maxRows) throw tooManyRowsError()
      rows.push({ line, cells: record.map(unescapeFormula), ragged: null })
      return null
    },
  })
  await feed(parser, body)
  return rows
}

const tooManyRowsError = (): AppError =>
  new AppError(
    'too_large',
    'This file has more than 50,000 rows. Split it into smaller files and import one after the other.',
    { field: 'file' },
  )

const tooManyBlankRowsError = (): AppError =>
  new AppError('too_large', 'This file has more than 20,000 blank rows. Delete them and choose it again.', {
    field: 'file',
  })

/** Parses in chunks, so that a large file doesn't block the event loop. */
async function feed(parser: Parser, body: string): Promise<void> {
  const ended = new Promise<void>((resolve, reject) => parser.on('end', resolve).on('error', reject))
  // A failing parser destroys itself and rejects `ended`, which is awaited below.
  ended.catch(() => {})
  parser.resume()
  for (let start = 0; start < body.length && !parser.destroyed; ) {
    const end = characterBoundary(body, start + 65_536)
    parser.write(body.slice(start, end))
    start = end
    await yieldToEventLoop()
  }
  parser.end()
  await ended.catch((error: unknown) => {
    throw toAppError(error)
  })
}

/** Moves an index out of a surrogate pair. */
function characterBoundary(body: string, index: number): number {
  const code = body.charCodeAt(index - 1)
  return code >= 0xd800 && code <= 0xdbff ? index + 1 : index
}

function toAppError(error: unknown): unknown {
  if (!(error instanceof CsvError)) return error
  if (error.code === 'CSV_QUOTE_NOT_CLOSED')
    return invalidFile('A quotation mark is opened and never closed. Look for a single " and remove it.')
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    return invalidFile(
      `The row near line ${error.lines} is too long. Look for a quotation mark that is opened and never closed.`,
    )
  }
  return error
}

function splitHeaders(records: CsvRow[]): Pick<CsvFile, 'headers' | 'rows'> {
  const [first, ...others] = records
  if (!first) throw invalidFile('This file is empty. Choose a CSV file with one person per line.')
  // A first row with an email address is a person, not headers.
  const hasHeaders = !first.cells.some((cell) => isEmailAddress(cell.trim()))
  const headers = hasHeaders ? trimBlankEnd(first.cells) : first.cells.map((_cell, index) => `Column ${index + 1}`)
  const rows = hasHeaders ? others : records
  if (rows.length === 0) throw invalidFile('This file has column names but no people.')
  if (rows.length > maxRows) throw tooManyRowsError()
  for (const row of rows) row.ragged = detectRagged(row.cells, headers.length)
  return { headers, rows }
}

/** Without a pattern like `\S+@\S+\.\S+`: on a long cell it would take cubic time. */
function isEmailAddress(cell: string): boolean {
  if (cell.length > 320 || /\s/.test(cell)) return false
  const at = cell.lastIndexOf('@')
  const dot = cell.lastIndexOf('.')
  return at > 0 && dot > at + 1 && dot < cell.length - 1
}

function trimBlankEnd(cells: string[]): string[] {
  const last = cells.findLastIndex((cell) => cell.trim() !== '')
  return cells.slice(0, last + 1)
}

/** Ignores blank cells past the last header; spreadsheets often leave some. */
function detectRagged(cells: string[], columns: number): CsvRow['ragged'] {
  if (cells.length < columns) return 'short'
  return cells.slice(columns).some((cell) => cell.trim() !== '') ? 'long' : null
}
