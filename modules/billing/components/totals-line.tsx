import type { TotalsView } from '../purchases-loader.server.ts'

/** 'Total $2,880.00, $2,400.00 completed' */
export function TotalsLine({ totals: { total, completed } }: { totals: TotalsView }) {
  return (
    <span className="num text-sm font-normal text-ink-3">
      Total {total}
      {completed !== null && `, ${completed} completed`}
    </span>
  )
}
