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
  footer: string | null
  createdAt: Date
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
  const { title, number, sender, recipient, facts, table, sums, paragraphs, footer } = document
  return {
    ...document,
    title: change(title),
    number: number && change(number),
    sender: { ...sender, name: change(sender.name), details: sender.details.map(change) },
    recipient: { label: change(recipient.label), lines: recipient.lines.map(change) },
    facts: facts.map(changeLine),
    table: {
      columns: table.columns.map((column) => ({ ...column, head: change(column.head) })),
      rows: table.rows.map((cells) => cells.map(change)),
    },
    sums: sums.map(changeLine),
    paragraphs: paragraphs.map(change),
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
