import { escapeMarkup, plainText } from '#app/lib/markup.ts'
import { clientFieldNames, clientFields, type ClientField } from '../fields.ts'
import type { ClientValues } from '../records.ts'

// Cells hold rich text as plain text. One more column keeps the markup of the formatted fields as JSON. An import uses
// it only while the plain cell still has the same text, so edits made in a spreadsheet win.

type RichTextField = {
  [Name in ClientField]: (typeof clientFields)[Name] extends { kind: 'markup' } ? Name : never
}[ClientField]

export const formattingHeader = 'Formatting (for import)'

export function isRichText(field: ClientField): field is RichTextField {
  return clientFields[field].kind === 'markup'
}

/** JSON of the fields that lose markup as plain text; empty when none does. */
export function serializeFormatting(client: ClientValues): string {
  const lost = clientFieldNames.filter(isRichText).flatMap((field) => {
    const markup = client[field]
    return markup !== null && escapeMarkup(plainText(markup)) !== markup ? [[field, markup]] : []
  })
  return lost.length ? JSON.stringify(Object.fromEntries(lost)) : ''
}

/** The formatting column of a row, searched among the columns that are not mapped to a field. */
export function findFormatting(cells: string[], mapped: Set<number>): Partial<Record<ClientField, string>> {
  for (const [column, cell] of cells.entries()) {
    const formatting = mapped.has(column) || !cell.startsWith('{') ? null : parseFormatting(cell)
    if (formatting) return formatting
  }
  return {}
}

function parseFormatting(cell: string): Partial<Record<ClientField, string>> | null {
  try {
    const value: unknown = JSON.parse(cell)
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
    const richTextFields: string[] = clientFieldNames.filter(isRichText)
    const isValid = ([name, markup]: [string, unknown]) => richTextFields.includes(name) && typeof markup === 'string'
    return entries.length && entries.every(isValid) ? Object.fromEntries(entries) : null
  } catch {
    return null
  }
}

/** The markup of a rich text cell: the original while the cell still has its text, otherwise the cell itself. */
export function restoreMarkup(cell: string, original: string | undefined): string {
  return original !== undefined && plainText(original) === cell ? original : escapeMarkup(cell)
}
