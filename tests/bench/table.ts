/** One line of the bench's table. `met` null: nothing was promised. */
export type Line = {
  work: string
  product: string
  plain: string
  ratio: string
  cpu: string
  goal: string
  met: boolean | null
}

const heads: Record<keyof Omit<Line, 'met'>, string> = {
  work: 'work',
  product: 'product',
  plain: 'plain',
  ratio: 'ratio',
  cpu: 'CPU',
  goal: 'goal',
}

/** The table as text, in columns; what falls short is marked. */
export function table(lines: Line[]): string {
  const columns = Object.keys(heads) as (keyof typeof heads)[]
  const width = Object.fromEntries(
    columns.map((column) => [column, Math.max(...[heads, ...lines].map((line) => line[column].length))]),
  )
  const row = (cells: Record<keyof typeof heads, string>) =>
    columns
      .map((column) =>
        column === 'work' || column === 'goal'
          ? cells[column].padEnd(width[column]!)
          : cells[column].padStart(width[column]!),
      )
      .join('  ')
  return [
    row(heads),
    columns.map((column) => '─'.repeat(width[column]!)).join('  '),
    ...lines.map((line) => `${row(line)}${line.met === false ? '  ← short' : ''}`),
  ].join('\n')
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
