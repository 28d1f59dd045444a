import type { Key, ReactNode } from 'react'

export type Column<Row> = {
  head: ReactNode
  cell: (row: Row) => ReactNode
  /** For money and counts. */
  alignRight?: boolean
  className?: string
  /** The class that hides the column on narrow screens: `max-lg:hidden`. */
  hidden?: string
  /** The `aria-sort` of the column that the list is sorted by. */
  sorted?: 'ascending' | 'descending'
}

/**
 * A table from the breakpoint `tableFrom` up, and below it a list, so that phones never scroll a table sideways.
 * `renderListItem` returns the content of an <li>.
 */
export function Table<Row>({
  label,
  rows,
  columns,
  renderListItem,
  getKey,
  tableFrom = 'md',
  bordered = false,
}: {
  label: string
  rows: Row[]
  columns: Column<Row>[]
  renderListItem: (row: Row) => ReactNode
  getKey: (row: Row) => Key
  tableFrom?: 'md' | 'xl'
  /** For a table outside of a card. */
  bordered?: boolean
}) {
  const frame = bordered ? 'rounded-lg border border-line' : 'border-t border-line-soft'
  const listFrame = bordered ? 'border-y border-line-soft' : 'border-t border-line-soft'
  return (
    <>
      <div className={`hidden overflow-x-auto ${frame} ${tableFrom === 'md' ? 'md:block' : 'xl:block'}`}>
        <table className="table">
          <caption className="sr-only">{label}</caption>
          <thead>
            <tr>
              {columns.map((column, index) => (
                <th
                  key={index}
                  scope="col"
                  className={classes(column.alignRight && 'r', column.hidden)}
                  aria-sort={column.sorted}
                >
                  {column.head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={getKey(row)}>
                {columns.map((column, index) => (
                  <td key={index} className={classes(column.alignRight && 'r num', column.hidden, column.className)}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul aria-label={label} className={`rows ${listFrame} ${tableFrom === 'md' ? 'md:hidden' : 'xl:hidden'}`}>
        {rows.map((row) => (
          <li key={getKey(row)}>{renderListItem(row)}</li>
        ))}
      </ul>
    </>
  )
}

const classes = (...names: (string | false | undefined)[]) => names.filter(Boolean).join(' ') || undefined
