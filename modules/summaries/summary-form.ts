import type { SummaryDetails } from './records.ts'
import type { Claim } from './types.ts'

/** The edit form of a summary: fields such as `takeaways-0-text`. Browser code too. */
export const sections = {
  overview: 'Overview',
  takeaways: 'Key takeaways',
  actions: 'Action items',
} as const
export type Section = keyof typeof sections
export const sectionNames = Object.keys(sections) as Section[]

/** Empty rows for what the coach adds. */
export const blankRows = 2

export const inputName = (section: Section, row: number, part: RowPart): string => `${section}-${row}-${part}`
export type RowPart = 'text' | 'source' | 'owner' | 'due'
const namePattern = /^(overview|takeaways|actions)-(\d{1,3})-(text|source|owner|due)$/

export type FormRow = { row: number } & Record<RowPart, string>

/** `source`: the lines and the quote of the claim, as JSON; empty for a new one. */
export function toFormValues(summary: Pick<SummaryDetails, Section>): Record<string, string> {
  return Object.fromEntries(
    sectionNames.flatMap((section) => {
      const claims: (Claim & { owner?: string | null; due?: string | null })[] = summary[section]
      const rows = [
        ...claims.map(({ text, lines, quote, owner, due }) => ({
          text,
          source: lines.length ? JSON.stringify({ lines, quote }) : '',
          owner: owner ?? '',
          due: due ?? '',
        })),
        ...Array.from({ length: blankRows }, () => ({ text: '', source: '', owner: '', due: '' })),
      ]
      return rows.flatMap(({ text, source, owner, due }, row) => [
        [inputName(section, row, 'text'), text],
        [inputName(section, row, 'source'), source],
        ...(section === 'actions'
          ? [
              [inputName(section, row, 'owner'), owner],
              [inputName(section, row, 'due'), due],
            ]
          : []),
      ])
    }),
  )
}

/** The rows of a section in the order of the form. */
export function readRows(values: Record<string, unknown>, section: Section): FormRow[] {
  const rows = new Map<number, FormRow>()
  for (const [name, value] of Object.entries(values)) {
    const [, found, row, part] = namePattern.exec(name) ?? []
    if (found !== section) continue
    const entry = rows.get(Number(row)) ?? { row: Number(row), text: '', source: '', owner: '', due: '' }
    entry[part as RowPart] = String(value ?? '')
    rows.set(Number(row), entry)
  }
  return [...rows.values()].sort((a, b) => a.row - b.row)
}

/** Nothing for a source that can't be read: the server keeps only those that the summary has. */
export function readSource(source: string): object {
  try {
    const { lines, quote } = JSON.parse(source) as Partial<Claim>
    return { lines, quote }
  } catch {
    return {}
  }
}
