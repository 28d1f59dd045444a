// The light markup of rich text (part-1 §2): **bold**, *italic*, __underline__, ==highlight==, lines that begin with '• ' or
// with one to three '#' and a space, and a backslash before a character that would otherwise mean something.
// One parser and one printer: what is printed is read back the same, for every document.

export const markNames = ['bold', 'italic', 'underline', 'highlight'] as const
export type Mark = (typeof markNames)[number]

/** A stretch of one line with the same marks. Neighbours differ in their marks; none is empty. */
export type Run = { text: string; marks: Mark[] }
/** A paragraph, a list item or a heading: one line of the stored text. */
export type Line = { kind: 'paragraph' | 'bullet' | 'heading1' | 'heading2' | 'heading3'; runs: Run[] }
/** At least one line; an empty text is one empty paragraph. */
export type Document = Line[]

export const signs: Record<Mark, string> = { bold: '**', italic: '*', underline: '__', highlight: '==' }
const prefixes: Record<Line['kind'], string> = {
  paragraph: '',
  bullet: '• ',
  heading1: '# ',
  heading2: '## ',
  heading3: '### ',
}
const prefixed = /^(?:(#{1,3}) |(• ))/
const escapable = '\\*_=#•'

/** Reads stored text. Every string is a document; a sign without its partner in the same line is ordinary text. */
export function parseMarkup(source: string): Document {
  return source.split('\n').map(parseLine)
}

/** Writes a document as it is stored. */
export function printMarkup(document: Document): string {
  return document.map(printLine).join('\n')
}

/** The words alone, for search, excerpts and exports. List items keep their bullet. */
export function plainText(source: string): string {
  return parseMarkup(source)
    .map(({ kind, runs }) => (kind === 'bullet' ? '• ' : '') + runs.map((run) => run.text).join(''))
    .join('\n')
}

/** Plain text as markup: it reads as it was typed, whatever it holds. Lines that begin with a bullet are list items. */
export function asMarkup(plain: string): string {
  return plain
    .split('\n')
    .map((line) => (plainText(line) === line ? line : asLine(line)))
    .join('\n')
}

function asLine(line: string): string {
  const bullet = line.startsWith(prefixes.bullet)
  const text = bullet ? line.slice(prefixes.bullet.length) : line
  return printLine({ kind: bullet ? 'bullet' : 'paragraph', runs: [{ text, marks: [] }] })
}

/** So many characters of a stored text are all that an excerpt reads: a query needn't ask for more. */
export const excerptRead = 2000

/** The beginning of the words in one line, at most `max` code points. A dot in the middle stands for a break that nothing else shows. */
export function excerpt(source: string, max: number): string {
  const lines = plainText(source.length < excerptRead ? source : closed(source.slice(0, excerptRead))).replace(
    /(?<=[^\s\p{P}])[^\S\n]*\n\s*(?=[^\s•])/gu,
    ' · ',
  )
  const line = lines.replace(/\s+/g, ' ').trim()
  if (line.length <= max) return line
  const words = [...line]
  return words.length <= max
    ? line
    : `${words
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`
}

/** The words of one line from shortly before what was searched for, in any case, with or without accents; at most 120 code points. */
export function around(line: string, term: string): string {
  const words = [...plainText(line).replace(/\s+/g, ' ').trim()]
  const at = folded(words).indexOf(folded([...term.trim()]))
  const from = at > leadIn ? at - leadIn : 0
  const shown = words.slice(from, from + 120)
  return `${from ? '…' : ''}${shown.join('').trim()}${from + shown.length < words.length ? '…' : ''}`
}

const leadIn = 16

/** One letter for each, so that places stay the same. */
const folded = (letters: string[]): string =>
  letters.map((letter) => letter.normalize('NFKD').toLowerCase()[0]).join('')

/** With the signs that its last line lacks where the rest was cut off. */
function closed(source: string): string {
  const begun = source.replace(/\\$/, '')
  const tokens = tokensOf(begun.slice(begun.lastIndexOf('\n') + 1))
  return (
    begun +
    markNames
      .filter((name) => tokens.filter(({ mark }) => mark === name).length % 2)
      .map((name) => signs[name])
      .join('')
  )
}

function parseLine(source: string): Line {
  const [prefix = '', hashes] = prefixed.exec(source) ?? []
  const kind = hashes ? (`heading${hashes.length as 1 | 2 | 3}` as const) : prefix ? 'bullet' : 'paragraph'
  return { kind, runs: runsOf(paired(tokensOf(source.slice(prefix.length)))) }
}

type Token = { text: string; mark: Mark | null }

const ordinary = /[^\\*_=]+/y

/** Text and signs. Of three asterisks in a row the first two are one sign: both orders mean the same. */
function tokensOf(source: string): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < source.length; ) {
    ordinary.lastIndex = at
    const [stretch] = ordinary.exec(source) ?? []
    if (stretch) {
      tokens.push({ text: stretch, mark: null })
      at += stretch.length
      continue
    }
    const next = source[at + 1]
    if (source[at] === '\\' && next !== undefined && escapable.includes(next)) {
      tokens.push({ text: next, mark: null })
      at += 2
      continue
    }
    const mark = markNames.find((name) => source.startsWith(signs[name], at))
    const text = mark ? signs[mark] : source[at]!
    tokens.push({ text, mark: mark ?? null })
    at += text.length
  }
  return tokens
}

/** A mark whose signs are odd in number has one too many: the last of them is text. */
function paired(tokens: Token[]): Token[] {
  for (const mark of markNames) {
    const own = tokens.filter((token) => token.mark === mark)
    if (own.length % 2) own.at(-1)!.mark = null
  }
  return tokens
}

function runsOf(tokens: Token[]): Run[] {
  const on = new Set<Mark>()
  const runs: Run[] = []
  for (const { text, mark } of tokens) {
    if (mark) {
      if (!on.delete(mark)) on.add(mark)
      continue
    }
    const marks = markNames.filter((name) => on.has(name))
    const last = runs.at(-1)
    if (last && sameMarks(last.marks, marks)) last.text += text
    else runs.push({ text, marks })
  }
  return runs
}

const sameMarks = (a: Mark[], b: Mark[]): boolean => a.length === b.length && a.every((mark, at) => mark === b[at])

function printLine({ kind, runs }: Line): string {
  let open: Mark[] = []
  let out = ''
  for (const { text, marks } of runs) {
    out += toggles(open, marks) + escaped(text)
    open = marks
  }
  out += toggles(open, [])
  return prefixes[kind] + (prefixed.test(out) ? `\\${out}` : out)
}

/** The signs between two runs: of each mark that begins or ends here. */
function toggles(before: Mark[], after: Mark[]): string {
  return markNames
    .filter((name) => before.includes(name) !== after.includes(name))
    .map((name) => signs[name])
    .join('')
}

/** Single underscores and equals signs between other letters mean nothing and stay as they are. */
function escaped(text: string): string {
  return text.replace(/[\\*]|[_=]/g, (sign, at: number) => {
    const alone = at > 0 && at < text.length - 1 && text[at - 1] !== sign && text[at + 1] !== sign
    return (sign === '_' || sign === '=') && alone ? sign : `\\${sign}`
  })
}
