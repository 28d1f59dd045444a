import { useId } from 'react'
import type { Chart } from '../chart.server.ts'

/** Values over time: a drawing from the server, and the same numbers as a table. */
export function ChartFigure({ chart, title }: { chart: Chart; title: string }) {
  const id = useId()
  const { ticks, line, points } = chart
  const hasNotes = points.some(({ note }) => note !== null)
  return (
    <figure aria-labelledby={id}>
      <figcaption id={id} className="text-sm text-ink-3 wrap-anywhere">
        {title}
      </figcaption>
      <div aria-hidden="true" className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-sm text-ink-3">
        <div className="num flex h-20 flex-col justify-between text-right leading-none">
          {ticks.toReversed().map(({ label }) => (
            <span key={label}>{label}</span>
          ))}
        </div>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="h-20 w-full overflow-visible">
          {ticks.map(({ y }) => (
            <line
              key={y}
              x2="100"
              y1={y}
              y2={y}
              stroke="currentColor"
              vectorEffect="non-scaling-stroke"
              className="text-line-soft"
            />
          ))}
          <g className="text-[var(--brand-edge)]" fill="none" stroke="currentColor" strokeLinecap="round">
            <path d={line} strokeWidth="2.5" strokeLinejoin="round" vectorEffect="non-scaling-stroke" />
            {points.map(({ x, y }, index) => (
              <path key={index} d={`M${x},${y}h0`} strokeWidth="7" vectorEffect="non-scaling-stroke" />
            ))}
          </g>
        </svg>
      </div>
      <details className="mt-2 text-sm">
        <summary className="link w-fit cursor-pointer">Show as a table</summary>
        <table className="table mt-2">
          <caption className="sr-only">{title}</caption>
          <thead>
            <tr>
              <th scope="col">Date</th>
              <th scope="col" className="r">
                Value
              </th>
              {hasNotes && <th scope="col">Entered by</th>}
            </tr>
          </thead>
          <tbody>
            {points.map(({ date, value, note }, index) => (
              <tr key={index}>
                <th scope="row" className="font-normal">
                  {date}
                </th>
                <td className="r num">{value}</td>
                {hasNotes && <td>{note}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}
