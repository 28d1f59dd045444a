import { asMarkup, plainText } from '#app/lib/markup.ts'
import type { ClientField, ClientValues } from '../forms.ts'

// Cells hold words as plain text. What that loses stands in one more column, as JSON of the fields that have formatting, and
// counts on the way back as long as the cell beside it says the same words: who edits those edits what is imported.

const words = ['goals', 'notes', 'futureGoals', 'frustrations', 'fears', 'failures'] as const
type Words = (typeof words)[number]
export const formattingHeader = 'Formatting'

export function isWords(field: ClientField): field is Words {
  return (words as readonly string[]).includes(field)
}

/** What the plain cells of a client don't say; an empty text when they say it all. */
export function formattingOf(client: ClientValues): string {
  const lost = words.flatMap((field) => {
    const stored = client[field]
    return stored !== null && asMarkup(plainText(stored)) !== stored ? [[field, stored]] : []
  })
  return lost.length ? JSON.stringify(Object.fromEntries(lost)) : ''
}

/** The formatting that a row brings along, in one of the columns that are no field's. */
export function formattingIn(cells: string[], taken: Set<number>): Partial<Record<ClientField, string>> {
  for (const [at, cell] of cells.entries()) {
    const read = taken.has(at) || !cell.startsWith('{') ? null : parsed(cell)
    if (read) return read
  }
  return {}
}

function parsed(cell: string): Partial<Record<ClientField, string>> | null {
  try {
    const value: unknown = JSON.parse(cell)
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
    const known = entries.filter(
      ([name, text]) => (words as readonly string[]).includes(name) && typeof text === 'string',
    )
    return known.length && known.length === entries.length ? Object.fromEntries(known) : null
  } catch {
    return null
  }
}

/** A cell of words as it is stored. */
export function storedWords(cell: string, formatted: string | undefined): string {
  return formatted !== undefined && plainText(formatted) === cell ? formatted : asMarkup(cell)
}
