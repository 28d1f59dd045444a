import type { ShownTotals } from '../purchases-loader.server.ts'

/** 'Total $2,880.00', and how much of it is completed where that is less. */
export function TotalsLine({ totals: { total, completed } }: { totals: ShownTotals }) {
  return (
    <span className="num text-sm font-normal text-ink-3">
      Total {total}
      {completed !== null && `, ${completed} completed`}
    </span>
  )
}
