import { asOwner } from '#tests/support/as-db-owner.ts'

/** Rows of cells, with titles. */
export type Figures = { title: string; columns: string[]; rows: string[][] }

type TableSize = { name: string; rows: number; heap: number; indexes: number }
type IndexSize = { name: string; bytes: number; scans: number; isUnique: boolean }

/** The rows and bytes of the largest tables. */
export async function measureTables(ownerUrl: string): Promise<Figures> {
  const tables = await asOwner(ownerUrl, async (owner) => {
    const { rows } = await owner.query<TableSize>(
      `select relname as name, reltuples::float8 as rows, pg_table_size(oid)::float8 as heap,
          pg_indexes_size(oid)::float8 as indexes
        from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and reltuples > 0
        order by pg_total_relation_size(oid) desc limit 20`,
    )
    return rows
  })
  const sum = (key: 'rows' | 'heap' | 'indexes') => tables.reduce((total, table) => total + table[key], 0)
  const total = { name: 'together', rows: sum('rows'), heap: sum('heap'), indexes: sum('indexes') }
  return {
    title: 'Tables',
    columns: ['table', 'rows', 'heap MB', 'indexes MB', 'indexes / heap'],
    rows: [...tables, total].map(({ name, rows, heap, indexes }) => [
      name,
      formatCount(rows),
      formatMegabytes(heap),
      formatMegabytes(indexes),
      (indexes / heap).toFixed(2),
    ]),
  }
}

/** The largest indexes, and those that nothing has used since the database was created. */
export async function measureIndexes(ownerUrl: string): Promise<Figures> {
  const indexes = await asOwner(ownerUrl, async (owner) => {
    const { rows } = await owner.query<IndexSize>(
      `select indexrelname as name, pg_relation_size(s.indexrelid)::float8 as bytes, idx_scan::float8 as scans,
          indisunique or indisexclusion as "isUnique"
        from pg_stat_user_indexes s join pg_index i on i.indexrelid = s.indexrelid
        where schemaname = 'public' order by 2 desc limit 30`,
    )
    return rows
  })
  const unused = ({ scans, isUnique }: IndexSize) => (scans ? '' : isUnique ? 'unused, a constraint' : 'unused')
  return {
    title: 'Indexes: the largest ten, and the unused ones among the largest thirty',
    columns: ['index', 'MB', 'use'],
    rows: indexes
      .filter((index, position) => position < 10 || unused(index))
      .map((index) => [index.name, formatMegabytes(index.bytes), unused(index)]),
  }
}

/** How often each table was read whole since the database was created. */
export async function countSequentialScans(ownerUrl: string): Promise<Map<string, number>> {
  return asOwner(ownerUrl, async (owner) => {
    const { rows } = await owner.query<{ name: string; scans: number }>(
      `select relname as name, seq_scan::float8 as scans from pg_stat_user_tables
        where schemaname = 'public' and n_live_tup > 10000`,
    )
    return new Map(rows.map(({ name, scans }) => [name, scans]))
  })
}

export const formatCount = (count: number): string => Math.round(count).toLocaleString('en')
const formatMegabytes = (bytes: number): string => formatCount(bytes / 1024 ** 2)

export function formatFigures({ title, columns, rows }: Figures): string {
  const all = [columns, ...rows]
  const widths = columns.map((_, column) => Math.max(...all.map((row) => row[column]!.length)))
  const format = (row: string[]) =>
    row.map((cell, column) => (column ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!))).join('  ')
  return [`\n${title}`, format(columns), widths.map((width) => '─'.repeat(width)).join('  '), ...rows.map(format)].join(
    '\n',
  )
}
