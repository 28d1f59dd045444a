/** A row of the results. `met` is null where there is no goal. */
export type TableRow = {
  workload: string
  product: string
  baseline: string
  ratio: string
  cpu: string
  goal: string
  met: boolean | null
}
type Cells = Omit<TableRow, 'met'>

const columnTitles: Cells = {
  workload: 'workload',
  product: 'product',
  baseline: 'baseline',
  ratio: 'ratio',
  cpu: 'CPU',
  goal: 'goal',
}

/** Says whether a goal is met; empty where there is none. */
export const formatVerdict = ({ met }: Pick<TableRow, 'met'>): string => (met === null ? '' : met ? 'met' : '← missed')

/** Formats the rows as aligned text, each with its verdict. */
export function formatTable(rows: TableRow[]): string {
  const columns = Object.keys(columnTitles) as (keyof Cells)[]
  const widths = Object.fromEntries(
    columns.map((column) => [column, Math.max(...[columnTitles, ...rows].map((row) => row[column].length))]),
  )
  const formatRow = (cells: Cells) =>
    columns
      .map((column) =>
        column === 'workload' || column === 'goal'
          ? cells[column].padEnd(widths[column]!)
          : cells[column].padStart(widths[column]!),
      )
      .join('  ')
  return [
    formatRow(columnTitles),
    columns.map((column) => '─'.repeat(widths[column]!)).join('  '),
    ...rows.map((row) => `${formatRow(row)}  ${formatVerdict(row)}`.trimEnd()),
  ].join('\n')
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
