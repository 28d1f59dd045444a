import { Badge, type Tone } from '#app/ui/components/badge.tsx'
import { Table } from '#app/ui/components/table.tsx'

export type ImportRow = {
  line: number
  name: string
  email: string
  what: string
  tone: Tone
  reason: string | null
  detail: string | null
}

/** Rows of a file and what becomes of them. */
export function ImportRows({ label, rows }: { label: string; rows: ImportRow[] }) {
  return (
    <Table
      label={label}
      framed
      rows={rows}
      keyOf={(row) => row.line}
      columns={[
        { head: 'Line', cell: (row) => row.line.toLocaleString('en-US'), className: 'num w-16' },
        {
          head: 'Person',
          className: 'max-w-72',
          cell: (row) => (
            <>
              <strong className="block truncate">{row.name || '—'}</strong>
              <span className="block truncate text-sm text-ink-3">{row.email || 'No email address'}</span>
            </>
          ),
        },
        { head: 'Outcome', cell: (row) => <Badge tone={row.tone}>{row.what}</Badge> },
        {
          head: 'Details',
          className: 'min-w-56 !whitespace-normal py-2 wrap-anywhere',
          cell: (row) => row.reason ?? row.detail,
        },
      ]}
      line={(row) => (
        <div className="px-4 py-3">
          <div className="flex items-center justify-between gap-3">
            <strong className="min-w-0 truncate font-semibold">{row.name || '—'}</strong>
            <Badge tone={row.tone}>{row.what}</Badge>
          </div>
          <p className="truncate text-sm text-ink-3">{row.email || 'No email address'}</p>
          <p className="mt-0.5 text-sm wrap-anywhere text-ink-2">
            <span className="num text-ink-3">Line {row.line}</span>
            {(row.reason ?? row.detail) && ` · ${row.reason ?? row.detail}`}
          </p>
        </div>
      )}
    />
  )
}
