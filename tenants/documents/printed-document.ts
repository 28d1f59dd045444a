/**
 * A document as it is printed: texts only, already formatted, so that the program that prints needs nothing of ours.
 */
export type PrintedDocument = {
  paper: 'A4' | 'LETTER'
  /** Such as 'Invoice'. */
  title: string
  number: string | null
  sender: {
    name: string
    /** Address and tax id. */
    details: string[]
    /** '#2a6f97' */
    color: string
    logo: Uint8Array | null
  }
  recipient: { label: string; lines: string[] }
  facts: PrintedLine[]
  table: {
    columns: PrintedColumn[]
    rows: string[][]
  }
  sums: (PrintedLine & { isStrong?: boolean })[]
  paragraphs: string[]
  /** On pages of its own, after everything else. */
  appendix?: PrintedAppendix
  footer: string | null
  createdAt: Date
}

export type PrintedAppendix = {
  title: string
  paragraphs: string[]
  signatures: {
    label: string
    name: string
    details: string
    /** The path of an SVG picture. */
    drawing: { path: string; width: number; height: number } | null
  }[]
  table: PrintedDocument['table']
}

export type PrintedLine = { label: string; value: string }
/** `share`: of the width, beside the other columns. */
export type PrintedColumn = { head: string; share: number; alignRight?: boolean }

/** The document with each of its texts changed. */
export function mapTexts(document: PrintedDocument, change: (text: string) => string): PrintedDocument {
  const changeLine = <Line extends PrintedLine>(line: Line): Line => ({
    ...line,
    label: change(line.label),
    value: change(line.value),
  })
  const changeTable = ({ columns, rows }: PrintedDocument['table']) => ({
    columns: columns.map((column) => ({ ...column, head: change(column.head) })),
    rows: rows.map((cells) => cells.map(change)),
  })
  const { title, number, sender, recipient, facts, table, sums, paragraphs, appendix, footer } = document
  return {
    ...document,
    title: change(title),
    number: number && change(number),
    sender: { ...sender, name: change(sender.name), details: sender.details.map(change) },
    recipient: { label: change(recipient.label), lines: recipient.lines.map(change) },
    facts: facts.map(changeLine),
    table: changeTable(table),
    sums: sums.map(changeLine),
    paragraphs: paragraphs.map(change),
    ...(appendix && {
      appendix: {
        title: change(appendix.title),
        paragraphs: appendix.paragraphs.map(change),
        signatures: appendix.signatures.map(({ label, name, details, drawing }) => ({
          label: change(label),
          name: change(name),
          details: change(details),
          drawing,
        })),
        table: changeTable(appendix.table),
      },
    }),
    footer: footer && change(footer),
  }
}

/** Every text of a document. */
export function listTexts(document: PrintedDocument): string[] {
  const texts: string[] = []
  mapTexts(document, (text) => {
    texts.push(text)
    return text
  })
  return texts
}
