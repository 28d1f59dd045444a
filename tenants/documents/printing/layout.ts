import { createElement as h, type ReactElement } from 'react'
import { Document, Image, Page, Path, StyleSheet, Svg, Text, View, type DocumentProps } from '@react-pdf/renderer'
import {
  listTexts,
  mapTexts,
  type PrintedAppendix,
  type PrintedColumn,
  type PrintedDocument,
} from '../printed-document.ts'
import { loadTypeface } from './fonts.ts'

// Elements instead of JSX: this runs in a process of its own, from the sources. No line heights: the library multiplies
// those it inherits again for each page that has page numbers.

const ink = '#2a2622'
const faintInk = '#6b655e'
const line = '#d9d4ce'
/** A longer footer is printed once, at the end. */
const maxFooterLines = 12

const styles = StyleSheet.create({
  page: { paddingTop: 44, paddingHorizontal: 48, fontSize: 9.5, color: ink },
  band: { position: 'absolute', top: 0, left: 0, right: 0, height: 6 },
  header: { flexDirection: 'row', justifyContent: 'space-between', gap: 24 },
  sender: { flexDirection: 'row', gap: 10, flexShrink: 1 },
  logo: { width: 40, height: 40, objectFit: 'contain' },
  strong: { fontWeight: 600 },
  faint: { color: faintInk },
  title: { fontSize: 18, textAlign: 'right' },
  right: { textAlign: 'right' },
  facts: { flexDirection: 'row', gap: 32, marginTop: 32, marginBottom: 24 },
  recipient: { flexGrow: 1, flexShrink: 1, flexBasis: 0 },
  head: { flexDirection: 'row', gap: 10, paddingBottom: 5, borderBottomWidth: 1.2, borderBottomColor: ink },
  row: { flexDirection: 'row', gap: 10, paddingVertical: 5, borderBottomWidth: 0.6, borderBottomColor: line },
  sums: { width: 230, marginLeft: 'auto', marginTop: 10 },
  sum: { flexDirection: 'row', justifyContent: 'space-between', gap: 16, paddingVertical: 1.5 },
  paragraphs: { marginTop: 24, gap: 8 },
  appendixPart: { marginTop: 12, gap: 3 },
  signatures: { marginTop: 12, flexDirection: 'row', gap: 24 },
  signature: {
    flexGrow: 1,
    flexShrink: 1,
    flexBasis: 0,
    paddingTop: 6,
    gap: 2,
    borderTopWidth: 0.6,
    borderTopColor: line,
  },
  drawing: { width: 180, height: 60 },
  footer: { position: 'absolute', bottom: 28, left: 48, right: 48, flexDirection: 'row', gap: 16 },
  footerText: { flexGrow: 1, flexShrink: 1, flexBasis: 0 },
  smallText: { color: faintInk, fontSize: 8 },
})

