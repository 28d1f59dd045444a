import { Table, type Column } from '#app/ui/components/table.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import type { MetricView } from '../metric-loader.server.ts'

/** The rows of a number. */
export function RowTable({ metric: { label, share, rows } }: { metric: MetricView }) {
  type Row = MetricView['rows'][number]
  const columns: Column<Row>[] = [
    { head: 'Date', className: 'num', cell: ({ date }) => date },
    { head: 'Row', className: 'max-w-80 truncate text-ink', cell: (row) => <RowTitle row={row} /> },
    { head: 'Details', className: 'max-w-72 truncate', hidden: 'max-lg:hidden', cell: ({ detail }) => detail },
    { head: share?.value ?? label, alignRight: true, cell: ({ value }) => value },
    ...(share ? [{ head: share.whole, alignRight: true, cell: ({ whole }: Row) => whole }] : []),
  ]
  return (
    <Table
      label={`Rows of ${label}`}
      bordered
      rows={rows}
      getKey={({ id }) => id}
      columns={columns}
      renderListItem={(row) => (
        <div className="px-4 py-3">
          <p className="flex justify-between gap-3">
            <span className="min-w-0 truncate font-medium">
              <RowTitle row={row} />
            </span>
            <span className="num shrink-0">{share ? `${row.value} of ${row.whole}` : row.value}</span>
          </p>
          <p className="num truncate text-sm text-ink-3">{[row.date, row.detail].filter(Boolean).join(' · ')}</p>
        </div>
      )}
    />
  )
}

const RowTitle = ({ row: { title, to } }: { row: MetricView['rows'][number] }) =>
  to ? (
    <Link className="hover:underline" to={to}>
      {title}
    </Link>
  ) : (
    title
  )

/** The groups of a number; each opens its rows. */
export function GroupTable({ metric: { label, share, groups, by } }: { metric: MetricView }) {
  type Group = MetricView['groups'][number]
  const link = (group: Group, text: string) => (
    <Link className="link num" to={group.to} aria-label={`${group.title}: ${text}`}>
      {text}
    </Link>
  )
  const columns: Column<Group>[] = [
    { head: by!.label, className: 'max-w-80 truncate text-ink', cell: ({ title }) => title },
    {
      head: share?.value ?? label,
      alignRight: true,
      cell: (group) => (share ? group.value : link(group, group.value)),
    },
    ...(share
      ? [
          { head: share.whole, alignRight: true, cell: ({ whole }: Group) => whole },
          { head: 'Share', alignRight: true, cell: (group: Group) => link(group, group.number!) },
        ]
      : []),
  ]
  return (
    <Table
      label={`${label} by ${by!.label.toLowerCase()}`}
      bordered
      rows={groups}
      getKey={({ key }) => key}
      columns={columns}
      renderListItem={(group) => (
        <p className="flex justify-between gap-3 px-4 py-3">
          <span className="min-w-0 truncate font-medium">{group.title}</span>
          <span className="shrink-0">{link(group, group.number ?? group.value)}</span>
        </p>
      )}
    />
  )
}
