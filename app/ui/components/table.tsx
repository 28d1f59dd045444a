import type { Key, ReactNode } from 'react'

export type Column<Row> = {
  head: ReactNode
  cell: (row: Row) => ReactNode
  /** Money and counts stand at the right. */
  right?: boolean
  className?: string
  /** The widths that have no room for it: `max-lg:hidden`. */
  hidden?: string
  /** `aria-sort` of a column that orders the list. */
  sorted?: 'ascending' | 'descending'
}

/**
 * A table from `from` up, a list of two- or three-line rows below it: never a table scrolled sideways on a phone.
 * `line` renders one row of that list, without its <li>.
 */
export function Table<Row>({
  label,
  rows,
  columns,
  line,
  keyOf,
  from = 'md',
  framed = false,
}: {
  label: string
  rows: Row[]
  columns: Column<Row>[]
  line: (row: Row) => ReactNode
  keyOf: (row: Row) => Key
  from?: 'md' | 'xl'
  /** With a border of its own, where no card is around it. */
  framed?: boolean
}) {
  const frame = framed ? 'rounded-lg border border-line' : 'border-t border-line-soft'
  const listFrame = framed ? 'border-y border-line-soft' : 'border-t border-line-soft'
  return (
    <>
      <div className={`hidden overflow-x-auto ${frame} ${from === 'md' ? 'md:block' : 'xl:block'}`}>
        <table className="table">
          <caption className="sr-only">{label}</caption>
          <thead>
            <tr>
              {columns.map((column, at) => (
                <th
                  key={at}
                  scope="col"
                  className={classes(column.right && 'r', column.hidden)}
                  aria-sort={column.sorted}
                >
                  {column.head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={keyOf(row)}>
                {columns.map((column, at) => (
                  <td key={at} className={classes(column.right && 'r num', column.hidden, column.className)}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul aria-label={label} className={`rows ${listFrame} ${from === 'md' ? 'md:hidden' : 'xl:hidden'}`}>
        {rows.map((row) => (
          <li key={keyOf(row)}>{line(row)}</li>
        ))}
      </ul>
    </>
  )
}

const classes = (...names: (string | false | undefined)[]) => names.filter(Boolean).join(' ') || undefined
