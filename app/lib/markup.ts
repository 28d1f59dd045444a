// The markup of rich text (part-1 §2): **bold**, *italic*, __underline__, ==highlight==, lines that start with '• ' or
// with one to three '#' and a space, and a backslash to escape these characters. Parsing a printed document returns the
// same document.

export const markNames = ['bold', 'italic', 'underline', 'highlight'] as const
export type Mark = (typeof markNames)[number]

/** Text within a line that has the same marks. Adjacent runs have different marks; none is empty. */
export type Run = { text: string; marks: Mark[] }
/** A paragraph, a list item or a heading: one line of the stored text. */
export type Line = { kind: 'paragraph' | 'bullet' | 'heading1' | 'heading2' | 'heading3'; runs: Run[] }
/** Has at least one line: an empty text is one empty paragraph. */
export type MarkupDocument = Line[]

export const markSyntax: Record<Mark, string> = { bold: '**', italic: '*', underline: '__', highlight: '==' }
const prefixes: Record<Line['kind'], string> = {
  paragraph: '',
  bullet: '• ',
  heading1: '# ',
  heading2: '## ',
  heading3: '### ',
}
const linePrefix = /^(?:(#{1,3}) |(• ))/
const escapable = '\\*_=#•'

/** Parses stored markup. Every string is valid: unpaired syntax is ordinary text. */
export function parseMarkup(source: string): MarkupDocument {
  return source.split('\n').map(parseLine)
}

/** The markup of a document, as it is stored. */
export function printMarkup(document: MarkupDocument): string {
  return document.map(printLine).join('\n')
}

/** The text without marks, for search, excerpts and exports. List items keep their bullet. */
export function plainText(source: string): string {
  return parseMarkup(source)
    .map(({ kind, runs }) => (kind === 'bullet' ? '• ' : '') + runs.map((run) => run.text).join(''))
    .join('\n')
}

/** Escapes plain text, so that it is displayed unchanged. Lines that start with a bullet become list items. */
export function escapeMarkup(plain: string): string {
  return plain
    .split('\n')
    .map((line) => (plainText(line) === line ? line : escapeLine(line)))
    .join('\n')
}

function escapeLine(line: string): string {
  const bullet = line.startsWith(prefixes.bullet)
  const text = bullet ? line.slice(prefixes.bullet.length) : line
  return printLine({ kind: bullet ? 'bullet' : 'paragraph', runs: [{ text, marks: [] }] })
}

/** The number of characters that an excerpt is made from; queries needn't select more. */
export const maxExcerptSource = 2000

/** The beginning of a text in one line of at most `max` code points. Line breaks without punctuation become ' · '. */
export function excerpt(source: string, max: number): string {
  const start = source.length < maxExcerptSource ? source : closeOpenMarks(source.slice(0, maxExcerptSource))
  const line = plainText(start)
    .replace(/(?<=[^\s\p{P}])[^\S\n]*\n\s*(?=[^\s•])/gu, ' · ')
    .replace(/\s+/g, ' ')
    .trim()
  if (line.length <= max) return line
  const characters = [...line]
  if (characters.length <= max) return line
  const head = characters.slice(0, max - 1).join('')
  return `${head.trimEnd()}…`
}

/** Up to 120 code points of a line around `term`, ignoring case and accents. */
export function snippetAround(line: string, term: string): string {
  const characters = [...plainText(line).replace(/\s+/g, ' ').trim()]
  const index = foldCase(characters).indexOf(foldCase([...term.trim()]))
  const start = index > snippetLead ? index - snippetLead : 0
  const snippet = characters.slice(start, start + 120)
  return `${start ? '…' : ''}${snippet.join('').trim()}${start + snippet.length < characters.length ? '…' : ''}`
}

const snippetLead = 16

/** Removes case and accents, one character per character, so that indexes stay the same. */
const foldCase = (letters: string[]): string =>
  letters.map((letter) => letter.normalize('NFKD').toLowerCase()[0]).join('')

/** Closes the marks that were cut off in the last line. */
function closeOpenMarks(source: string): string {
  const start = source.replace(/\\$/, '')
  const tokens = tokenize(start.slice(start.lastIndexOf('\n') + 1))
  return (
    start +
    markNames
      .filter((name) => tokens.filter(({ mark }) => mark === name).length % 2)
      .map((name) => markSyntax[name])
      .join('')
  )
}

function parseLine(source: string): Line {
  const [prefix = '', hashes] = linePrefix.exec(source) ?? []
  const kind = hashes ? (`heading${hashes.length as 1 | 2 | 3}` as const) : prefix ? 'bullet' : 'paragraph'
  return { kind, runs: toRuns(dropUnpaired(tokenize(source.slice(prefix.length)))) }
}

type Token = { text: string; mark: Mark | null }

const plainCharacters = /[^\\*_=]+/y

/**
 * Splits a line into text and mark syntax. In '***' the first two asterisks are bold; the order makes no difference.
 */
function tokenize(source: string): Token[] {
  const tokens: Token[] = []
  for (let index = 0; index < source.length; ) {
    plainCharacters.lastIndex = index
    const [plain] = plainCharacters.exec(source) ?? []
    if (plain) {
      tokens.push({ text: plain, mark: null })
      index += plain.length
      continue
    }
    const next = source[index + 1]
    if (source[index] === '\\' && next !== undefined && escapable.includes(next)) {
      tokens.push({ text: next, mark: null })
      index += 2
      continue
    }
    const mark = markNames.find((name) => source.startsWith(markSyntax[name], index))
    const text = mark ? markSyntax[mark] : source[index]!
    tokens.push({ text, mark: mark ?? null })
    index += text.length
  }
  return tokens
}

/** Turns the last token of a mark into text if their number is odd. */
function dropUnpaired(tokens: Token[]): Token[] {
  for (const mark of markNames) {
    const ofMark = tokens.filter((token) => token.mark === mark)
    if (ofMark.length % 2) ofMark.at(-1)!.mark = null
  }
  return tokens
}

function toRuns(tokens: Token[]): Run[] {
  const open = new Set<Mark>()
  const runs: Run[] = []
  for (const { text, mark } of tokens) {
    if (mark) {
      if (!open.delete(mark)) open.add(mark)
      continue
    }
    const marks = markNames.filter((name) => open.has(name))
    const last = runs.at(-1)
    if (last && sameMarks(last.marks, marks)) last.text += text
    else runs.push({ text, marks })
  }
  return runs
}

const sameMarks = (a: Mark[], b: Mark[]): boolean =>
  a.length === b.length && a.every((mark, index) => mark === b[index])

function printLine({ kind, runs }: Line): string {
  let open: Mark[] = []
  let out = ''
  for (const { text, marks } of runs) {
    out += toggleSyntax(open, marks) + escapeText(text)
    open = marks
  }
  out += toggleSyntax(open, [])
  return prefixes[kind] + (linePrefix.test(out) ? `\\${out}` : out)
}

/** The syntax between two runs, for each mark that starts or ends there. */
function toggleSyntax(before: Mark[], after: Mark[]): string {
  return markNames
    .filter((name) => before.includes(name) !== after.includes(name))
    .map((name) => markSyntax[name])
    .join('')
}

/** Doesn't escape single underscores and equals signs between other characters. */
function escapeText(text: string): string {
  return text.replace(/[\\*]|[_=]/g, (character, index: number) => {
    const isSingle =
      index > 0 && index < text.length - 1 && text[index - 1] !== character && text[index + 1] !== character
    return (character === '_' || character === '=') && isSingle ? character : `\\${character}`
  })
}
