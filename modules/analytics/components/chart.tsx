import { useId } from 'react'
import { Link } from '#app/ui/navigation/link.tsx'
import type { ChartView } from '../chart.server.ts'

/** A drawing from the server, and the same numbers as a table, each with a link to its rows. */
export function Chart({ chart }: { chart: ChartView }) {
  const id = useId()
  const { title, ticks, bars, line, labels, zero } = chart
  return (
    <figure className="card min-w-0 p-5" aria-labelledby={id}>
      <figcaption id={id} className="font-semibold">
        {title}
      </figcaption>
      <div aria-hidden="true" className="mt-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-sm text-ink-3">
        <div className="relative h-44">
          {/* Holds the width of the column. */}
          {ticks.map(({ y, label }) => (
            <span key={y} className="num invisible block h-0 text-right">
              {label}
            </span>
          ))}
          {ticks.map(({ y, label }) => (
            <span key={y} className="num absolute right-0 -translate-y-1/2 whitespace-nowrap" style={{ top: `${y}%` }}>
              {label}
            </span>
          ))}
        </div>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="h-44 w-full overflow-visible">
          {ticks.map(({ y }) => (
            <Level key={y} y={y} className={y === zero ? 'text-line-strong' : 'text-line-soft'} />
          ))}
          <g className="text-[var(--brand-edge)]">
            {bars.map((bar) => (
              <rect key={bar.x} x={bar.x} y={bar.y} width={bar.width} height={bar.height} fill="currentColor">
                <title>{bar.title}</title>
              </rect>
            ))}
            {line && (
              <path
                d={line}
                fill="none"
                stroke="currentColor"
                strokeWidth="2.5"
                strokeLinecap="round"
                strokeLinejoin="round"
                vectorEffect="non-scaling-stroke"
              />
            )}
          </g>
        </svg>
        <div className="relative col-start-2 mt-2 h-5">
          {labels.map(({ x, text }, index) => (
            // On a phone every other one has room.
            <span
              key={index}
              className={`absolute max-w-24 -translate-x-1/2 truncate ${index % 2 ? 'max-sm:hidden' : ''}`}
              style={{ left: `${x}%` }}
            >
              {text}
            </span>
          ))}
        </div>
      </div>
      <details className="mt-3 text-sm">
        <summary className="link w-fit cursor-pointer">Show as a table</summary>
        <ChartTable chart={chart} />
      </details>
    </figure>
  )
}

const Level = ({ y, className }: { y: number; className: string }) => (
  <line x2="100" y1={y} y2={y} stroke="currentColor" vectorEffect="non-scaling-stroke" className={className} />
)

function ChartTable({ chart: { title, label, share, rows } }: { chart: ChartView }) {
  return (
    <table className="table mt-2">
      <caption className="sr-only">{title}</caption>
      <thead>
        <tr>
          <th scope="col">{label}</th>
          {share && (
            <>
              <th scope="col" className="r max-sm:hidden">
                {share.value}
              </th>
              <th scope="col" className="r max-sm:hidden">
                {share.whole}
              </th>
            </>
          )}
          <th scope="col" className="r">
            {share ? 'Share' : 'Number'}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            <th scope="row" className="max-w-40 truncate font-normal">
              {row.label}
            </th>
            {share && (
              <>
                <td className="r num max-sm:hidden">{row.value}</td>
                <td className="r num max-sm:hidden">{row.whole}</td>
              </>
            )}
            <td className="r num">
              <Link className="link" to={row.to}>
                {row.number}
              </Link>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
