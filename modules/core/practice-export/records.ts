import type { Ctx } from '#tenants/context.ts'
import { formatField, getLabelText } from '../format-field.ts'
import type { RecordKind } from '../manifest.ts'
import type { ExportedTable } from './tables.ts'

export type Reader = Pick<Ctx, 'query' | 'coachId' | 'account' | 'platform'>
/** A record as people read it. Times are in ISO 8601. */
export type ReadableRecord = {
  id: number
  title: string
  addedAt: string
  updatedAt: string
  deletedAt: string | null
  /** In the order of `listFields`. */
  values: { text: string | null; target: { kind: string; id: number } | null }[]
}
export type ExportedKind = RecordKind & { columns: string[]; plural: string }

/** The kinds whose tables are in an export. */
export function listExportedKinds({ platform }: Pick<Reader, 'platform'>, tables: ExportedTable[]): ExportedKind[] {
  return platform.extensions.recordKinds.flatMap((kind) => {
    const table = tables.find(({ name }) => name === kind.kind)
    if (!table) return []
    const columns = Object.keys(kind.fields).filter((column) => table.columns.some(({ name }) => name === column))
    return [{ ...kind, columns, plural: toPlural(kind.label) }]
  })
}

export const listFields = (kind: ExportedKind): string[] =>
  kind.columns.map((column) => getLabelText(kind.fields[column]!))

const toPlural = (label: string): string =>
  label.endsWith('s') ? label : label.endsWith('y') ? `${label.slice(0, -1)}ies` : `${label}s`

type Row = { id: number; title: string; record: Record<string, unknown> }

/** All records of a kind by id, also those in the trash, `rows` at a time. */
export async function* readRecords(reader: Reader, kind: ExportedKind, rows: number): AsyncGenerator<ReadableRecord[]> {
  const names = ['created_at', 'updated_at', ...(kind.restore ? ['deleted_at'] : []), ...kind.columns]
  const columns = [...new Set(names)].map((column) => `r."${column}"`).join(', ')
  for (let after = 0; ; ) {
    const found: Row[] = await reader.query<Row>({
      name: `export.records.${kind.kind}`,
      text: `select r.id, ${kind.title} as title, row_to_json(c) as record
        from "${kind.kind}" r, lateral (select ${columns}) c
        where r.coach_id = $1 and r.id > $2 order by r.id limit $3`,
      values: [reader.coachId, after, rows],
    })
    if (!found.length) return
    const titles = await findTitles(reader, kind, found)
    yield found.map((row) => toReadable(reader, kind, row, titles))
    if (found.length < rows) return
    after = found.at(-1)!.id
  }
}

function toReadable(reader: Reader, kind: ExportedKind, row: Row, titles: Map<string, string>): ReadableRecord {
  const { id, title, record } = row
  return {
    id,
    title,
    addedAt: String(record.created_at),
    updatedAt: String(record.updated_at),
    deletedAt: record.deleted_at ? String(record.deleted_at) : null,
    values: kind.columns.map((column) => {
      const label = kind.fields[column]!
      const value = record[column] ?? null
      const text = formatField(reader, value, label, (of, target) => titles.get(`${of} ${target}`))
      const target = typeof label === 'object' && 'of' in label && value !== null
      return { text, target: target ? { kind: label.of, id: Number(value) } : null }
    }),
  }
}

/** Titles of what the records refer to: `<kind> <id>` → title. */
async function findTitles(reader: Reader, kind: ExportedKind, rows: Row[]): Promise<Map<string, string>> {
  const titles = new Map<string, string>()
  for (const column of kind.columns) {
    const label = kind.fields[column]!
    if (typeof label !== 'object' || !('of' in label)) continue
    const target = reader.platform.extensions.recordKinds.find((own) => own.kind === label.of)
    const ids = [...new Set(rows.map(({ record }) => record[column]).filter((id) => id !== null))]
    if (!target || !ids.length) continue
    const found = await reader.query<{ id: number; title: string }>({
      name: `export.titles.${target.kind}`,
      text: `select r.id, ${target.title} as title from "${target.kind}" r
        where r.coach_id = $1 and r.id = any($2::bigint[])`,
      values: [reader.coachId, ids],
    })
    for (const { id, title } of found) titles.set(`${target.kind} ${id}`, title)
  }
  return titles
}