/** One layout for invoices, credit notes, receipts, statements, summaries, transcripts and contracts. */
export async function layOut(document: PrintedDocument): Promise<ReactElement<DocumentProps>> {
  const typeface = await loadTypeface(listTexts(document))
  const printed = mapTexts(document, typeface.toPrintable)
  const { title, number, sender, recipient, facts, table, sums, paragraphs, appendix, footer, createdAt, paper } =
    printed
  // The type has one family only.
  const fontFamily = typeface.families as unknown as string
  const name = number === null ? title : `${title} ${number}`
  const footerLines = countLines(footer ?? '')
  const isLongFooter = footerLines > maxFooterLines
  // Room for two lines at least, at the height of the tallest letters.
  const paddingBottom = 36 + 14 * (isLongFooter ? 2 : Math.max(footerLines, 2))
  return h(
    Document,
    { title: name, author: sender.name, creationDate: createdAt, modificationDate: createdAt, language: 'en' },
    h(
      Page,
      { size: paper, style: { ...styles.page, paddingBottom, fontFamily } },
      h(View, { style: { ...styles.band, backgroundColor: sender.color }, fixed: true }),
      h(
        View,
        { style: styles.header },
        h(
          View,
          { style: styles.sender },
          sender.logo && h(Image, { src: Buffer.from(sender.logo), style: styles.logo }),
          h(
            View,
            { style: { flexShrink: 1 } },
            h(Text, { style: { ...styles.strong, fontSize: 11 } }, sender.name),
            ...sender.details.map((text, index) => h(Text, { key: index, style: styles.faint }, text)),
          ),
        ),
        h(
          View,
          { style: { maxWidth: 230, flexShrink: 0, alignItems: 'flex-end' } },
          h(Text, { style: styles.title }, title),
          number !== null && h(Text, { style: { ...styles.right, ...styles.faint } }, number),
        ),
      ),
      h(
        View,
        { style: styles.facts },
        h(
          View,
          { style: styles.recipient },
          h(Text, { style: styles.faint }, recipient.label),
          ...recipient.lines.map((text, index) => h(Text, { key: index, style: index ? {} : styles.strong }, text)),
        ),
        ...facts.map(({ label, value }) =>
          h(View, { key: label }, h(Text, { style: styles.faint }, label), h(Text, { style: styles.strong }, value)),
        ),
      ),
      ...layOutTable(table),
      h(
        View,
        { style: styles.sums, wrap: false },
        ...sums.map(({ label, value, isStrong = false }, index) =>
          h(
            View,
            { key: index, style: styles.sum },
            h(Text, { style: isStrong ? styles.strong : styles.faint }, label),
            h(Text, { style: isStrong ? styles.strong : {} }, value),
          ),
        ),
      ),
      h(
        View,
        { style: styles.paragraphs },
        ...paragraphs.map((text, index) => h(Text, { key: index }, text)),
        isLongFooter && h(Text, { style: styles.smallText }, footer),
      ),
      ...(appendix ? layOutAppendix(appendix) : []),
      h(
        View,
        { style: styles.footer, fixed: true },
        h(Text, { style: { ...styles.footerText, ...styles.smallText } }, isLongFooter ? '' : (footer ?? '')),
        h(Text, {
          style: styles.smallText,
          render: ({ pageNumber, totalPages }) => `${name}, page ${pageNumber} of ${totalPages}`,
        }),
      ),
    ),
  )
}

/** Begins on a page of its own. */
function layOutAppendix({ title, paragraphs, signatures, table }: PrintedAppendix): ReactElement[] {
  return [
    h(Text, { key: 'title', style: { ...styles.title, textAlign: 'left' }, break: true }, title),
    h(
      View,
      { key: 'paragraphs', style: styles.appendixPart },
      ...paragraphs.map((text, index) => h(Text, { key: index }, text)),
    ),
    h(
      View,
      { key: 'signatures', style: styles.signatures },
      ...signatures.map(({ label, name, details, drawing }, index) =>
        h(
          View,
          { key: index, style: styles.signature, wrap: false },
          h(Text, { style: styles.faint }, label),
          drawing &&
            h(
              Svg,
              { viewBox: `0 0 ${drawing.width} ${drawing.height}`, style: styles.drawing },
              h(Path, { d: drawing.path, stroke: ink, strokeWidth: 3, fill: 'none' }),
            ),
          h(Text, { style: styles.strong }, name),
          h(Text, { style: styles.smallText }, details),
        ),
      ),
    ),
    h(View, { key: 'gap', style: styles.appendixPart }),
    ...layOutTable(table, styles.smallText),
  ]
}

/** How many lines a footer takes at most, beside the page number: sixty letters fit in one, of wide scripts thirty. */
function countLines(text: string): number {
  const width = (part: string) => part.length + (part.match(/[\u2e80-\uffef]/g)?.length ?? 0)
  return text.split('\n').reduce((lines, part) => lines + Math.max(Math.ceil(width(part) / 60), 1), 0)
}

/** Rows of the page itself: the library splits a view of hundreds of rows slowly. */
function layOutTable({ columns, rows }: PrintedDocument['table'], style: object = {}): ReactElement[] {
  if (!columns.length) return []
  return [
    h(
      View,
      { key: 'head', style: styles.head, fixed: true },
      ...columns.map((column, index) =>
        h(Text, { key: index, style: { ...toCell(column), color: faintInk } }, column.head),
      ),
    ),
    ...rows.map((cells, index) =>
      h(
        View,
        { key: index, style: styles.row, wrap: false },
        ...columns.map((column, at) => h(Text, { key: at, style: { ...style, ...toCell(column) } }, cells[at] ?? '')),
      ),
    ),
  ]
}

const toCell = ({ share, alignRight = false }: PrintedColumn) => ({
  flexGrow: share,
  flexShrink: 1,
  flexBasis: 0,
  textAlign: alignRight ? ('right' as const) : ('left' as const),
})
