import { Badge, type Tone } from '#app/ui/components/badge.tsx'
import { Table } from '#app/ui/components/table.tsx'
import type { PreviewRow } from '../preview.ts'

export const outcomeLabels: Record<PreviewRow['outcome'], string> = {
  create: 'Will be added',
  'left-out': 'Over plan limit',
  deselected: 'Not selected',
  duplicate: 'Skipped',
  error: 'Needs fixing',
}

const outcomeTones: Record<PreviewRow['outcome'], Tone> = {
  create: 'success',
  'left-out': 'warning',
  deselected: 'neutral',
  duplicate: 'neutral',
  error: 'danger',
}

/** The rows of a file with their outcomes. */
export function ImportRowTable({ label, rows }: { label: string; rows: Omit<PreviewRow, 'index'>[] }) {
  return (
    <Table
      label={label}
      bordered
      rows={rows}
      getKey={(row) => row.line}
      columns={[
        { head: 'Line', cell: (row) => row.line.toLocaleString('en-US'), className: 'num w-16' },
        {
          head: 'Person',
          className: 'max-w-72',
          cell: (row) => (
            <>
              <strong className="block truncate">{row.name || '–'}</strong>
              <span className="block truncate text-sm text-ink-3">{row.email || 'No email address'}</span>
            </>
          ),
        },
        { head: 'Outcome', cell: (row) => <OutcomeBadge outcome={row.outcome} /> },
        {
          head: 'Details',
          className: 'min-w-56 !whitespace-normal py-2 wrap-anywhere',
          cell: (row) => row.reason ?? row.detail,
        },
      ]}
      renderListItem={(row) => (
        <div className="px-4 py-3">
          <div className="flex items-center justify-between gap-3">
            <strong className="min-w-0 truncate font-semibold">{row.name || '–'}</strong>
            <OutcomeBadge outcome={row.outcome} />
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

export function OutcomeBadge({ outcome }: Pick<PreviewRow, 'outcome'>) {
  return <Badge tone={outcomeTones[outcome]}>{outcomeLabels[outcome]}</Badge>
}
